/**
 * Scores files and pieces with BM25 over fields (BM25F). Weights a term's counts by field, adds them, and only then
 * saturates the sum.
 */
import type { SearchIndex } from "./search-index.ts";

export interface FieldWeights {
  readonly code: number;
  readonly comment: number;
  readonly string: number;
  readonly name: number;
  /** The weight of a term in the file's path. */
  readonly path: number;
  /** The factor that lowers the weight of tests in their file's score. */
  readonly test: number;
  readonly k1: number;
  readonly b: number;
}

export interface TermScores {
  readonly files: Float64Array;
  readonly pieces: Float64Array;
}

/**
 * Scores all files and pieces for the terms. Computes both scores in one pass over the rows of each term. Includes
 * files of all kinds.
 */
export function scoreTerms(
  index: SearchIndex,
  terms: ReadonlyMap<number, number>,
  fields: FieldWeights,
): TermScores {
  const files = new Float64Array(index.files.length);
  const pieces = new Float64Array(index.pieceLength.length);
  const gathered = { counts: new Float64Array(index.files.length), files: [] };
  for (const [term, weight] of terms) scoreTerm(index, { term, weight, fields, files, pieces }, gathered);
  return { files, pieces };
}

interface TermWork extends TermScores {
  readonly term: number;
  readonly weight: number;
  readonly fields: FieldWeights;
}

/** Weighted counts of one term; `counts` is 0 except for `files`. Reused for each term. */
interface Gathered {
  readonly counts: Float64Array;
  readonly files: number[];
}

const noRows = { from: 0, to: 0 };

function scoreTerm(index: SearchIndex, work: TermWork, gathered: Gathered): void {
  const { term, weight, fields, files, pieces } = work;
  const { k1, b } = fields;
  const rows = index.rowsOf(term) ?? noRows;
  const found = gatherFiles(index, term, rows, fields, gathered);
  const idf = Math.log(1 + (index.sourceFiles - found + 0.5) / (found + 0.5));
  const gain = weight * idf * (k1 + 1);
  for (const file of gathered.files) {
    const count = gathered.counts[file] ?? 0;
    gathered.counts[file] = 0;
    const norm = k1 * (1 - b + (b * (index.files[file]?.length ?? 0)) / index.averageFileLength);
    files[file] = (files[file] ?? 0) + (gain * count) / (norm + count);
  }
  gathered.files.length = 0;
  const { rowPiece, rowCounts, pieceLength } = index;
  const [flat, steep] = [k1 * (1 - b), (k1 * b) / index.averagePieceLength];
  for (let row = rows.from; row < rows.to; row++) {
    const piece = rowPiece[row] ?? 0;
    const count = countOf(rowCounts[row] ?? 0, fields);
    const norm = flat + steep * (pieceLength[piece] ?? 0);
    pieces[piece] = (pieces[piece] ?? 0) + (gain * count) / (norm + count);
  }
}

/**
 * Adds the term's weighted counts by file to `gathered`. Returns the number of candidate files that contain the term.
 */
function gatherFiles(
  index: SearchIndex,
  term: number,
  rows: { readonly from: number; readonly to: number },
  fields: FieldWeights,
  gathered: Gathered,
): number {
  const { rowPiece, rowCounts, fileOfPiece, isInlineTest } = index;
  const { counts, files } = gathered;
  for (let row = rows.from; row < rows.to; row++) {
    const piece = rowPiece[row] ?? 0;
    const file = fileOfPiece[piece] ?? 0;
    const count = countOf(rowCounts[row] ?? 0, fields) * (isInlineTest[piece] === 1 ? fields.test : 1);
    if (count === 0) continue;
    if (counts[file] === 0) files.push(file);
    counts[file] = (counts[file] ?? 0) + count;
  }
  if (fields.path > 0) {
    for (const file of index.filesByPathTerm(term)) {
      if (counts[file] === 0) files.push(file);
      counts[file] = (counts[file] ?? 0) + fields.path;
    }
  }
  let found = 0;
  for (const file of files) if (index.isCandidateFile[file] === 1) found++;
  return found;
}

function countOf(counts: number, fields: FieldWeights): number {
  return (
    (counts & 255) * fields.code +
    ((counts >>> 8) & 255) * fields.comment +
    ((counts >>> 16) & 255) * fields.string +
    (counts >>> 24) * fields.name
  );
}
