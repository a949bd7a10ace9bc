/**
 * Ranks by plain BM25 (k1 1.2, b 0.75) over whole files or pieces, as a baseline for measurements of retrieval. Splits
 * identifiers by case and underscore, and stems the parts. Every word of the query has the same weight.
 */

import { identifierTerms } from "../forms/words.ts";
import { type FieldWeights, scoreTerms, type TermScores } from "./fields-score.ts";
import type { SearchIndex } from "./search-index.ts";

const plain: FieldWeights = {
  code: 1,
  comment: 1,
  string: 1,
  name: 0,
  path: 0,
  test: 1,
  k1: 1.2,
  b: 0.75,
};

export function plainScores(index: SearchIndex, text: string): TermScores {
  const terms = new Map<number, number>();
  for (const [token] of text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
    for (const word of identifierTerms(token).words) terms.set(word, (terms.get(word) ?? 0) + 1);
  }
  return scoreTerms(index, terms, plain);
}
