/** Passages of documents that answer a question: sections of documents by their words, their headings counting more. */
import { bestSeeds } from "./bridges.ts";
import { type FieldWeights, scoreTerms } from "./fields-score.ts";
import type { Searcher } from "./find.ts";
import { readQuery } from "./read-query.ts";

export interface Passage {
  readonly piece: number;
  readonly score: number;
}

const fields: FieldWeights = { code: 1, comment: 1, string: 1, name: 5, path: 3, test: 1, k1: 1.2, b: 0.4 };

/** Best first. Where the documents have no sections, whole documents. */
export function findPassages({ index }: Searcher, question: string, limit: number): Passage[] {
  const { terms } = readQuery(question);
  const { pieces, files } = scoreTerms(index, terms, fields);
  for (const [piece, score] of pieces.entries()) {
    if (score > 0) pieces[piece] = score + 0.2 * (files[index.fileOfPiece[piece] ?? 0] ?? 0);
  }
  const isDocument = (_: number, file: number): boolean => index.files[file]?.kind === "document";
  return bestSeeds(index, pieces, limit, isDocument).map(({ piece, weight }) => ({ piece, score: weight }));
}
