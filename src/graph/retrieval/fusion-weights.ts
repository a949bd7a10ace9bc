/**
 * The weights with which retrieval ranks files and definitions. The comment on learnt weights names the tasks of the
 * training.
 */
import type { FieldWeights } from "./fields-score.ts";
import type { PartKind } from "./statement-parts.ts";

/** The weight of a word by the part of the text that contains it. */
export const termPartWeights: Readonly<Record<PartKind, number>> = {
  title: 2.5,
  prose: 1,
  inline: 1,
  code: 0.5,
  output: 0.5,
  background: 0.1,
};

/**
 * The weight of a pair of adjacent words, by the part of the text that contains it. Output has the same weight as
 * prose, because output quotes the code's messages.
 */
export const pairPartWeights: Readonly<Record<PartKind, number>> = {
  title: 2,
  prose: 1,
  inline: 1,
  code: 0.3,
  output: 1,
  background: 0.1,
};

/** The weight of a name by the part of the text that contains it. */
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

/** The weights of pairs of adjacent words in code, comments and strings. */
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
  "folder",
  "graph",
  "ownManifest",
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
 * Weights of the features of files. First learnt by a listwise softmax over the files of each task, with equal weight
 * for each set of tasks. The 369 tasks are mined from the histories of 56 public repositories:
 * - 98 Rust, 120 JavaScript and TypeScript, 96 Python: messages of fixing commits, without paths and hashes
 * - 55 Python: issues with their fixes
 *
 * Then trained from those weights (L2 0.05 on changes, 0.004 for file kinds) on 266 of these tasks. The program itself
 * indexed the repositories of these 266 tasks, with the graph. No task is from a repository of the benchmark, and 138
 * more tasks were held out. `namedPaths` is set by hand, because the training texts contain no paths.
 */
export const fileWeights: Readonly<Record<FeatureName, number>> = {
  text: 0.82,
  flatText: 0.86,
  title: 0.71,
  bestPiece: 1.09,
  nextPieces: 0.94,
  namedDefinitions: 0.38,
  namedPaths: 0.5,
  messages: 0.41,
  phrases: 0.67,
  pathWords: 0.54,
  stemWords: 0.46,
  wholeStem: 0.72,
  titlePath: 0.34,
  testBridge: 0.61,
  folder: 0.6,
  graph: 0.2,
  ownManifest: 0,
  size: 0.21,
  fame: -0.17,
  isExample: -0.88,
  isConfiguration: -0.78,
  isManifest: 0.91,
  isEntry: 0.42,
  isDeclaration: -0.49,
};

/**
 * Weights for JavaScript and TypeScript, where paths matter less and calls more. Trained from `fileWeights` (L2 0.05 on
 * changes), on 160 tasks of 26 repositories. Of these tasks, 48 are held-out tasks of `fileWeights`. In
 * cross-validation over sixths of the repositories, the first file is correct for 3 to 4 more of 100 tasks. Separate
 * weights for Python did not help.
 */
export const ecmascriptWeights: Readonly<Record<FeatureName, number>> = {
  text: 1.01,
  flatText: 1.13,
  title: 0.83,
  bestPiece: 1.36,
  nextPieces: 1.14,
  namedDefinitions: 0.57,
  namedPaths: 0.5,
  messages: 0.6,
  phrases: 0.83,
  pathWords: 0.25,
  stemWords: 0.16,
  wholeStem: 0.52,
  titlePath: 0.37,
  testBridge: 0.81,
  folder: 0.34,
  graph: 0.55,
  ownManifest: 0,
  size: 0.43,
  fame: -0.3,
  isExample: -1.01,
  isConfiguration: -0.89,
  isManifest: 1.14,
  isEntry: 0.25,
  isDeclaration: -0.77,
};

/**
 * Weights for Rust repositories, where a change often includes a line in its package's `Cargo.toml`. Chosen on 119
 * mined tasks of 21 repositories. Checked on 80 tasks of 14 others: all files of a change are among the first ten for 7
 * more of 100 tasks. The first file and the first five files are correct as often as before. A larger weight for all
 * manifests improved the ranks less, and learning all weights again did not improve them more.
 */
export const rustWeights: Readonly<Record<FeatureName, number>> = { ...fileWeights, ownManifest: 0.8 };

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

/**
 * Weights of the features of pieces. Learnt on the functions of 252 of the tasks for `fileWeights` (L2 0.01). `lines`,
 * `isCallable` and `isType` are set by hand.
 */
export const pieceWeights: Readonly<Record<PieceFeatureName, number>> = {
  file: 0.46,
  text: 2.28,
  title: 0.66,
  named: 1.07,
  lines: 3,
  messages: 0.29,
  phrases: 0.67,
  graph: 0.88,
  isCallable: 0.5,
  isType: 0,
  size: 1.62,
};
