/** All the numbers of the ranking: data. How they were found stands with each. */
import type { FieldWeights } from "./fields-score.ts";
import type { PartKind } from "./statement-parts.ts";

/** How much a word counts by the part that it stands in. */
export const termPartWeights: Readonly<Record<PartKind, number>> = {
  title: 2.5,
  prose: 1,
  inline: 1,
  code: 0.5,
  output: 0.5,
  background: 0.1,
};

/** How much two words that follow each other count; output is where messages are quoted. */
export const pairPartWeights: Readonly<Record<PartKind, number>> = {
  title: 2,
  prose: 1,
  inline: 1,
  code: 0.3,
  output: 1,
  background: 0.1,
};

/** How much a name weighs by the part that it stands in. */
export const namePartWeights: Readonly<Record<PartKind, number>> = {
  title: 2,
  prose: 1,
  inline: 2,
  code: 0.4,
  output: 0.3,
  background: 0.1,
};

export const textFields: FieldWeights = {
  code: 1,
  comment: 0.7,
  string: 1.5,
  name: 3,
  path: 4,
  test: 0.2,
  k1: 1.2,
  b: 0.5,
};
export const flatFields: FieldWeights = {
  code: 1,
  comment: 1,
  string: 1,
  name: 0,
  path: 0,
  test: 0.2,
  k1: 1.2,
  b: 0.3,
};
export const messageFields: FieldWeights = {
  code: 0,
  comment: 0.3,
  string: 1,
  name: 0,
  path: 0,
  test: 0,
  k1: 0.5,
  b: 0.2,
};

/** Phrases in code, comments and names. */
export const phraseFields: FieldWeights = {
  code: 1,
  comment: 0.7,
  string: 0.5,
  name: 0,
  path: 0,
  test: 0.2,
  k1: 1.2,
  b: 0.5,
};

export const featureNames = [
  "text",
  "flatText",
  "title",
  "bestPiece",
  "nextPieces",
  "namedDefinitions",
  "namedPaths",
  "messages",
  "phrases",
  "pathWords",
  "stemWords",
  "wholeStem",
  "titlePath",
  "testBridge",
  "documentBridge",
  "neighbours",
  "folder",
  "calleesOfBest",
  "size",
  "fame",
  "isExample",
  "isConfiguration",
  "isManifest",
  "isEntry",
  "isDeclaration",
] as const;
export type FeatureName = (typeof featureNames)[number];

export const fileWeights: Readonly<Record<FeatureName, number>> = {
  text: 0.74,
  flatText: 0.74,
  title: 0.68,
  bestPiece: 0.92,
  nextPieces: 0.81,
  namedDefinitions: 0.26,
  namedPaths: 0.5,
  messages: 0.51,
  phrases: 0.7,
  pathWords: 0.46,
  stemWords: 0.41,
  wholeStem: 0.57,
  titlePath: 0.38,
  testBridge: 0.59,
  documentBridge: 0.03,
  neighbours: 0.21,
  folder: 0.35,
  calleesOfBest: 0.18,
  size: 0.16,
  fame: 0,
  isExample: -0.8,
  isConfiguration: -0.5,
  isManifest: 0,
  isEntry: 0.16,
  isDeclaration: 0,
};

export const pieceFeatureNames = [
  "file",
  "text",
  "title",
  "named",
  "lines",
  "messages",
  "phrases",
  "isCallable",
  "isType",
  "size",
] as const;
export type PieceFeatureName = (typeof pieceFeatureNames)[number];

export const pieceWeights: Readonly<Record<PieceFeatureName, number>> = {
  file: 0.41,
  text: 1.99,
  title: 0.85,
  named: 0.96,
  lines: 1.5,
  messages: 0.32,
  phrases: 0.78,
  isCallable: 0.5,
  isType: 0,
  size: 0.75,
};
