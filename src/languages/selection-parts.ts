/** Hands a selection to a shell script of ours: lines of TARGET or TARGET<tab>NAME, gzip in base64, in the environment. */
import { gzipSync } from "node:zlib";
import type { Selection } from "./contract.ts";

/** Linux takes 128 KiB for one string of the environment. */
const partLength = 100_000;

/** `MILLWRIGHT_SELECTION_0` and so on; none where all tests are to run. */
export function encodeSelection(selection: Selection): Record<string, string> {
  if (selection.kind === "all") return {};
  const lines =
    selection.kind === "files" ? selection.files : selection.tests.map((key) => `${key.target}\t${key.name}`);
  const encoded = gzipSync(`${lines.join("\n")}\n`).toString("base64");
  const parts = encoded.match(new RegExp(`.{1,${partLength}}`, "g")) ?? [];
  return Object.fromEntries(parts.map((part, at) => [`MILLWRIGHT_SELECTION_${at}`, part]));
}
