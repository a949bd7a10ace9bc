/**
 * Ranks files and pieces by the likelihood of a change. Adds the scores of all kinds of evidence, with learnt weights.
 */

import { callableKinds, typeKinds } from "../../domain/code-symbols.ts";
import type { Piece } from "../forms/file-form.ts";
import type { Evidence } from "./file-features.ts";
import { featureNames, type PieceFeatureName, pieceFeatureNames, pieceWeights } from "./fusion-weights.ts";
import { isCandidate, type SearchIndex } from "./search-index.ts";

export interface RankedFile {
  /** Number of the file in the index. */
  readonly file: number;
  readonly score: number;
}

export interface RankedPiece {
  readonly piece: number;
  readonly score: number;
}

/** Ranks all files that a change may affect (`isCandidate`), best first. */
export function rankFiles(index: SearchIndex, { features, weights }: Evidence): RankedFile[] {
  const score = (file: number): number =>
    featureNames.reduce((sum, name) => sum + weights[name] * (features[name][file] ?? 0), 0);
  return [...index.files.keys()]
    .filter((file) => isCandidate(index.files[file]?.kind ?? "test"))
    .map((file) => ({ file, score: score(file) }))
    .sort((a, b) => b.score - a.score);
}

const filesLookedInto = 60;

/** Ranks the definitions in the best `filesLookedInto` files, best first. Excludes tests. */
export function rankPieces(
  index: SearchIndex,
  evidence: Evidence,
  ranked: readonly RankedFile[],
): RankedPiece[] {
  return pieceEvidence(index, evidence, ranked)
    .map(({ piece, features }) => ({
      piece,
      score: pieceFeatureNames.reduce((sum, name) => sum + pieceWeights[name] * features[name], 0),
    }))
    .sort((a, b) => b.score - a.score);
}

export interface PieceEvidence {
  readonly piece: number;
  readonly features: Readonly<Record<PieceFeatureName, number>>;
}

const callable = new Set<Piece["kind"]>(callableKinds);
const types = new Set<Piece["kind"]>(typeKinds);

export function pieceEvidence(
  index: SearchIndex,
  { text, title, messages, phrases, mentions, graph }: Evidence,
  ranked: readonly RankedFile[],
): PieceEvidence[] {
  const best = ranked[0]?.score ?? 0;
  const looked = ranked.slice(0, filesLookedInto);
  const numbers = looked.flatMap(({ file }) => piecesOf(index, file));
  const largest = (scores: Float64Array): number =>
    numbers.reduce((most, piece) => Math.max(most, scores[piece] ?? 0), 1e-9);
  const lists = [
    text.pieces,
    title.pieces,
    mentions.namePieces,
    messages.pieces,
    phrases.pieces,
    graph.pieces,
  ];
  const scales = lists.map(largest);
  return looked.flatMap(({ file, score }) =>
    piecesOf(index, file).map((piece) => {
      const { kind, startLine, endLine } = index.piece(piece);
      const share = (scores: Float64Array, list: number): number =>
        (scores[piece] ?? 0) / (scales[list] ?? 1);
      const features = {
        file: score - best,
        text: share(text.pieces, 0),
        title: share(title.pieces, 1),
        named: share(mentions.namePieces, 2),
        messages: share(messages.pieces, 3),
        phrases: share(phrases.pieces, 4),
        graph: share(graph.pieces, 5),
        lines: Math.min(1, mentions.linePieces[piece] ?? 0),
        isCallable: callable.has(kind) ? 1 : 0,
        isType: types.has(kind) ? 1 : 0,
        size: Math.log2(1 + endLine - startLine) / 8,
      };
      return { piece, features };
    }),
  );
}

function piecesOf(index: SearchIndex, number: number): number[] {
  const file = index.files[number];
  if (file === undefined) return [];
  return [...file.form.pieces.entries()].flatMap(([offset, { isTest }]) =>
    offset === 0 || isTest ? [] : [file.firstPiece + offset],
  );
}
