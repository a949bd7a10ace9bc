/** Renders the text of places in a view's current tree, with surrounding lines: one section per file. */

import type { Place } from "../state/task-state.ts";
import type { TreeView } from "../views.ts";

export interface PlaceTextOptions {
  /** Lines shown before and after each place. */
  readonly around: number;
  readonly numbered: boolean;
  /** Maximum lines of all texts together. The text only names the places beyond this limit. */
  readonly mostLines: number;
}

export type Span = Pick<Place, "file" | "startLine" | "endLine">;

/** Shows the places, grouped by file in the order of the files' first places. Omits missing files. */
export async function renderSpans(
  { context }: TreeView,
  spans: readonly Span[],
  { around, numbered, mostLines }: PlaceTextOptions,
): Promise<string> {
  const parts: string[] = [];
  let left = mostLines;
  for (const file of new Set(spans.map((span) => span.file))) {
    const read = await context.files.read(file);
    if (!read.ok || read.value === undefined) continue;
    const lines = read.value.split("\n");
    const shown: string[] = [];
    for (const [start, end] of mergeSpans(
      spans.filter((span) => span.file === file),
      around,
      lines.length,
    )) {
      const last = Math.min(end, start + left - 1);
      if (last < start) {
        shown.push(`(lines ${start}-${end} are not shown: too much text)`);
        continue;
      }
      left -= last - start + 1;
      const texts = lines.slice(start - 1, last);
      const numbers = texts.map((text, index) => (numbered ? `${start + index}\t${text}` : text));
      shown.push(numbers.join("\n"));
    }
    parts.push(`### ${file}\n${shown.join("\n...\n")}`);
  }
  return parts.join("\n\n");
}

/** Merges touching spans, after adding the lines around them. Returns line ranges in order, from 1, inclusive. */
function mergeSpans(spans: readonly Span[], around: number, lines: number): [number, number][] {
  const merged: [number, number][] = [];
  const ranges = spans
    .map(({ startLine, endLine }): [number, number] => [
      Math.max(1, Math.min(startLine, endLine) - around),
      Math.min(lines, Math.max(startLine, endLine) + around),
    ])
    .filter(([start, end]) => start <= end)
    .sort(([one], [other]) => one - other);
  for (const [start, end] of ranges) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1] + 1) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}
