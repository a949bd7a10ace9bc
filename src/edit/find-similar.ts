/**
 * Finds the place in a file whose text is most similar to an author's text. Also measures the similarity of the next
 * best place.
 */
import { type Alignment, alignBlanks } from "./find-sequence.ts";
import { type LinePrint, likeness, printLine } from "./line-likeness.ts";
import { isBlank } from "./text-lines.ts";

export interface SimilarPlace {
  readonly alignment: Alignment;
  /** From 0 to 1: the share of the original that matches, by weight of its lines. */
  readonly likeness: number;
  /** The likeness of the best nearly as similar place that does not overlap this one; 0 if there is none. */
  readonly rival: number;
  /**
   * True if no other place is nearly as similar. Also true if there are few such places, and this place beats each of
   * them (`isBeaten`).
   */
  readonly isClear: boolean;
  /** The place's lines in the file, from 0; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Limit on compared pairs of lines, because more would take too long. */
const mostCells = 4_000_000;
/** Minimum likeness of two lines. Less similar lines count as different. */
const leastLikeness = 0.5;
/** The cost of a line of the file that the author omitted, as a share of its weight. */
const gapCost = 0.2;
/** Deducted for a merely similar line, so that skipping a line costs less than matching its neighbour. */
const slipCost = 0.15;

/**
 * Finds the most similar place in the file, even if the similarity is low. Undefined if no line is similar, or if the
 * texts are too long to compare.
 */
export function findSimilar(file: readonly string[], original: readonly string[]): SimilarPlace | undefined {
  const rows = original.flatMap((line, index) => (isBlank(line) ? [] : [index]));
  const columns = file.flatMap((line, index) => (isBlank(line) ? [] : [index]));
  if (rows.length === 0 || columns.length === 0 || rows.length * columns.length > mostCells) return undefined;
  const table = fillTable(
    rows.map((index) => printLine(original[index] ?? "")),
    columns.map((index) => printLine(file[index] ?? "")),
  );
  const best = wayTo(table, []);
  if (best === undefined) return undefined;
  const rivals = rivalsOf(table, best);
  const alignment: number[] = original.map(() => -1);
  for (const [index, row] of rows.entries()) alignment[row] = columns[best.path[index] ?? -1] ?? -1;
  return {
    alignment: alignBlanks(file, original, alignment),
    likeness: best.likeness,
    rival: rivals[0]?.likeness ?? 0,
    isClear: rivals.length < mostRivals && rivals.every((rival) => isBeaten(best, rival)),
    start: columns[best.first] ?? 0,
    end: (columns[best.last] ?? 0) + 1,
  };
}

/** The lines of the file on a path, with their similarity to the author's lines. */
interface Way {
  /** The column of each row, or -1. */
  readonly path: readonly number[];
  readonly alike: readonly number[];
  readonly likeness: number;
  readonly first: number;
  readonly last: number;
}

/** A place whose likeness is lower by more than this is not a rival. */
const margin = 0.12;
const mostRivals = 8;

/** Other places that are nearly as similar, the best first. */
function rivalsOf(table: Table, best: Way): Way[] {
  const rivals: Way[] = [];
  while (rivals.length < mostRivals) {
    const rival = wayTo(table, [best, ...rivals]);
    if (rival === undefined || rival.likeness < best.likeness - margin) break;
    rivals.push(rival);
  }
  return rivals;
}

/** True if no line matches the rival better, and some line matches `best` exactly but not the rival. */
function isBeaten(best: Way, rival: Way): boolean {
  const gains = best.alike.map((alike, row) => alike - (rival.alike[row] ?? 0));
  return gains.every((gain) => gain >= 0) && gains.some((gain, row) => gain > 0.02 && best.alike[row] === 1);
}

/** The best path outside the lines of the paths in `taken`. */
function wayTo(table: Table, taken: readonly Way[]): Way | undefined {
  const end = bestEnd(table, (start, stop) =>
    taken.every(({ first, last }) => stop <= first || start > last),
  );
  if (end === undefined) return undefined;
  const path = trace(table, end);
  const columns = path.filter((column) => column !== -1);
  const alike = path.map((column, row) => {
    const [author, file] = [table.rows[row], table.columns[column]];
    return author === undefined || file === undefined ? 0 : likeness(author, file);
  });
  return {
    path,
    alike,
    likeness: likenessOf(table, alike),
    first: Math.min(...columns),
    last: Math.max(...columns),
  };
}

function likenessOf({ rows, total }: Table, alike: readonly number[]): number {
  return rows.reduce((sum, { weight }, row) => sum + weight * (alike[row] ?? 0), 0) / total;
}

/**
 * `scores[row * width + column]`: the score of the best path that aligns the first `row` lines with lines before
 * `column`.
 */
interface Table {
  readonly rows: readonly LinePrint[];
  readonly columns: readonly LinePrint[];
  readonly height: number;
  readonly width: number;
  readonly scores: Float64Array;
  /** 1: the two lines match; 2: the author's line is skipped; 3: the file's line is skipped. */
  readonly moves: Uint8Array;
  /** The start of the path to each cell. */
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
      const file = columns[column - 1];
      if (file === undefined) continue;
      const alike = likeness(row, file);
      const matched = alike < leastLikeness ? -1 : (scores[cell - width - 1] ?? 0) + rate(alike) * row.weight;
      const invented = scores[cell - width] ?? 0;
      const left = (scores[cell - 1] ?? 0) - gapCost * file.weight;
      const best = Math.max(matched, invented, left);
      scores[cell] = best;
      moves[cell] = best === matched ? 1 : best === invented ? 2 : 3;
      starts[cell] =
        starts[moves[cell] === 1 ? cell - width - 1 : moves[cell] === 2 ? cell - width : cell - 1] ?? 0;
    }
  }
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  return { rows, columns, height, width, scores, moves, starts, total };
}

function rate(alike: number): number {
  return alike === 1 ? 1 : alike - slipCost;
}

function scoreAt({ scores, height, width }: Table, column: number): number {
  return scores[(height - 1) * width + column] ?? 0;
}

/** The last column of the best path with an allowed start and end. */
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

/** The column of each row, or -1. */
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
