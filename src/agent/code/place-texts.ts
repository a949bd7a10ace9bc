/** Places of the state as the text that stands there now, with line numbers: what an editor need not look up. */
import { diffLines } from "../../edit/line-diff.ts";
import type { Place } from "../state/task-state.ts";
import { type Definition, renderSkeleton } from "./skeleton.ts";

/** Characters to a token, roughly; and lines around each place. */
const charactersPerToken = 4;
const around = 3;
/** Of all texts together, where nothing else is asked for. */
const usualTokens = 3_500;
/** Lines of the skeletons that stand around them, in all and of a file. */
const mostEntries = { all: 30, file: 16 };

export interface PlacedTexts {
  /** Of a file, on the tree that is laid, and on the base, whose lines the places count. */
  readonly now: (file: string) => Promise<string | undefined>;
  readonly base: (file: string) => Promise<string | undefined>;
  /** What the file defines on the tree that is laid; without it nothing is said of what stands around. */
  readonly definitions?: (file: string) => Promise<readonly Definition[]>;
}

/** Overlapping places as one; "" where there are none. The first take of the budget what they need; what is beyond it is named. */
export async function renderPlaceTexts(
  places: readonly Place[],
  texts: PlacedTexts,
  tokens = usualTokens,
): Promise<string> {
  const parts: string[] = [];
  const left: string[] = [];
  let characters = tokens * charactersPerToken;
  let entries = mostEntries.all;
  for (const file of new Set(places.map((place) => place.file))) {
    const [now, base] = [await texts.now(file), await texts.base(file)];
    if (now === undefined) continue;
    const own = places.filter((place) => place.file === file);
    const shown: Lines[] = [];
    for (const span of mergeSpans(own, base ?? now, now)) {
      const part = renderSpan({ file, ...span }, now.split("\n"));
      if (part.length > characters) left.push(`${file}:${span.start}-${span.end}`);
      else {
        characters -= part.length;
        parts.push(part);
        shown.push(span);
      }
    }
    const most = Math.min(entries, mostEntries.file);
    const skeleton = renderSkeleton(now, (await texts.definitions?.(file)) ?? [], shown, most);
    if (texts.definitions === undefined || shown.length === 0 || skeleton === "" || most <= 0) continue;
    entries -= skeleton.split("\n").length;
    parts.push(`Also in ${file}:\n${skeleton}`);
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
