/** Converts an author's indentation to the indentation at the edit's place: shifts it, or uses the file's unit. */
import type { Alignment } from "./find-sequence.ts";
import { indentOf, isBlank } from "./text-lines.ts";

/**
 * Converts the author's indentation of a line to the file's; undefined if the aligned lines do not determine the
 * result.
 */
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
  const units = readUnits(request);
  // If nearly all lines are as in the file, a different line was matched wrongly.
  const same = pairs.filter(({ author, file }) => author === file);
  if (same.length > pairs.length * 0.7 && same.some(({ author }) => author !== "")) return (indent) => indent;
  // Authors often lose the indentation of only the first line.
  const isFirstLost =
    first.author === "" && first.file !== "" && rest.length > 1 && shiftOf(pairs) === undefined;
  const told = isFirstLost && shiftOf(rest) !== undefined ? rest : pairs;
  return chooseShift(told, units) ?? byTable(told, units);
}

interface Units {
  readonly author: string;
  readonly file: string;
  /** The new lines' indentations. */
  readonly fresh: readonly string[];
  /** True if the file has indented lines. */
  readonly isIndented: boolean;
  /** True if all indented lines of the file begin with the same character. */
  readonly isUniform: boolean;
}

function readUnits({ file, original, replacement }: ReindentRequest): Units {
  const own = filledIndents(file);
  const indented = own.filter((indent) => indent !== "");
  const fresh = filledIndents(replacement);
  return {
    author: unitOf([...filledIndents(original), ...fresh]),
    file: unitOf(own),
    fresh,
    isIndented: indented.length > 0,
    isUniform: indented.length > 2 && new Set(indented.map((indent) => indent[0])).size === 1,
  };
}

function filledIndents(lines: readonly string[]): string[] {
  return lines.filter((line) => !isBlank(line)).map(indentOf);
}

/**
 * Returns the shift that the aligned lines show. If all these lines have one depth, the author may instead use another
 * unit: `  x` for `    x` can mean either. In this case, converts the unit if this puts all new lines at whole steps
 * and a shift does not.
 */
function chooseShift(pairs: readonly Pair[], units: Units): Reindent | undefined {
  const shift = shiftOf(pairs);
  if (shift === undefined) return undefined;
  if (!units.isIndented) return shift;
  const depths = new Set(pairs.map(({ author }) => author));
  const isFlat = pairs.every(({ author, file }) => author === "" && file === "");
  const isOtherKind = units.author[0] !== units.file[0] && units.isUniform;
  if (isFlat) return isOtherKind ? byTable(pairs, units) : shift;
  if (depths.size > 1 || pairs.every(({ author, file }) => author === file)) return shift;
  const scaled = byTable(pairs, units);
  const isWhole = (turn: Reindent): boolean =>
    units.fresh.every((indent) => {
      const turned = turn(indent);
      return turned !== undefined && widthOf(turned) % widthOf(units.file) === 0;
    });
  return !isWhole(shift) && isWhole(scaled) ? scaled : shift;
}

/** True if the author's lines are the file's lines, all shifted by the same indentation. */
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

function byTable(pairs: readonly Pair[], units: Units): Reindent {
  const table = new Map<string, string | undefined>();
  for (const { author, file } of pairs) {
    const known = table.get(author);
    // Two different results for one indentation determine nothing.
    table.set(author, table.has(author) && known !== file ? undefined : file);
  }
  const known = [...table].flatMap(([author, file]) => (file === undefined ? [] : [{ author, file }]));
  const scale =
    scaleOf(known) ??
    scaleOf([...known, { author: "", file: "" }]) ??
    stepOf(units.file) / stepOf(units.author);
  return (indent) => {
    if (table.has(indent)) return table.get(indent);
    const distance = ({ author }: Pair): number => Math.abs(widthOf(author) - widthOf(indent));
    const nearest = [...known].sort((a, b) => distance(a) - distance(b))[0];
    if (nearest === undefined || ![0.125, 0.25, 0.5, 1, 2, 4, 8].includes(scale)) return undefined;
    const extra = alignmentOf(indent);
    const from = alignmentOf(nearest.author);
    const steps = widthOf(indent) - extra - (widthOf(nearest.author) - from);
    const width = widthOf(nearest.file) - from + steps * scale + extra;
    return width < 0 || !Number.isInteger(width) ? undefined : indentWith(width, units.file);
  };
}

/** The number of spaces after tabs, which are alignment, not indentation. */
function alignmentOf(indent: string): number {
  return indent.startsWith("\t") ? indent.length - indent.lastIndexOf("\t") - 1 : 0;
}

/** Number of columns in one step of a unit. */
function stepOf(unit: string): number {
  return unit === "\t" ? tabWidth : unit.length;
}

/** The ratio of the file's steps to the author's, if all pairs agree. */
function scaleOf(pairs: readonly Pair[]): number | undefined {
  const scales = new Set<number>();
  const steps = pairs.filter(({ author }) => alignmentOf(author) === 0);
  for (const a of steps) {
    for (const b of steps) {
      const step = widthOf(a.author) - widthOf(b.author);
      if (step > 0) scales.add((widthOf(a.file) - widthOf(b.file)) / step);
    }
  }
  const [only] = scales;
  return scales.size === 1 && only !== undefined && only > 0 ? only : undefined;
}

function indentWith(width: number, unit: string): string {
  if (unit !== "\t") return " ".repeat(width);
  return "\t".repeat(Math.floor(width / tabWidth)) + " ".repeat(width % tabWidth);
}

const tabWidth = 4;

function widthOf(indent: string): number {
  return indent.replaceAll("\t", " ".repeat(tabWidth)).length;
}

/**
 * Returns the indentation of one level: a tab if most indented lines begin with one. Else the most frequent step of two
 * to eight spaces from one line to the next, else four spaces.
 */
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
