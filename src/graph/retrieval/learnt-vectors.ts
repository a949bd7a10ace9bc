/**
 * Vectors learnt from the repository itself, by random indexing: each piece has a sparse random vector, a term is the sum of the
 * vectors of the pieces that it stands in, so terms that keep the same company are alike. Offline, in one pass, no model.
 */
import type { SearchIndex } from "./search-index.ts";

const dimensions = 128;
const nonZeros = 6;

export interface LearntVectors {
  /** Files × `dimensions`, each of length 1 or 0. */
  readonly files: Float32Array;
  vectorOf(terms: ReadonlyMap<number, number>): Float32Array;
}

/** Cosine of the query with each file. */
export function scoreVectors(
  index: SearchIndex,
  vectors: LearntVectors,
  terms: ReadonlyMap<number, number>,
): Float64Array {
  const query = vectors.vectorOf(terms);
  const scores = new Float64Array(index.files.length);
  for (let file = 0; file < scores.length; file++) {
    let sum = 0;
    for (let at = 0; at < dimensions; at++)
      sum += (query[at] ?? 0) * (vectors.files[file * dimensions + at] ?? 0);
    scores[file] = Math.max(0, sum);
  }
  return scores;
}

export function learnVectors(index: SearchIndex): LearntVectors {
  const pieceCount = index.pieceLength.length;
  const context = (term: number): Float32Array => {
    const vector = new Float32Array(dimensions);
    const rows = index.rowsOf(term);
    if (rows === undefined) return vector;
    for (let row = rows.from; row < rows.to; row++) addRandom(vector, index.rowPiece[row] ?? 0);
    return unit(vector);
  };
  const files = new Float32Array(index.files.length * dimensions);
  const weigh = (term: number): number => {
    const rows = index.rowsOf(term);
    const count = rows === undefined ? 0 : rows.to - rows.from;
    return count < 2 || count > pieceCount / 10 ? 0 : Math.log(pieceCount / count);
  };
  for (const term of index.terms()) {
    const weight = weigh(term);
    if (weight === 0) continue;
    addTerm(index, term, context(term), weight, files);
  }
  for (let file = 0; file < index.files.length; file++)
    unit(files.subarray(file * dimensions, (file + 1) * dimensions));
  return {
    files,
    vectorOf: (terms) => {
      const vector = new Float32Array(dimensions);
      for (const [term, times] of terms) {
        const weight = weigh(term) * times;
        if (weight === 0) continue;
        for (const [at, value] of context(term).entries()) vector[at] = (vector[at] ?? 0) + weight * value;
      }
      return unit(vector);
    },
  };
}

function addTerm(
  index: SearchIndex,
  term: number,
  vector: Float32Array,
  weight: number,
  files: Float32Array,
): void {
  const rows = index.rowsOf(term) ?? { from: 0, to: 0 };
  let last = -1;
  for (let row = rows.from; row < rows.to; row++) {
    const file = index.fileOfPiece[index.rowPiece[row] ?? 0] ?? 0;
    if (file === last) continue;
    last = file;
    const start = file * dimensions;
    for (let at = 0; at < dimensions; at++)
      files[start + at] = (files[start + at] ?? 0) + weight * (vector[at] ?? 0);
  }
}

/** The same few dimensions for the same piece, without storing them. */
function addRandom(vector: Float32Array, piece: number): void {
  let state = (piece + 1) * 0x9e3779b1;
  for (let count = 0; count < nonZeros; count++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const at = (state >>> 1) % dimensions;
    vector[at] = (vector[at] ?? 0) + ((state & 1) === 0 ? 1 : -1);
  }
}

function unit(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0) return vector;
  const length = Math.sqrt(sum);
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) / length;
  return vector;
}
