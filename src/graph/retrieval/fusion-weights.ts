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
  "graph",
  "size",
  "fame",
  "isExample",
  "isConfiguration",
  "isManifest",
  "isEntry",
  "isDeclaration",
] as const;
export type FeatureName = (typeof featureNames)[number];

/**
 * Learnt: a listwise softmax over the files of each task (L2 0.05, 0.004 for what a file is), each set counting alike, on 369
 * tasks mined from the histories of 56 public repositories (98 Rust, 120 JavaScript and TypeScript, 96 Python: the messages of
 * commits that fix something, cleaned of paths and hashes; 55 Python: issues with their fixes), none of them of a repository of
 * the benchmark. Validated in two folds by repository. `namedPaths` is set by hand: the texts learnt from have none.
 */
export const fileWeights: Readonly<Record<FeatureName, number>> = {
  text: 0.72,
  flatText: 0.72,
  title: 0.67,
  bestPiece: 0.9,
  nextPieces: 0.84,
  namedDefinitions: 0.25,
  namedPaths: 0.5,
  messages: 0.51,
  phrases: 0.69,
  pathWords: 0.47,
  stemWords: 0.43,
  wholeStem: 0.56,
  titlePath: 0.37,
  testBridge: 0.58,
  documentBridge: 0.04,
  neighbours: 0.2,
  folder: 0.36,
  calleesOfBest: 0.19,
  graph: 0,
  size: 0.12,
  fame: -0.05,
  isExample: -0.81,
  isConfiguration: -0.51,
  isManifest: 0.92,
  isEntry: 0.3,
  isDeclaration: -0.19,
};

export const pieceFeatureNames = [
  "file",
  "text",
  "title",
  "named",
  "lines",
  "messages",
  "phrases",
  "graph",
  "isCallable",
  "isType",
  "size",
] as const;
export type PieceFeatureName = (typeof pieceFeatureNames)[number];

/** Learnt on the functions of the same tasks; `lines`, `isCallable` and `isType` are set by hand. */
export const pieceWeights: Readonly<Record<PieceFeatureName, number>> = {
  file: 0.47,
  text: 1.97,
  title: 0.86,
  named: 0.95,
  lines: 3,
  messages: 0.31,
  phrases: 0.71,
  graph: 0.3,
  isCallable: 0.5,
  isType: 0,
  size: 0.73,
};
