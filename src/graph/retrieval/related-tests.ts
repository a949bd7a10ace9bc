/**
 * Finds tests related to a place. Such a test mentions the place's definitions, or has a name or path that mirrors the
 * place's file.
 */

import { hashTerm } from "../forms/words.ts";
import { bestSeeds } from "./bridges.ts";
import type { Searcher } from "./find.ts";
import { mirrorScore } from "./mirrored-tests.ts";
import type { SearchIndex } from "./search-index.ts";

export interface RelatedTest {
  readonly piece: number;
  readonly score: number;
  /** The place's names and the query's words that the test mentions; empty if the test is related only to the file. */
  readonly names: readonly string[];
}

export interface TestQuery {
  readonly path: string;
  /** The two innermost definitions around this line; default, and outside definitions: the whole file. */
  readonly line?: number;
  /** Additional words: tests in related files also score for these words. */
  readonly words?: readonly string[];
}

/**
 * Finds at most `limit` related tests, best first. A test gains more by mentioning a rare name of the place. A test
 * whose path mirrors the place's path also gains. If no test mentions a name or word, returns the tests of the file and
 * of mirrored files. Empty if the index lacks the file.
 */
export function findRelatedTests(
  { index, links }: Searcher,
  { path, line, words = [] }: TestQuery,
  limit: number,
): RelatedTest[] {
  const number = index.files.findIndex((file) => file.path === path);
  const file = index.files[number];
  if (file === undefined) return [];
  const belongs = belonging(index, number);
  const scores = new Float64Array(index.pieceLength.length);
  const names = new Map<number, Set<string>>();
  const count = (name: string, wanted: (file: number) => boolean): void => {
    const term = hashTerm(name, "identifier");
    const rows = index.rowsOf(term);
    if (rows === undefined) return;
    const rarity = 1 / ((links.definitions.get(term)?.files ?? 4) * Math.log2(2 + rows.to - rows.from));
    for (let row = rows.from; row < rows.to; row++) {
      const piece = index.rowPiece[row] ?? 0;
      if (!isTestPiece(index, piece) || !wanted(index.fileOfPiece[piece] ?? 0)) continue;
      scores[piece] = (scores[piece] ?? 0) + rarity;
      names.set(piece, (names.get(piece) ?? new Set()).add(name));
    }
  };
  const own = namesAt(index, number, line);
  for (const name of own) count(name, () => true);
  for (const name of new Set(words)) if (!own.includes(name)) count(name, (other) => belongs.has(other));
  for (const [piece, weight] of scores.entries())
    scores[piece] = weight * (1 + (belongs.get(index.fileOfPiece[piece] ?? 0) ?? 0));
  const named = bestSeeds(index, scores, limit, () => true).map(({ piece, weight }) => ({
    piece,
    score: weight,
    names: [...(names.get(piece) ?? [])],
  }));
  return named.length > 0 ? named : testsBeside(index, belongs, limit);
}

/**
 * Scores, by number, the files whose tests may belong to a source: the file itself, mirrored paths, and files with
 * words of its name.
 */
function belonging(index: SearchIndex, number: number): Map<number, number> {
  const result = new Map<number, number>([[number, 1]]);
  const source = index.files[number];
  if (source === undefined) return result;
  for (const [other, { path, kind, stemTerms }] of index.files.entries()) {
    if (other === number || kind !== "test") continue;
    const mirrored = mirrorScore(source.path, path);
    if (mirrored > 0) result.set(other, 1 + mirrored);
    else if ([...source.stemTerms].some((term) => stemTerms.has(term))) result.set(other, 1);
  }
  return result;
}

/** The answer if no test mentions a name of the place: the tests of its own file and of mirrored files, best first. */
function testsBeside(index: SearchIndex, belongs: ReadonlyMap<number, number>, limit: number): RelatedTest[] {
  const near = [...belongs].filter(([, weight], at) => at === 0 || weight > 1);
  return near
    .toSorted(([, a], [, b]) => b - a)
    .flatMap(([number, score]) => testsOfFile(index, number).map((piece) => ({ piece, score, names: [] })))
    .slice(0, limit);
}

/** The tests of a file. Omits groups of tests, because the list contains their tests. */
function testsOfFile(index: SearchIndex, number: number): number[] {
  const { firstPiece = 0, form } = index.files[number] ?? {};
  const tests = (form?.pieces ?? []).flatMap(({ startLine, endLine }, offset) =>
    isTestPiece(index, firstPiece + offset) ? [{ piece: firstPiece + offset, startLine, endLine }] : [],
  );
  const isInside = (one: (typeof tests)[number], other: (typeof tests)[number]): boolean =>
    one !== other && other.startLine <= one.startLine && one.endLine <= other.endLine;
  return tests.filter((other) => !tests.some((one) => isInside(one, other))).map(({ piece }) => piece);
}

/** True for a test. In a test file, other definitions also count, and the file itself if no definition is a test. */
function isTestPiece(index: SearchIndex, piece: number): boolean {
  const file = index.files[index.fileOfPiece[piece] ?? 0];
  const { isTest, kind } = index.piece(piece);
  if (isTest || file?.kind !== "test") return isTest;
  return kind !== "file" || !file.form.pieces.some((other) => other.isTest);
}

function namesAt(index: SearchIndex, number: number, line: number | undefined): string[] {
  const pieces = index.files[number]?.form.pieces ?? [];
  const own = pieces.filter(({ isTest, name, kind }) => !isTest && name.length > 2 && kind !== "module");
  if (line === undefined) return [...new Set(own.map(({ name }) => name))];
  const around = own.filter(({ startLine, endLine }) => startLine <= line && line <= endLine);
  // Between definitions, the file is meant.
  return [...new Set((around.length > 0 ? around.slice(-2) : own).map(({ name }) => name))];
}
