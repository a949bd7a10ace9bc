/** Replaces texts that may begin and end inside lines. */
import type { LineRange } from "./contract.ts";
import type { Splice } from "./text-lines.ts";

export interface Within extends LineRange {
  /** Offset in the lines joined by "\n"; so is `end`. */
  readonly start: number;
  readonly end: number;
}

/**
 * Finds all occurrences of a text in the file's lines, without overlaps. The text may begin and end inside lines, and
 * may end with a line break.
 */
export function findWithin(file: readonly string[], wanted: string): Within[] {
  if (wanted === "") return [];
  const text = `${file.join("\n")}\n`;
  const found: Within[] = [];
  let line = 1;
  let counted = 0;
  for (let start = text.indexOf(wanted); start !== -1; start = text.indexOf(wanted, start + wanted.length)) {
    line += countBreaks(text, counted, start);
    counted = start;
    const end = start + wanted.length;
    found.push({ start, end, startLine: line, endLine: line + countBreaks(text, start, end - 1) });
  }
  return found;
}

function countBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** Makes splices of whole lines that replace the text at each place with `fresh`. */
export function spliceWithin(file: readonly string[], places: readonly Within[], fresh: string): Splice[] {
  const text = `${file.join("\n")}\n`;
  const groups: Within[][] = [];
  for (const place of places) {
    const last = groups.at(-1);
    // Several in one line count as one change of it.
    if (last !== undefined && (last.at(-1)?.endLine ?? 0) >= place.startLine) last.push(place);
    else groups.push([place]);
  }
  return groups.map((group) => spliceGroup(text, group, fresh)).filter((splice) => splice !== undefined);
}

function spliceGroup(text: string, group: readonly Within[], fresh: string): Splice | undefined {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const start = text.lastIndexOf("\n", first.start - 1) + 1;
  const stop = text.indexOf("\n", last.end - 1);
  const before = text.slice(start, stop);
  let after = "";
  let at = start;
  for (const place of group) {
    after += text.slice(at, place.start) + fresh;
    at = place.end;
  }
  // A text that ends with a line break includes it: nothing of its last line remains.
  const isWhole = last.end > stop;
  after += isWhole ? "" : text.slice(at, stop);
  const lines = isWhole && after === "" ? [] : after.replace(isWhole ? /\n$/ : /$^/, "").split("\n");
  const count = before.split("\n").length;
  return before === after && !isWhole ? undefined : { start: first.startLine - 1, count, lines };
}
