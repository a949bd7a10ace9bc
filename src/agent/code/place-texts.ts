/** Places of the state as the text that stands there now, with line numbers: what an editor need not look up. */
import { diffLines } from "../../edit/line-diff.ts";
import type { Place } from "../state/task-state.ts";

/** Lines in all, and around each place. */
const mostLines = 300;
const around = 3;

export interface PlacedTexts {
  /** Of a file, on the tree that is laid, and on the base, whose lines the places count. */
  readonly now: (file: string) => Promise<string | undefined>;
  readonly base: (file: string) => Promise<string | undefined>;
}

/** Overlapping places as one; "" where there are none. What is beyond the limit is named. */
export async function renderPlaceTexts(places: readonly Place[], texts: PlacedTexts): Promise<string> {
  const parts: string[] = [];
  const left: string[] = [];
  let lines = mostLines;
  for (const file of new Set(places.map((place) => place.file))) {
    const [now, base] = [await texts.now(file), await texts.base(file)];
    if (now === undefined) continue;
    const own = places.filter((place) => place.file === file);
    for (const { start, end, whys } of mergeSpans(own, base ?? now, now)) {
      if (end - start + 1 > lines) left.push(`${file}:${start}-${end}`);
      else {
        lines -= end - start + 1;
        parts.push(renderSpan({ file, start, end, whys }, now.split("\n")));
      }
    }
  }
  if (left.length > 0) parts.push(`Not shown, for it would be too much: ${left.join(", ")}.`);
  return parts.join("\n\n");
}

interface Lines {
  readonly start: number;
  readonly end: number;
  /** What is decided there. */
  readonly whys: readonly string[];
}

function mergeSpans(places: readonly Place[], base: string, now: string): Lines[] {
  const move = moverOf(base.split("\n"), now.split("\n"));
  const last = now.split("\n").length;
  const spans = places
    .map(({ startLine, endLine, why }) => ({
      start: Math.max(1, Math.min(last, move(startLine) - around)),
      end: Math.min(last, move(Math.max(startLine, endLine)) + around),
      whys: why === "" ? [] : [why],
    }))
    .sort((a, b) => a.start - b.start);
  const merged: { start: number; end: number; whys: string[] }[] = [];
  for (const span of spans) {
    const before = merged.at(-1);
    if (before === undefined || span.start > before.end + 1) merged.push(span);
    else {
      before.end = Math.max(before.end, span.end);
      before.whys.push(...span.whys);
    }
  }
  return merged;
}

/** Where a line of the base stands now. */
function moverOf(base: readonly string[], now: readonly string[]): (line: number) => number {
  const changes = diffLines(base, now, (line) => line);
  return (line) => {
    const before = changes.filter(({ fromEnd }) => fromEnd < line);
    return before.reduce(
      (at, change) => at + (change.toEnd - change.toStart) - (change.fromEnd - change.fromStart),
      line,
    );
  };
}

function renderSpan(
  { file, start, end, whys }: Lines & { readonly file: string },
  lines: readonly string[],
): string {
  const shown = lines.slice(start - 1, end).map((line, index) => `${start + index}\t${line}`);
  const why = whys.length === 0 ? "" : ` (${[...new Set(whys)].join("; ")})`;
  return [`${file}:${start}-${end}${why}`, ...shown].join("\n");
}
