/** Scores files and pieces by a text's mentions. Finds names by their definitions, and paths by their ending. */
import { callableKinds, typeKinds } from "../../domain/code-symbols.ts";
import { fieldShift, type Piece } from "../forms/file-form.ts";
import { hashTerm } from "../forms/words.ts";
import type { Mentions, NameMention, PathMention } from "./read-mentions.ts";
import { isCandidate, type SearchIndex } from "./search-index.ts";

export interface MentionScores {
  /** Scores for definitions of the mentioned names, by file and by piece. */
  readonly nameFiles: Float64Array;
  readonly namePieces: Float64Array;
  readonly pathFiles: Float64Array;
  /** Pieces around a line that a stack trace or a link names. */
  readonly linePieces: Float64Array;
}

export function scoreMentions(index: SearchIndex, mentions: Mentions): MentionScores {
  const scores = {
    nameFiles: new Float64Array(index.files.length),
    namePieces: new Float64Array(index.pieceLength.length),
    pathFiles: new Float64Array(index.files.length),
    linePieces: new Float64Array(index.pieceLength.length),
  };
  for (const mention of mentions.names) scoreName(index, mention, scores);
  for (const mention of mentions.paths) scorePath(index, mention, scores);
  return scores;
}

/**
 * Scores a mentioned name. A name that many files define counts little. A definition in the type written before the
 * name counts double.
 */
function scoreName(index: SearchIndex, mention: NameMention, scores: MentionScores): void {
  const rows = index.rowsOf(hashTerm(mention.name, "identifier"));
  if (rows === undefined) return;
  const found = new Map<number, number[]>();
  for (let row = rows.from; row < rows.to; row++) {
    if ((index.rowCounts[row] ?? 0) >>> fieldShift.name === 0) continue;
    const piece = index.rowPiece[row] ?? 0;
    const file = index.fileOfPiece[piece] ?? 0;
    if (!isCandidate(index.files[file]?.kind ?? "test") || index.piece(piece).isTest) continue;
    found.set(file, [...(found.get(file) ?? []), piece]);
  }
  if (found.size === 0) return;
  const rarity = Math.log(1 + index.sourceFiles / found.size) / (1 + Math.log2(found.size));
  const owner = mention.qualifier === undefined ? undefined : `${mention.qualifier}.${mention.name}`;
  for (const [file, pieces] of found) {
    let best = 0;
    for (const piece of pieces) {
      const { qualified, name, kind } = index.piece(piece);
      const fits = owner !== undefined && `.${qualified}`.endsWith(`.${owner}`);
      const own = mention.weight * rarity * (fits ? 2 : 1) * (isOfKind(mention, kind) ? 1.5 : 1);
      const kept = name === mention.name ? own : own * 0.5; // a field in it
      scores.namePieces[piece] = (scores.namePieces[piece] ?? 0) + kept;
      best = Math.max(best, kept);
    }
    scores.nameFiles[file] = (scores.nameFiles[file] ?? 0) + best;
  }
}

function isOfKind({ kind }: NameMention, of: Piece["kind"]): boolean {
  if (kind === "type") return typeKinds.some((each) => each === of);
  return kind === "function" && callableKinds.some((each) => each === of);
}

function scorePath(index: SearchIndex, mention: PathMention, scores: MentionScores): void {
  const wanted = mention.path.split("/").filter((part) => part !== "" && part !== "." && part !== "..");
  const matches: { readonly file: number; readonly common: number }[] = [];
  for (const [number, { path }] of index.files.entries()) {
    const common = commonEnd(wanted, path.split("/"));
    if (common > 0) matches.push({ file: number, common });
  }
  const longest = Math.max(0, ...matches.map(({ common }) => common));
  const best = matches.filter(({ common }) => common === longest);
  const isPrecise = longest >= Math.min(2, wanted.length);
  const value = (mention.weight * (isPrecise ? 1 : 0.4)) / best.length;
  for (const { file } of best) {
    scores.pathFiles[file] = (scores.pathFiles[file] ?? 0) + value;
    if (mention.line !== undefined) markLine(index, file, mention.line, value, scores.linePieces);
  }
}

/** Returns the number of parts that two paths have in common, counted from the end. */
export function commonEnd(wanted: readonly string[], path: readonly string[]): number {
  let common = 0;
  while (common < wanted.length && wanted.at(-1 - common) === path.at(-1 - common)) common++;
  return common;
}

function markLine(index: SearchIndex, file: number, line: number, value: number, pieces: Float64Array): void {
  const { form, firstPiece } = index.files[file] ?? { form: undefined, firstPiece: 0 };
  let innermost = -1;
  for (const [number, piece] of (form?.pieces ?? []).entries()) {
    if (piece.startLine <= line && line <= piece.endLine) innermost = number;
  }
  if (innermost > 0) pieces[firstPiece + innermost] = (pieces[firstPiece + innermost] ?? 0) + value;
}
