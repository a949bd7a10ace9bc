/**
 * What a block says is the difference between its two texts; this difference is made to the file's own lines. So a line that
 * the author kept stays as the file has it, however badly it was remembered.
 */
import { fail, type Result, succeed } from "../base/result.ts";
import type { Alignment } from "./find-sequence.ts";
import { diffLists, type LineChange } from "./line-diff.ts";
import { createReindent, type Reindent } from "./reindent.ts";
import { indentOf, isBlank, type Splice } from "./text-lines.ts";

export interface MergeRequest {
  readonly file: readonly string[];
  readonly original: readonly string[];
  readonly replacement: readonly string[];
  readonly alignment: Alignment;
  /** Lines of either text that stand for any number of the file's: `...`. */
  readonly isElision: (line: string) => boolean;
}

type Merge = Result<Splice[], "unclear">;

export function mergeReplacement(request: MergeRequest): Merge {
  const { original, replacement, isElision } = request;
  const key = (line: string): string => (isElision(line) ? "\0" : line.trimEnd());
  const changes = diffLists(original.map(key), replacement.map(key));
  const reindent = createReindent(request);
  const splices: Splice[] = [];
  for (const change of changes) {
    const splice = mergeChange(request, change, reindent);
    if (!splice.ok) return splice;
    splices.push(splice.value);
  }
  splices.push(...trimChanges(request, changes));
  splices.sort((a, b) => a.start - b.start || a.count - b.count);
  return succeed(splices.filter((splice) => !isSame(request.file, splice)));
}

/** Lines that differ in the spaces at their ends alone, which the author saw as the file has them. */
function trimChanges(
  { file, original, replacement, alignment }: MergeRequest,
  changes: readonly LineChange[],
): Splice[] {
  const splices: Splice[] = [];
  let shift = 0;
  let next = 0;
  for (let index = 0; index < original.length; index++) {
    const change = changes[next];
    if (change !== undefined && index >= change.fromStart) {
      shift = change.toEnd - change.fromEnd;
      index = change.fromEnd - 1;
      next++;
      continue;
    }
    const [before = "", after = ""] = [original[index], replacement[index + shift]];
    const at = alignment[index] ?? -1;
    const line = file[at];
    if (before === after || line === undefined || trailOf(line) !== trailOf(before)) continue;
    splices.push({ start: at, count: 1, lines: [line.trimEnd() + trailOf(after)] });
  }
  return splices;
}

function trailOf(line: string): string {
  return line.slice(line.trimEnd().length);
}

function mergeChange(
  request: MergeRequest,
  change: LineChange,
  reindent: Reindent,
): Result<Splice, "unclear"> {
  const { original, replacement, isElision } = request;
  const removed = original.slice(change.fromStart, change.fromEnd);
  const added = replacement.slice(change.toStart, change.toEnd);
  if ([...removed, ...added].some(isElision))
    return fail("unclear", "A line of `...` has to stand in both texts, with the same lines around it.");
  const span = spanOf(request, change);
  if (!span.ok) return span;
  const lines = placeLines(request, change, reindent);
  if (lines === undefined) return fail("unclear", "How the new lines are to be indented cannot be told.");
  return succeed({ start: span.value.start, count: span.value.end - span.value.start, lines });
}

interface Span {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** The file's lines that go. */
function spanOf(request: MergeRequest, change: LineChange): Result<Span, "unclear"> {
  const { file, original, alignment } = request;
  const indexes = range(change.fromStart, change.fromEnd);
  const gone = indexes.map((index) => alignment[index] ?? -1).filter((line) => line !== -1);
  if (gone.length === 0) {
    if (indexes.some((index) => !isBlank(original[index] ?? "")))
      return fail("unclear", `The file has no line like ${show(original, indexes)}.`);
    return gapOf(request, change);
  }
  const start = Math.min(...gone);
  const end = Math.max(...gone) + 1;
  const forgotten = range(start, end).filter((line) => !gone.includes(line) && !isBlank(file[line] ?? ""));
  if (forgotten.length > 0) return fail("unclear", `The original leaves out ${show(file, forgotten)}.`);
  return succeed({ start, end });
}

/** Where lines go in when none goes out. */
function gapOf(request: MergeRequest, change: LineChange): Result<Span, "unclear"> {
  const { file, original, alignment, isElision } = request;
  const above = range(0, change.fromStart).reverse();
  const below = range(change.fromEnd, original.length);
  const isKnown = (index: number): boolean => alignment[index] !== -1 || isElision(original[index] ?? "");
  const lineAt = (index: number | undefined): number =>
    index === undefined || alignment[index] === undefined ? -1 : alignment[index];
  const previous = lineAt(above.find(isKnown));
  const next = lineAt(below.find(isKnown));
  if (previous === -1 && next === -1)
    return fail("unclear", "Between which lines the new ones go cannot be told.");
  if (previous === -1) return succeed({ start: next, end: next });
  if (next === -1) return succeed({ start: previous + 1, end: previous + 1 });
  const forgotten = range(previous + 1, next).filter((line) => !isBlank(file[line] ?? ""));
  if (forgotten.length > 0) return fail("unclear", `The original leaves out ${show(file, forgotten)}.`);
  const line = beforeBlanks(request, change) ? previous + 1 : next;
  return succeed({ start: line, end: line });
}

/** Of blank lines that the author left out: new lines that begin with a blank one stand above them, others below. */
function beforeBlanks({ replacement }: MergeRequest, { toStart, toEnd }: LineChange): boolean {
  return isBlank(replacement[toStart] ?? "") && !isBlank(replacement[toEnd - 1] ?? "");
}

/** The new lines as the place wants them. */
function placeLines(request: MergeRequest, change: LineChange, reindent: Reindent): string[] | undefined {
  const added = request.replacement.slice(change.toStart, change.toEnd);
  const lines: string[] = [];
  for (const [index, line] of added.entries()) {
    const indent = isBlank(line)
      ? indentOf(line)
      : (indentLike(request, change, index) ?? reindent(indentOf(line)));
    if (indent === undefined) return undefined;
    lines.push(indent + line.slice(indentOf(line).length));
  }
  return lines;
}

/** A line that takes the place of one with the same indentation in the author's text takes that one's in the file. */
function indentLike(
  { file, original, replacement, alignment }: MergeRequest,
  change: LineChange,
  index: number,
) {
  const isPaired = change.fromEnd - change.fromStart === change.toEnd - change.toStart;
  const old = change.fromStart + index;
  const at = alignment[old] ?? -1;
  if (!isPaired || at === -1) return undefined;
  const [before = "", after = ""] = [original[old], replacement[change.toStart + index]];
  return !isBlank(before) && indentOf(before) === indentOf(after) ? indentOf(file[at] ?? "") : undefined;
}

function isSame(file: readonly string[], { start, count, lines }: Splice): boolean {
  return count === lines.length && lines.every((line, index) => line === file[start + index]);
}

function show(lines: readonly string[], indexes: readonly number[]): string {
  const text = indexes.map((index) => lines[index] ?? "").find((line) => !isBlank(line)) ?? "";
  return `\`${text.trim().slice(0, 100)}\``;
}

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
}
