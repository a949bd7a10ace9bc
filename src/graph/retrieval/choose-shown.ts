/** Chooses the text of an answer within a token budget: small pieces whole, and the relevant lines of large ones. */

import { identifierTerms } from "../forms/words.ts";
import type { RankedPiece } from "./rank.ts";
import type { SearchIndex } from "./search-index.ts";

export interface Shown {
  readonly file: number;
  readonly piece: number;
  /** The shown lines, from 1; both ends are inclusive. */
  readonly startLine: number;
  readonly endLine: number;
}

export interface Budget {
  readonly tokens: number;
  /** Maximum number of lines of one piece. `longestOfFirst` is the maximum for the first two pieces. */
  readonly longestPiece: number;
  readonly longestOfFirst: number;
}

export const defaultBudget: Budget = { tokens: 6000, longestPiece: 120, longestOfFirst: 250 };
const firstPieces = 2;
/** Estimated tokens of the header above a piece, which has its place and signature. */
const perPiece = 20;

/** Estimates a text's number of tokens, at four characters per token, the usual ratio for code. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

export interface ShowRequest {
  readonly index: SearchIndex;
  readonly ranked: readonly RankedPiece[];
  readonly terms: ReadonlyMap<number, number>;
  /** The lines of a file, undefined if it is gone. */
  readonly linesOf: (path: string) => readonly string[] | undefined;
  readonly budget: Budget;
  /** True for a line (from 1) that the reader already has with this text. The answer omits it. */
  readonly isKnown?: (path: string, line: number, text: string) => boolean;
}

export function chooseShown({ index, ranked, terms, linesOf, budget, isKnown }: ShowRequest): Shown[] {
  const shown: Shown[] = [];
  const seen = new Map<number, Set<number>>();
  let left = budget.tokens;
  for (const { piece } of ranked) {
    if (left <= 0) break;
    const file = index.fileOfPiece[piece] ?? 0;
    const path = index.files[file]?.path ?? "";
    const lines = linesOf(path);
    if (lines === undefined) continue;
    const { startLine, endLine } = index.piece(piece);
    const longest = shown.length < firstPieces ? budget.longestOfFirst : budget.longestPiece;
    const taken = seen.get(file) ?? new Set(isKnown === undefined ? [] : knownLines(path, lines, isKnown));
    const span = freshRun(windowOf(lines, startLine, endLine, terms, longest), taken);
    if (span === undefined) continue;
    const cost = countTokens(lines.slice(span.startLine - 1, span.endLine).join("\n")) + perPiece;
    if (cost > left) continue;
    for (let line = span.startLine; line <= span.endLine; line++) taken.add(line);
    seen.set(file, taken);
    left -= cost;
    shown.push({ file, piece, ...span });
  }
  return shown;
}

function knownLines(
  path: string,
  lines: readonly string[],
  isKnown: (path: string, line: number, text: string) => boolean,
): number[] {
  return lines.flatMap((text, at) => (isKnown(path, at + 1, text) ? [at + 1] : []));
}

interface Span {
  readonly startLine: number;
  readonly endLine: number;
}

/** The longest run of lines that the answer does not show yet; undefined if it shows all. */
function freshRun({ startLine, endLine }: Span, taken: ReadonlySet<number>): Span | undefined {
  let best: Span | undefined;
  let first = startLine;
  for (let line = startLine; line <= endLine + 1; line++) {
    if (line <= endLine && !taken.has(line)) continue;
    const length = line - first;
    if (length > 0 && (best === undefined || length > best.endLine - best.startLine + 1))
      best = { startLine: first, endLine: line - 1 };
    first = line + 1;
  }
  return best;
}

/** Number of lines shown above and below the part of a long piece. */
const context = 3;

/**
 * Finds the part of a long piece with the highest density of the query's terms. Adds some lines around this part, up to
 * `longest` lines in total. Returns a piece of at most `longest` lines whole, and the first `longest` lines of a piece
 * without these terms.
 */
export function windowOf(
  lines: readonly string[],
  startLine: number,
  endLine: number,
  terms: ReadonlyMap<number, number>,
  longest: number,
): Span {
  if (endLine - startLine < longest) return { startLine, endLine };
  const gains = lines.slice(startLine - 1, endLine).map((line) => gainOf(line, terms));
  const mean = gains.reduce((total, gain) => total + gain, 0) / gains.length;
  if (mean === 0) return { startLine, endLine: startLine + longest - 1 };
  const dense = densestRun(gains, mean / 2, longest);
  const first = Math.max(0, dense.first - context);
  const last = Math.min(gains.length - 1, dense.last + context, first + longest - 1);
  return { startLine: startLine + first, endLine: startLine + last };
}

/**
 * The run of at most `longest` lines whose gains exceed `cost` per line by the largest sum. Half of the mean is the
 * best cost. With the whole mean, the result shows too few lines of fixes (`npm run bench:retrieval`).
 */
function densestRun(
  gains: readonly number[],
  cost: number,
  longest: number,
): { readonly first: number; readonly last: number } {
  let best = { first: 0, last: 0, sum: Number.NEGATIVE_INFINITY };
  for (let first = 0; first < gains.length; first++) {
    let sum = 0;
    for (let last = first; last < Math.min(gains.length, first + longest); last++) {
      sum += (gains[last] ?? 0) - cost;
      if (sum > best.sum) best = { first, last, sum };
      // No run that begins here is better than one that begins later.
      if (sum < 0) break;
    }
  }
  return best;
}

function gainOf(line: string, terms: ReadonlyMap<number, number>): number {
  let gain = 0;
  for (const [token] of line.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
    const { words, whole } = identifierTerms(token);
    for (const term of new Set([...words, whole])) gain += terms.get(term) ?? 0;
  }
  return gain;
}
