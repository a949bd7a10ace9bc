/** Tests that have to do with a place: they name what it defines, or are called as its file is. */

import { hashTerm } from "../forms/words.ts";
import { bestSeeds } from "./bridges.ts";
import type { Searcher } from "./find.ts";
import type { SearchIndex } from "./search-index.ts";

export interface RelatedTest {
  readonly piece: number;
  readonly score: number;
  /** Names of the place that the test says. */
  readonly names: readonly string[];
}

export interface TestQuery {
  readonly path: string;
  /** The definition around this line; without it the whole file. */
  readonly line?: number;
}

/** Best first; a rare name counts more, and a test whose file is called like the place's. */
export function findRelatedTests(
  { index, links }: Searcher,
  { path, line }: TestQuery,
  limit: number,
): RelatedTest[] {
  const number = index.files.findIndex((file) => file.path === path);
  const file = index.files[number];
  if (file === undefined) return [];
  const scores = new Float64Array(index.pieceLength.length);
  const names = new Map<number, Set<string>>();
  for (const name of namesAt(index, number, line)) {
    const term = hashTerm(name, "identifier");
    const rows = index.rowsOf(term);
    const definition = links.definitions.get(term);
    if (rows === undefined) continue;
    const rarity = 1 / ((definition?.files ?? 4) * Math.log2(2 + rows.to - rows.from));
    for (let row = rows.from; row < rows.to; row++) {
      const piece = index.rowPiece[row] ?? 0;
      if (!isTestPiece(index, piece)) continue;
      scores[piece] = (scores[piece] ?? 0) + rarity;
      names.set(piece, (names.get(piece) ?? new Set()).add(name));
    }
  }
  for (const piece of names.keys()) {
    const other = index.files[index.fileOfPiece[piece] ?? 0];
    const isAlike = [...file.stemTerms].some((term) => other?.stemTerms.has(term) === true);
    if (isAlike || other === file) scores[piece] = (scores[piece] ?? 0) * 2;
  }
  return bestSeeds(index, scores, limit, () => true).map(({ piece, weight }) => ({
    piece,
    score: weight,
    names: [...(names.get(piece) ?? [])],
  }));
}

function isTestPiece(index: SearchIndex, piece: number): boolean {
  const file = index.files[index.fileOfPiece[piece] ?? 0];
  const { isTest, kind } = index.piece(piece);
  return isTest || (file?.kind === "test" && kind !== "file");
}

function namesAt(index: SearchIndex, number: number, line: number | undefined): string[] {
  const pieces = index.files[number]?.form.pieces ?? [];
  const own = pieces.filter(({ isTest, name }) => !isTest && name.length > 2);
  if (line === undefined) return [...new Set(own.map(({ name }) => name))];
  const around = own.filter(({ startLine, endLine }) => startLine <= line && line <= endLine);
  return [...new Set(around.slice(-2).map(({ name }) => name))];
}
