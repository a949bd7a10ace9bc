/** The text of a file that is nearest to an author's, by far or not at all. */
import { type Alignment, alignBlanks } from "./find-sequence.ts";
import { type LinePrint, likeness, printLine } from "./line-likeness.ts";
import { isBlank } from "./text-lines.ts";

export interface SimilarPlace {
  readonly alignment: Alignment;
  /** 0 … 1: how much of the original is there, by weight of its lines. */
  readonly likeness: number;
  /** The same of the best place that does not touch this one. */
  readonly rival: number;
  /** Its lines in the file, from 0, `end` excluded. */
  readonly start: number;
  readonly end: number;
}

/** Compared lines; above it the search would take too long. */
const mostCells = 4_000_000;
/** Lines less alike than this are different lines. */
const leastLikeness = 0.5;
/** What a line of the file costs that the author left out, of its weight. */
const gapCost = 0.35;

/** The nearest text, however far; undefined where nothing is alike. */
export function findSimilar(file: readonly string[], original: readonly string[]): SimilarPlace | undefined {
  const rows = original.flatMap((line, index) => (isBlank(line) ? [] : [index]));
  const columns = file.flatMap((line, index) => (isBlank(line) ? [] : [index]));
  if (rows.length === 0 || columns.length === 0 || rows.length * columns.length > mostCells) return undefined;
  const table = fillTable(
    rows.map((index) => printLine(original[index] ?? "")),
    columns.map((index) => printLine(file[index] ?? "")),
  );
  const best = bestEnd(table, () => true);
  if (best === undefined) return undefined;
  const path = trace(table, best);
  const taken = path.filter((column) => column !== -1);
  const [first, last] = [Math.min(...taken), Math.max(...taken)];
  const rival = bestEnd(table, (start, end) => end <= first || start > last);
  const alignment: number[] = original.map(() => -1);
  for (const [index, row] of rows.entries()) alignment[row] = columns[path[index] ?? -1] ?? -1;
  return {
    alignment: alignBlanks(file, original, alignment),
    likeness: scoreAt(table, best) / table.total,
    rival: rival === undefined ? 0 : scoreAt(table, rival) / table.total,
    start: columns[first] ?? 0,
    end: (columns[last] ?? 0) + 1,
  };
}

/** `scores[row * width + column]`: the best way to have the first `row` lines among those before `column`. */
interface Table {
  readonly height: number;
  readonly width: number;
  readonly scores: Float64Array;
  /** 1: these two lines are one another; 2: the author's is in no file; 3: the file's was left out. */
  readonly moves: Uint8Array;
  /** Where the way to each cell begins. */
  readonly starts: Int32Array;
  /** The weight of all lines. */
  readonly total: number;
}

function fillTable(rows: readonly LinePrint[], columns: readonly LinePrint[]): Table {
  const [height, width] = [rows.length + 1, columns.length + 1];
  const scores = new Float64Array(height * width);
  const moves = new Uint8Array(height * width);
  const starts = new Int32Array(height * width);
  for (let column = 0; column < width; column++) starts[column] = column;
  for (const [index, row] of rows.entries()) {
    const base = (index + 1) * width;
    starts[base] = 0;
    moves[base] = 2;
    for (let column = 1; column < width; column++) {
      const cell = base + column;
      const file = columns[column - 1] as LinePrint;
      const alike = likeness(row, file);
      const matched = alike < leastLikeness ? -1 : (scores[cell - width - 1] ?? 0) + alike * row.weight;
      const invented = scores[cell - width] ?? 0;
      const left = (scores[cell - 1] ?? 0) - gapCost * file.weight;
      const best = Math.max(matched, invented, left);
      scores[cell] = best;
      moves[cell] = best === matched ? 1 : best === invented ? 2 : 3;
      starts[cell] =
        starts[moves[cell] === 1 ? cell - width - 1 : moves[cell] === 2 ? cell - width : cell - 1] ?? 0;
    }
  }
  return { height, width, scores, moves, starts, total: rows.reduce((sum, { weight }) => sum + weight, 0) };
}

function scoreAt({ scores, height, width }: Table, column: number): number {
  return scores[(height - 1) * width + column] ?? 0;
}

/** The last column of the best way among those that begin and end where they may. */
function bestEnd(table: Table, isAllowed: (start: number, end: number) => boolean): number | undefined {
  const { height, width, starts } = table;
  let best: number | undefined;
  for (let column = 1; column < width; column++) {
    const score = scoreAt(table, column);
    if (score <= 0 || score <= (best === undefined ? 0 : scoreAt(table, best))) continue;
    if (isAllowed(starts[(height - 1) * width + column] ?? 0, column)) best = column;
  }
  return best;
}

/** For each row its column, or -1. */
function trace({ height, width, moves }: Table, end: number): number[] {
  const path: number[] = Array.from({ length: height - 1 }, () => -1);
  let row = height - 1;
  let column = end;
  while (row > 0) {
    const move = moves[row * width + column];
    if (move === 1) path[row - 1] = column - 1;
    if (move === 1 || move === 3) column--;
    if (move === 1 || move === 2) row--;
  }
  return path;
}
