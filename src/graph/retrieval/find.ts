/** Ranks files and pieces of an indexed repository by their relevance to a text, without a model. */
import { putDeclarationsLast } from "./declarations.ts";
import { type Evidence, gatherEvidence, priorsOf, type Searched, weightsOf } from "./file-features.ts";
import { linkByNames } from "./name-links.ts";
import { type RankedFile, type RankedPiece, rankFiles, rankPieces } from "./rank.ts";
import { type Query, readQuery } from "./read-query.ts";
import { buildSearchIndex, type FormOfPath } from "./search-index.ts";

export type Searcher = Searched;

export interface Found {
  readonly query: Query;
  readonly evidence: Evidence;
  readonly files: readonly RankedFile[];
  readonly pieces: readonly RankedPiece[];
  /** The model's choices, if a model judged the places. */
  readonly chosen?: { readonly files: ReadonlySet<number>; readonly pieces: ReadonlySet<number> };
}

export function createSearcher(forms: readonly FormOfPath[]): Searcher {
  const index = buildSearchIndex(forms);
  const links = linkByNames(index);
  return { index, links, priors: priorsOf(index, links), weights: weightsOf(index) };
}

export function findPlaces(searcher: Searcher, statement: string | Query): Found {
  const query = typeof statement === "string" ? readQuery(statement) : statement;
  const evidence = gatherEvidence(searcher, query);
  const files = rankFiles(searcher.index, evidence);
  const pieces = rankPieces(searcher.index, evidence, files);
  return { query, evidence, ...putDeclarationsLast(searcher.index, query, files, pieces) };
}
