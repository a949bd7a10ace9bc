/**
 * Applies the difference between a block's two texts to the file's own lines. So an unchanged line keeps its form in
 * the file, even if the block quotes the line wrongly.
 */
import { fail, type Result, succeed } from "../base/result.ts";
import { diffLines, type LineChange } from "./line-diff.ts";
import { createReindent, type Reindent } from "./reindent.ts";
import { type MergeRequest, spanOf } from "./replaced-span.ts";
import { indentOf, isBlank, type Splice } from "./text-lines.ts";

type Merge = Result<Splice[], "unclear">;

export function mergeReplacement(request: MergeRequest): Merge {
  const { original, replacement, isElision } = request;
  const key = (line: string): string => (isElision(line) ? "\0" : line.trimEnd());
  const changes = diffLines(original, replacement, key);
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

/**
 * Applies the author's changes of trailing spaces to lines that otherwise stay. Skips lines whose trailing spaces in
 * the file differ from the original's.
 */
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
    return fail("unclear", "Write a line of `...` in both texts, with the same lines around it.");
  const span = spanOf(request, change);
  if (!span.ok) return span;
  const lines = placeLines(request, change, reindent);
  if (lines === undefined)
    return fail("unclear", "The indentation of the new lines is unclear: indent the block as in the file.");
  return succeed({ start: span.value.start, count: span.value.end - span.value.start, lines });
}

/** The new lines, adapted to the place. */
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

/** The file's indentation of the replaced line, if the author's old and new line have the same indentation. */
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
