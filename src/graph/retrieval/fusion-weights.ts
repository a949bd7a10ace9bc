/** The weights of the fusion: data. */
import type { FeatureName } from "./file-features.ts";

export const fileWeights: Readonly<Record<FeatureName, number>> = {
  text: 1.5,
  flatText: 1,
  title: 1,
  bestPiece: 1,
  nextPieces: 0.5,
  namedDefinitions: 0.5,
  namedPaths: 2,
  messages: 1,
  pathWords: 0.5,
  stemWords: 1,
  testBridge: 0.3,
  documentBridge: 0.2,
  neighbours: 0.5,
  size: 0.5,
  fame: 0,
  isExample: -1,
  isConfiguration: -1,
  isEntry: 0,
};

export const pieceFeatureNames = [
  "file",
  "text",
  "title",
  "named",
  "lines",
  "messages",
  "isCallable",
  "isType",
  "size",
] as const;
export type PieceFeatureName = (typeof pieceFeatureNames)[number];

export const pieceWeights: Readonly<Record<PieceFeatureName, number>> = {
  file: 1,
  text: 2,
  title: 1,
  named: 1,
  lines: 3,
  messages: 1,
  isCallable: 1,
  isType: 0,
  size: 0.3,
};
