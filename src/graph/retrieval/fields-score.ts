/** BM25 over fields (BM25F): the counts of a term are weighed by where it stands, then saturated once. */
import { isCandidate, type SearchIndex } from "./search-index.ts";

export interface FieldWeights {
  readonly code: number;
  readonly comment: number;
  readonly string: number;
  readonly name: number;
  /** A term of the file's path. */
  readonly path: number;
  /** What stands in a piece that is a test counts so much less in its file. */
  readonly test: number;
  readonly k1: number;
  readonly b: number;
}

export interface TermScores {
  readonly files: Float64Array;
  readonly pieces: Float64Array;
}

/** One pass over the rows of each term scores files and pieces together. Files of all kinds are scored. */
export function scoreTerms(
  index: SearchIndex,
  terms: ReadonlyMap<number, number>,
  fields: FieldWeights,
): TermScores {
  const files = new Float64Array(index.files.length);
  const pieces = new Float64Array(index.pieceLength.length);
  for (const [term, weight] of terms) scoreTerm(index, term, weight, fields, files, pieces);
  return { files, pieces };
}

function scoreTerm(
  index: SearchIndex,
  term: number,
  weight: number,
  fields: FieldWeights,
  files: Float64Array,
  pieces: Float64Array,
): void {
  const rows = index.rowsOf(term) ?? { from: 0, to: 0 };
  const gathered = gatherFiles(index, term, rows, fields);
  const found = gathered.sources;
  if (gathered.counts.size === 0) return;
  const idf = Math.log(1 + (index.sourceFiles - found + 0.5) / (found + 0.5));
  const gain = weight * idf * (fields.k1 + 1);
  for (const [file, count] of gathered.counts) {
    const length = index.files[file]?.length ?? 0;
    const norm = fields.k1 * (1 - fields.b + (fields.b * length) / index.averageFileLength);
    files[file] = (files[file] ?? 0) + (gain * count) / (norm + count);
  }
  for (let row = rows.from; row < rows.to; row++) {
    const piece = index.rowPiece[row] ?? 0;
    const count = countOf(index.rowCounts[row] ?? 0, fields);
    const length = index.pieceLength[piece] ?? 0;
    const norm = fields.k1 * (1 - fields.b + (fields.b * length) / index.averagePieceLength);
    pieces[piece] = (pieces[piece] ?? 0) + (gain * count) / (norm + count);
  }
}

function gatherFiles(
  index: SearchIndex,
  term: number,
  rows: { readonly from: number; readonly to: number },
  fields: FieldWeights,
): { readonly counts: Map<number, number>; readonly sources: number } {
  const counts = new Map<number, number>();
  let sources = 0;
  let last = -1;
  let sum = 0;
  const close = (): void => {
    if (last === -1 || sum === 0) return;
    counts.set(last, sum);
    if (isCandidate(index.files[last]?.kind ?? "test")) sources++;
  };
  for (let row = rows.from; row < rows.to; row++) {
    const piece = index.rowPiece[row] ?? 0;
    const file = index.fileOfPiece[piece] ?? 0;
    if (file !== last) {
      close();
      last = file;
      sum = 0;
    }
    const isTest = index.piece(piece).isTest && index.files[file]?.kind !== "test";
    sum += countOf(index.rowCounts[row] ?? 0, fields) * (isTest ? fields.test : 1);
  }
  close();
  if (fields.path > 0) {
    for (const file of index.filesByPathTerm(term)) {
      if (!counts.has(file) && isCandidate(index.files[file]?.kind ?? "test")) sources++;
      counts.set(file, (counts.get(file) ?? 0) + fields.path);
    }
  }
  return { counts, sources };
}

function countOf(counts: number, fields: FieldWeights): number {
  return (
    (counts & 255) * fields.code +
    ((counts >>> 8) & 255) * fields.comment +
    ((counts >>> 16) & 255) * fields.string +
    (counts >>> 24) * fields.name
  );
}
