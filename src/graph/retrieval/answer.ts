/**
 * Turns the result of a search into an answer: places with lines, signature and reasons, and their code within a budget
 * of tokens.
 */
import { type Budget, chooseShown, countTokens, type Shown, type ShowRequest } from "./choose-shown.ts";
import type { Found, Searcher } from "./find.ts";
import { whyFile, whyPiece } from "./reasons.ts";
import { pathOfPiece } from "./search-index.ts";

export interface FileAnswer {
  readonly path: string;
  readonly score: number;
  readonly why: readonly string[];
}

export interface PlaceAnswer {
  readonly path: string;
  readonly kind: string;
  readonly qualified: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly signature: string;
  readonly why: readonly string[];
  /** The shown code; undefined if it exceeds the budget, is already shown or known, or cannot be read. */
  readonly shown: { readonly startLine: number; readonly endLine: number; readonly text: string } | undefined;
}

export interface FindAnswer {
  readonly files: readonly FileAnswer[];
  readonly places: readonly PlaceAnswer[];
  /** Tokens of the shown text. */
  readonly tokens: number;
}

export interface AnswerOptions {
  readonly files: number;
  readonly places: number;
  readonly budget: Budget;
  readonly linesOf: (path: string) => readonly string[] | undefined;
  readonly isKnown?: ShowRequest["isKnown"];
}

export function answerWith({ index }: Searcher, found: Found, options: AnswerOptions): FindAnswer {
  const ranked = found.pieces.slice(0, options.places);
  const { linesOf, budget, isKnown } = options;
  const known = isKnown === undefined ? {} : { isKnown };
  const shown = chooseShown({ index, ranked, terms: found.query.terms, linesOf, budget, ...known });
  const byPiece = new Map(shown.map((one) => [one.piece, one]));
  let tokens = 0;
  const places = ranked.map(({ piece }): PlaceAnswer => {
    const { kind, qualified, startLine, endLine, signature } = index.piece(piece);
    const path = pathOfPiece(index, piece);
    const text = textOf(byPiece.get(piece), linesOf(path));
    tokens += countTokens(text?.text ?? "");
    const why = whyPiece(index, found, piece);
    return { path, kind, qualified, startLine, endLine, signature, why, shown: text };
  });
  const files = found.files.slice(0, options.files).map(({ file, score }) => ({
    path: index.files[file]?.path ?? "",
    score: Number(score.toFixed(3)),
    why: whyFile(found, file),
  }));
  return { files, places, tokens };
}

function textOf(shown: Shown | undefined, lines: readonly string[] | undefined): PlaceAnswer["shown"] {
  if (shown === undefined || lines === undefined) return undefined;
  const { startLine, endLine } = shown;
  return { startLine, endLine, text: lines.slice(startLine - 1, endLine).join("\n") };
}
