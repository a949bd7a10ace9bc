/** An author's indentation turned into that of the place: shifted, or in the file's unit. */
import type { Alignment } from "./find-sequence.ts";
import { indentOf, isBlank } from "./text-lines.ts";

/** An indentation in the file's terms; undefined where the aligned lines do not tell. */
export type Reindent = (indent: string) => string | undefined;

interface Pair {
  readonly author: string;
  readonly file: string;
}

export interface ReindentRequest {
  readonly file: readonly string[];
  readonly original: readonly string[];
  readonly replacement: readonly string[];
  readonly alignment: Alignment;
}

export function createReindent(request: ReindentRequest): Reindent {
  const pairs = readPairs(request);
  const [first, ...rest] = pairs;
  if (first === undefined) return (indent) => indent;
  const shift = shiftOf(pairs);
  if (shift !== undefined) return shift;
  // Authors often lose the indentation of the very first line alone.
  if (rest.length > 1) {
    const later = shiftOf(rest);
    if (later !== undefined) return later;
  }
  return byTable(pairs, request);
}

/** True when the author's lines are the file's, moved sideways as a whole. */
export function isShift({ file, original, alignment }: Omit<ReindentRequest, "replacement">): boolean {
  return shiftOf(readPairs({ file, original, alignment, replacement: [] })) !== undefined;
}

function readPairs({ file, original, alignment }: ReindentRequest): Pair[] {
  return original.flatMap((line, index) => {
    const at = alignment[index] ?? -1;
    if (at === -1 || isBlank(line)) return [];
    return [{ author: indentOf(line), file: indentOf(file[at] ?? "") }];
  });
}

function shiftOf(pairs: readonly Pair[]): Reindent | undefined {
  const [first] = pairs;
  if (first === undefined) return undefined;
  if (first.file.endsWith(first.author)) {
    const added = first.file.slice(0, first.file.length - first.author.length);
    if (pairs.every((pair) => pair.file === added + pair.author)) return (indent) => added + indent;
  }
  if (first.author.endsWith(first.file)) {
    const removed = first.author.slice(0, first.author.length - first.file.length);
    if (pairs.every((pair) => pair.author === removed + pair.file))
      return (indent) => (indent.startsWith(removed) ? indent.slice(removed.length) : undefined);
  }
  return undefined;
}

function byTable(pairs: readonly Pair[], request: ReindentRequest): Reindent {
  const table = new Map<string, string | undefined>();
  for (const { author, file } of pairs) {
    const known = table.get(author);
    // Two places for one indentation tell nothing.
    table.set(author, table.has(author) && known !== file ? undefined : file);
  }
  const theirs = [...request.original, ...request.replacement].filter((line) => !isBlank(line)).map(indentOf);
  const units = {
    author: unitOf(theirs),
    file: unitOf(request.file.filter((l) => !isBlank(l)).map(indentOf)),
  };
  return (indent) => {
    if (table.has(indent)) return table.get(indent);
    const depth = depthOf(indent, units.author);
    const known = [...table].flatMap(([author, file]) =>
      file === undefined ? [] : [{ depth: depthOf(author, units.author), file }],
    );
    const nearest = known.sort((a, b) => Math.abs(a.depth - depth) - Math.abs(b.depth - depth))[0];
    if (nearest === undefined || !Number.isInteger(depth - nearest.depth)) return undefined;
    return moveBy(nearest.file, depth - nearest.depth, units.file);
  };
}

function moveBy(indent: string, levels: number, unit: string): string | undefined {
  if (levels >= 0) return indent + unit.repeat(levels);
  const removed = unit.repeat(-levels);
  return indent.endsWith(removed) ? indent.slice(0, indent.length - removed.length) : undefined;
}

function depthOf(indent: string, unit: string): number {
  const width = unit === "\t" ? 4 : unit.length;
  return widthOf(indent) / width;
}

function widthOf(indent: string): number {
  return indent.replaceAll("\t", "    ").length;
}

/** One level: a tab where most indented lines begin with one, else the commonest step between neighbouring lines. */
export function unitOf(indents: readonly string[]): string {
  const indented = indents.filter((indent) => indent !== "");
  const tabs = indented.filter((indent) => indent.startsWith("\t")).length;
  if (tabs * 2 > indented.length) return "\t";
  const steps = new Map<number, number>();
  for (const [index, indent] of indents.entries()) {
    const step = indent.length - (indents[index - 1] ?? "").length;
    if (step > 1 && step <= 8) steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  const [commonest] = [...steps].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return " ".repeat(commonest?.[0] ?? 4);
}
