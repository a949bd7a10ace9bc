/** Retrieval without a model: a text, and the index of a repository, to files and pieces in the order of their likelihood. */
import { type Evidence, gatherEvidence } from "./file-features.ts";
import { type Links, linkByNames } from "./name-links.ts";
import { type RankedFile, type RankedPiece, rankFiles, rankPieces } from "./rank.ts";
import { type Query, readQuery } from "./read-query.ts";
import { buildSearchIndex, type FormOfPath, type SearchIndex } from "./search-index.ts";

export interface Searcher {
  readonly index: SearchIndex;
  readonly links: Links;
}

export interface Found {
  readonly query: Query;
  readonly evidence: Evidence;
  readonly files: readonly RankedFile[];
  readonly pieces: readonly RankedPiece[];
}

export function createSearcher(forms: readonly FormOfPath[]): Searcher {
  const index = buildSearchIndex(forms);
  return { index, links: linkByNames(index) };
}

export function findPlaces({ index, links }: Searcher, text: string): Found {
  const query = readQuery(text);
  const evidence = gatherEvidence(index, links, query);
  const files = rankFiles(index, evidence);
  return { query, evidence, files, pieces: rankPieces(index, evidence, files) };
}
