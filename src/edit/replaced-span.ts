/** Finds, by the author's lines, the lines of the file that a block's change replaces. */
import { fail, type Result, succeed } from "../base/result.ts";
import type { Alignment } from "./find-sequence.ts";
import type { LineChange } from "./line-diff.ts";
import { isBlank } from "./text-lines.ts";

export interface MergeRequest {
  readonly file: readonly string[];
  readonly original: readonly string[];
  readonly replacement: readonly string[];
  readonly alignment: Alignment;
  /** True for a line such as `...`, which stands for any number of the file's lines. */
  readonly isElision: (line: string) => boolean;
}

export interface Span {
  readonly start: number;
  /** The line after the span's last line: exclusive. */
  readonly end: number;
}

/**
 * True if the original has more blank lines next to the change than the file, and blank lines change. Nothing then
 * shows which blank lines the author keeps.
 */
function hasInventedBlanks(
  { original, replacement, alignment }: MergeRequest,
  { fromStart, fromEnd, toStart, toEnd }: LineChange,
): boolean {
  const isBlankAt = (index: number): boolean => isBlank(original[index] ?? "x");
  let first = fromStart;
  while (isBlankAt(first - 1)) first--;
  let end = fromEnd;
  while (isBlankAt(end)) end++;
  const run = range(first, end).filter((index) => isBlankAt(index));
  const isPartly =
    run.some((index) => alignment[index] === -1) && run.some((index) => alignment[index] !== -1);
  const edges = [
    ...(fromEnd > fromStart ? [original[fromStart], original[fromEnd - 1]] : [""]),
    ...(toEnd > toStart ? [replacement[toStart], replacement[toEnd - 1]] : [""]),
  ];
  return isPartly && edges.some((line) => isBlank(line ?? ""));
}

/**
 * Finds the span of the file's lines that the change replaces. Fails if the author's lines do not determine the span.
 */
export function spanOf(request: MergeRequest, change: LineChange): Result<Span, "unclear"> {
  const { file, original, alignment } = request;
  if (hasInventedBlanks(request, change))
    return fail("unclear", "The original has more blank lines next to the change than the file has.");
  const indexes = range(change.fromStart, change.fromEnd);
  const gone = indexes.map((index) => alignment[index] ?? -1).filter((line) => line !== -1);
  if (gone.length === 0) {
    if (indexes.some((index) => !isBlank(original[index] ?? "")))
      return fail("unclear", `The file has no line like ${show(original, indexes)}.`);
    return gapOf(request, change);
  }
  const invented = indexes.filter((index) => alignment[index] === -1 && !isBlank(original[index] ?? ""));
  if (invented.length > 0) return fail("unclear", `The file has no line like ${show(original, invented)}.`);
  if (hasOtherBlanks(request, change))
    return fail("unclear", `The original leaves out blank lines next to ${show(file, gone)}.`);
  const start = Math.min(...gone);
  const end = Math.max(...gone) + 1;
  const forgotten = range(start, end).filter((line) => !gone.includes(line));
  const filled = forgotten.filter((line) => !isBlank(file[line] ?? ""));
  if (filled.length > 0) return fail("unclear", `The original leaves out ${show(file, filled)}.`);
  const beside = [start - 1, end].filter((line) => isLeftOut(request, line));
  if (beside.length > 0) return fail("unclear", `The original leaves out ${show(file, beside)}.`);
  if (forgotten.length > 0 && change.toEnd > change.toStart)
    return fail(
      "unclear",
      `The original leaves out a blank line between the replaced lines, which begin with ${show(file, gone)}.`,
    );
  return succeed({ start, end });
}

/** True for a nonblank line within the place that the author's text omits without an elision. */
function isLeftOut({ file, original, alignment, isElision }: MergeRequest, line: number): boolean {
  if (alignment.includes(line) || isBlank(file[line] ?? "") || original.some(isElision)) return false;
  const lines = alignment.filter((each) => each !== -1);
  return lines.some((each) => each < line) && lines.some((each) => each > line);
}

/** The place of new lines that replace no lines. */
function gapOf(request: MergeRequest, change: LineChange): Result<Span, "unclear"> {
  const { file, original, alignment, isElision } = request;
  const isKnown = (index: number): boolean => alignment[index] !== -1 || isElision(original[index] ?? "");
  const above = range(0, change.fromStart).findLast(isKnown) ?? -1;
  const below = range(change.fromEnd, original.length).find(isKnown) ?? original.length;
  const previous = alignment[above] ?? -1;
  const next = alignment[below] ?? -1;
  if (previous === -1 && next === -1)
    return fail(
      "unclear",
      "The place of the new lines is unclear: put existing lines of the file around them.",
    );
  if (previous === -1 || next === -1) {
    // The original ends, or begins, with lines that the file does not have where it has others.
    const invented = change.fromStart - above - 1 + (below - change.fromEnd);
    const beyond = previous === -1 ? next - 1 : previous + 1;
    if (invented > 0 && !isBlank(file[beyond] ?? ""))
      return fail("unclear", `The original leaves out ${show(file, [beyond])}.`);
    const line = previous === -1 ? next : previous + 1;
    return succeed({ start: line, end: line });
  }
  const forgotten = range(previous + 1, next).filter((line) => !isBlank(file[line] ?? ""));
  if (forgotten.length > 0) return fail("unclear", `The original leaves out ${show(file, forgotten)}.`);
  if (hasOtherBlanks(request, change))
    return fail(
      "unclear",
      `The original leaves out blank lines next to the new lines, at ${show(file, [previous, next])}.`,
    );
  return placeAmongBlanks(request, change, previous, next);
}

/**
 * True if the change inserts lines next to blank lines, or removes blank lines. The file must have more blank lines
 * there.
 */
function hasOtherBlanks(
  { file, original, alignment }: MergeRequest,
  { fromStart, fromEnd }: LineChange,
): boolean {
  const isFilled = (index: number): boolean => !isBlank(original[index] ?? "");
  const above = range(0, fromStart).findLast(isFilled);
  const below = range(fromEnd, original.length).find(isFilled);
  const [start, end] = [alignment[above ?? -1] ?? -1, alignment[below ?? -1] ?? -1];
  if (above === undefined || below === undefined || start === -1 || end === -1) return false;
  const own = range(above + 1, below).filter((index) => !isFilled(index)).length;
  const theirs = range(start + 1, end).filter((line) => isBlank(file[line] ?? "")).length;
  const isEdge = fromEnd === fromStart || !isFilled(fromStart) || !isFilled(fromEnd - 1);
  return isEdge && own > 0 && own < theirs;
}

/**
 * Places new lines among blank lines that the author left out. New lines that begin with a blank line go above them,
 * and new lines that end with one go below. The place of other new lines is unclear.
 */
function placeAmongBlanks(
  { file, replacement }: MergeRequest,
  { toStart, toEnd }: LineChange,
  previous: number,
  next: number,
): Result<Span, "unclear"> {
  const above = { start: previous + 1, end: previous + 1 };
  if (next === previous + 1) return succeed(above);
  const [first, last] = [replacement[toStart] ?? "", replacement[toEnd - 1] ?? ""].map(isBlank);
  if (first !== last) return succeed(first ? above : { start: next, end: next });
  const line = show(file, [previous]);
  return fail(
    "unclear",
    `It is unclear whether the new lines go before or after the blank line below ${line}.`,
  );
}

function show(lines: readonly string[], indexes: readonly number[]): string {
  const text = indexes.map((index) => lines[index] ?? "").find((line) => !isBlank(line)) ?? "";
  return `\`${text.trim().slice(0, 100)}\``;
}

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
}
