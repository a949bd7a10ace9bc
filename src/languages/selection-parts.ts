/**
 * Passes a selection of tests to one of our shell scripts, through the environment. The variables hold lines of TARGET
 * or TARGET<tab>NAME, gzipped and base64-encoded.
 */
import { gzipSync } from "node:zlib";
import type { Selection } from "./contract.ts";

/** Linux limits one environment string to 128 KiB. */
const partLength = 100_000;

/** Encodes a selection as variables `MILLWRIGHT_SELECTION_0` and so on. Empty if all tests run. */
export function encodeSelection(selection: Selection): Record<string, string> {
  if (selection.kind === "all") return {};
  const lines =
    selection.kind === "files" ? selection.files : selection.tests.map((key) => `${key.target}\t${key.name}`);
  const encoded = gzipSync(`${lines.join("\n")}\n`).toString("base64");
  const parts = encoded.match(new RegExp(`.{1,${partLength}}`, "g")) ?? [];
  return Object.fromEntries(parts.map((part, at) => [`MILLWRIGHT_SELECTION_${at}`, part]));
}
