/**
 * Passes a selection or a share of tests to one of our scripts, through the environment. The variables hold lines,
 * gzipped and base64-encoded. Lines of a selection: TARGET or TARGET<tab>NAME. Lines of a share: INDEX<tab>OF, then
 * TARGET<tab>MILLISECONDS.
 */
import { gzipSync } from "node:zlib";
import type { Selection, Share } from "./contract.ts";

/** Linux limits one environment string to 128 KiB. */
const partLength = 100_000;

/**
 * Encodes a selection as variables `MILLWRIGHT_SELECTION_0` and so on. Empty if all tests run. Selects the whole target
 * of a test with several lines in its name.
 */
export function encodeSelection(selection: Selection): Record<string, string> {
  if (selection.kind === "all") return {};
  const lines =
    selection.kind === "files"
      ? selection.files
      : selection.tests.map(({ target, name }) => (/[\r\n]/.test(name) ? target : `${target}\t${name}`));
  return encodeLines("SELECTION", [...new Set(lines)]);
}

/** Encodes a share as variables `MILLWRIGHT_SHARE_0` and so on. Empty without a share. */
export function encodeShare(share: Share | undefined): Record<string, string> {
  if (share === undefined) return {};
  const times = Object.entries(share.times ?? {}).map(([target, ms]) => `${target}\t${ms}`);
  return encodeLines("SHARE", [`${share.index}\t${share.of}`, ...times]);
}

function encodeLines(name: string, lines: readonly string[]): Record<string, string> {
  const encoded = gzipSync(`${lines.join("\n")}\n`).toString("base64");
  const parts = encoded.match(new RegExp(`.{1,${partLength}}`, "g")) ?? [];
  return Object.fromEntries(parts.map((part, at) => [`MILLWRIGHT_${name}_${at}`, part]));
}
