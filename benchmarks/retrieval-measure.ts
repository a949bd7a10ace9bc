/**
 * Measures one task: the ranks of its gold files and functions, in our ranking and in plain BM25, and the share of its
 * gold lines in an answer.
 */

import type { Piece } from "../src/graph/forms/file-form.ts";
import { type Budget, chooseShown, countTokens } from "../src/graph/retrieval/choose-shown.ts";
import { findPlaces } from "../src/graph/retrieval/find.ts";
import { plainScores } from "../src/graph/retrieval/plain-text-rank.ts";
import { isCandidate, type SearchIndex } from "../src/graph/retrieval/search-index.ts";
import type { TaskIndex } from "./retrieval-index.ts";
import type { Gold } from "./retrieval-tasks.ts";

/** Ranks from 1 of all that is right; Infinity for what is not in the list. */
export interface Ranks {
  readonly files: readonly number[];
  /** Empty where the patch touches no function of the base. */
  readonly functions: readonly number[];
  /** Gold lines shown, all gold lines, tokens shown. */
  readonly shownLines: number;
  readonly goldLines: number;
  readonly tokens: number;
}

export interface Measured {
  readonly ours: Ranks;
  readonly plain: Ranks;
  /** Milliseconds from the text to the ranked places, without the index. */
  readonly queryMs: number;
  /** To open what is indexed. */
  readonly openMs: number;
  readonly fileCount: number;
}

export function measureTask(
  { searcher, openMs }: TaskIndex,
  statement: string,
  gold: Gold,
  budget: Budget,
): Measured | undefined {
  const started = performance.now();
  const found = findPlaces(searcher, statement);
  const queryMs = performance.now() - started;
  const { index } = searcher;
  const goldFiles = [...gold.keys()];
  const numbers = new Map(index.files.map(({ path }, number) => [path, number]));
  if (!goldFiles.some((path) => numbers.has(path))) return undefined;
  const wanted = goldFiles.map((path) => numbers.get(path) ?? -1);
  const functions = goldFunctions(index, numbers, gold);
  const plain = plainScores(index, statement);
  const plainFiles = byScore(candidates(index), plain.files);
  const plainFunctions = byScore(allFunctions(index), plain.pieces);
  const ourFunctions = found.pieces
    .map(({ piece }) => piece)
    .filter((piece) => isCallable(index.piece(piece)));
  const { linesOf } = searcher;
  const shown = chooseShown({ index, ranked: found.pieces, terms: found.query.terms, linesOf, budget });
  const spans = shown.map(({ file, startLine, endLine }) => ({
    path: index.files[file]?.path ?? "",
    startLine,
    endLine,
  }));
  const plainSpans = wholeFiles(
    plainFiles.map((file) => index.files[file]?.path ?? ""),
    linesOf,
    budget.tokens,
  );
  const ourRanks = {
    files: ranksOf(
      wanted,
      found.files.map(({ file }) => file),
    ),
    functions: ranksOf(functions, ourFunctions),
  };
  const plainRanks = { files: ranksOf(wanted, plainFiles), functions: ranksOf(functions, plainFunctions) };
  return {
    ours: { ...ourRanks, ...measureShown(spans, gold, linesOf) },
    plain: { ...plainRanks, ...measureShown(plainSpans, gold, linesOf) },
    queryMs,
    openMs,
    fileCount: index.files.length,
  };
}

export function isCallable({ kind, isTest }: Piece): boolean {
  return !isTest && (kind === "function" || kind === "method" || kind === "constructor" || kind === "macro");
}

function candidates(index: SearchIndex): number[] {
  return [...index.files.keys()].filter((file) => isCandidate(index.files[file]?.kind ?? "test"));
}

function allFunctions(index: SearchIndex): number[] {
  return candidates(index).flatMap((number) => {
    const file = index.files[number];
    if (file === undefined) return [];
    return [...file.form.pieces.keys()]
      .map((offset) => file.firstPiece + offset)
      .filter((piece) => isCallable(index.piece(piece)));
  });
}

/** The innermost function around each touched line. */
function goldFunctions(index: SearchIndex, numbers: ReadonlyMap<string, number>, gold: Gold): number[] {
  const found = new Set<number>();
  for (const [path, lines] of gold) {
    const file = index.files[numbers.get(path) ?? -1];
    if (file === undefined) continue;
    for (const line of lines) {
      let innermost = -1;
      for (const [offset, piece] of file.form.pieces.entries()) {
        if (isCallable(piece) && piece.startLine <= line && line <= piece.endLine) innermost = offset;
      }
      if (innermost > 0) found.add(file.firstPiece + innermost);
    }
  }
  return [...found];
}

function byScore(numbers: readonly number[], scores: Float64Array): number[] {
  return numbers.toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
}

function ranksOf(wanted: readonly number[], ranked: readonly number[]): number[] {
  const rank = new Map(ranked.map((number, at) => [number, at + 1]));
  return wanted.map((number) => rank.get(number) ?? Number.POSITIVE_INFINITY);
}

interface Span {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** What reading the best files from their beginning shows for the same tokens. */
function wholeFiles(
  paths: readonly string[],
  linesOf: (path: string) => readonly string[] | undefined,
  tokens: number,
): Span[] {
  const spans: Span[] = [];
  let left = tokens;
  for (const path of paths) {
    const lines = linesOf(path) ?? [];
    let end = 0;
    while (end < lines.length && left > 0) left -= countTokens(`${lines[end++]}\n`);
    if (end > 0) spans.push({ path, startLine: 1, endLine: end });
    if (left <= 0) break;
  }
  return spans;
}

function measureShown(
  spans: readonly Span[],
  gold: Gold,
  linesOf: (path: string) => readonly string[] | undefined,
): Pick<Ranks, "shownLines" | "goldLines" | "tokens"> {
  let goldLines = 0;
  let shownLines = 0;
  for (const [path, lines] of gold) {
    const own = spans.filter((span) => span.path === path);
    goldLines += lines.size;
    for (const line of lines)
      if (own.some((span) => span.startLine <= line && line <= span.endLine)) shownLines++;
  }
  const tokens = spans.reduce(
    (sum, { path, startLine, endLine }) =>
      sum + countTokens((linesOf(path) ?? []).slice(startLine - 1, endLine).join("\n")),
    0,
  );
  return { shownLines, goldLines, tokens };
}
