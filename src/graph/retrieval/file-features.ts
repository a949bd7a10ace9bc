/**
 * Computes the evidence for files: a list of scores for each feature. `rank.ts` combines these lists with learnt
 * weights.
 */

import type { Piece } from "../forms/file-form.ts";
import { bestSeeds, followNames } from "./bridges.ts";
import { scoreTerms, type TermScores } from "./fields-score.ts";
import {
  ecmascriptWeights,
  type FeatureName,
  featureNames,
  fileWeights,
  flatFields,
  messageFields,
  phraseFields,
  rustWeights,
  textFields,
} from "./fusion-weights.ts";
import type { GraphEdges } from "./graph-edges.ts";
import { type SpreadScores, spreadOverGraph } from "./graph-spread.ts";
import { type MentionScores, scoreMentions } from "./mention-scores.ts";
import type { Links } from "./name-links.ts";
import type { Query } from "./read-query.ts";
import { type IndexedFile, isCandidate, type SearchIndex } from "./search-index.ts";

export type Features = Readonly<Record<FeatureName, Float64Array>>;
export type FileWeights = Readonly<Record<FeatureName, number>>;

/** The index, and the data derived from it that every query uses. */
export interface Searched {
  readonly index: SearchIndex;
  readonly links: Links;
  /** The evidence for files that does not depend on a query; see `priorsOf`. */
  readonly priors: Priors;
  /** The weights of the files' features; see `weightsOf`. */
  readonly weights: FileWeights;
  /** The graph's edges; undefined if the references are not resolved. */
  readonly edges?: GraphEdges | undefined;
}

export interface Evidence {
  readonly features: Features;
  readonly weights: FileWeights;
  readonly text: TermScores;
  readonly title: TermScores;
  readonly messages: TermScores;
  readonly phrases: TermScores;
  readonly mentions: MentionScores;
  /** Scores that pieces get through the graph from pieces that fit the query. */
  readonly graph: SpreadScores;
}

export function gatherEvidence(searched: Searched, query: Query): Evidence {
  const { index, links, priors } = searched;
  const text = scoreTerms(index, query.terms, textFields);
  const title = scoreTerms(index, query.titleTerms, textFields);
  const flat = scoreTerms(index, query.terms, flatFields);
  const messages = scoreTerms(index, query.pairs, messageFields);
  const phrases = scoreTerms(index, query.pairs, phraseFields);
  const mentions = scoreMentions(index, query.mentions);
  const best = bestPieces(index, text.pieces);
  const paths = scorePathWords(index, query.terms);
  const tests = bestSeeds(
    index,
    text.pieces,
    mostSeeds,
    (piece, file) => index.piece(piece).isTest || index.files[file]?.kind === "test",
  );
  const first = {
    ...priors,
    text: normalise(index, text.files),
    flatText: normalise(index, flat.files),
    title: normalise(index, title.files),
    bestPiece: normalise(index, best.first),
    nextPieces: normalise(index, best.next),
    namedDefinitions: normalise(index, mentions.nameFiles),
    namedPaths: mentions.pathFiles.map((score) => Math.min(1, score)),
    messages: normalise(index, messages.files),
    phrases: normalise(index, phrases.files),
    pathWords: normalise(index, paths.path),
    stemWords: normalise(index, paths.stem),
    wholeStem: normalise(index, paths.wholeStem),
    titlePath: normalise(index, scorePathWords(index, query.titleTerms).path),
    testBridge: normalise(index, followNames(index, links, tests).files),
  };
  const { features: spread, graph } = spreadEvidence(searched, first, text);
  const { weights } = searched;
  return { features: { ...first, ...spread }, weights, text, title, messages, phrases, mentions, graph };
}

const spreadNames = ["folder", "graph", "ownManifest"] as const;
type SpreadFeature = (typeof spreadNames)[number];

/** Scores that files get from the best files by all other evidence. */
function spreadEvidence(
  { index, edges, weights }: Searched,
  first: Omit<Features, SpreadFeature>,
  text: TermScores,
): { readonly features: Pick<Features, SpreadFeature>; readonly graph: SpreadScores } {
  const scores = new Float64Array(index.files.length);
  let best = Number.NEGATIVE_INFINITY;
  for (const [file, { kind }] of index.files.entries()) {
    if (!isCandidate(kind)) continue;
    let sum = 0;
    for (const name of firstNames) sum += weights[name] * (first[name][file] ?? 0);
    scores[file] = sum;
    best = Math.max(best, sum);
  }
  const chances = scores.map((score, file) =>
    isCandidate(index.files[file]?.kind ?? "test") ? Math.exp((score - best) / 1.5) : 0,
  );
  const folder = scoreFolders(index, chances);
  const graph = spreadOverGraph({ index, edges, text: text.pieces, chances });
  const features = {
    folder,
    graph: normalise(index, graph.files),
    ownManifest: scoreManifests(index, chances),
  };
  return { features, graph };
}

const firstNames = featureNames.filter(
  (name): name is Exclude<FeatureName, SpreadFeature> => !spreadNames.some((spread) => spread === name),
);

type Prior = "size" | "fame" | "isExample" | "isConfiguration" | "isManifest" | "isEntry" | "isDeclaration";

const manifest = /(?:^|\/)(?:Cargo\.toml|package\.json|pyproject\.toml|setup\.(?:py|cfg)|go\.mod|pom\.xml)$/;

export type Priors = Pick<Features, Prior>;

/** Computes the evidence for files that does not depend on a query, such as their size and kind. */
export function priorsOf(index: SearchIndex, links: Links): Priors {
  return {
    size: normalise(
      index,
      Float64Array.from(index.files, ({ form }) => Math.log2(1 + form.lines)),
    ),
    fame: normalise(
      index,
      links.fame.map((fame) => Math.log2(1 + fame)),
    ),
    isExample: Float64Array.from(index.files, ({ kind }) => (kind === "example" ? 1 : 0)),
    isConfiguration: Float64Array.from(index.files, ({ kind, path }) =>
      kind === "configuration" && !manifest.test(path) ? 1 : 0,
    ),
    isManifest: Float64Array.from(index.files, ({ path }) => (manifest.test(path) ? 1 : 0)),
    isDeclaration: Float64Array.from(index.files, (file) => (declaresOnly(file) ? 1 : 0)),
    isEntry: Float64Array.from(index.files, ({ path }) =>
      /(?:^|\/)(?:lib\.rs|mod\.rs|main\.rs|__init__\.py|index\.[jt]s)$/.test(path) ? 1 : 0,
    ),
  };
}

/** True for files without executable code: typings, and TypeScript with nothing but types. */
function declaresOnly({ path, form }: IndexedFile): boolean {
  if (/\.d\.[cm]?ts$|\.pyi$/.test(path)) return true;
  const kinds = form.pieces.slice(1).map(({ kind }) => kind);
  return /\.[cm]?ts$/.test(path) && kinds.length > 0 && kinds.every((kind) => typesOnly.has(kind));
}

const typesOnly: ReadonlySet<Piece["kind"]> = new Set(["interface", "type"]);

const languagesApart: readonly { readonly ending: RegExp; readonly weights: FileWeights }[] = [
  { ending: /\.[cm]?[jt]sx?$|\.(?:vue|svelte)$/, weights: ecmascriptWeights },
  { ending: /\.rs$/, weights: rustWeights },
];

/**
 * Returns the weights of the files' features, which differ by language. If more than half of the source files have a
 * language with its own weights, these count.
 */
export function weightsOf({ files }: SearchIndex): FileWeights {
  const sources = files.filter(({ kind }) => kind === "source");
  const own = languagesApart.find(
    ({ ending }) => sources.filter(({ path }) => ending.test(path)).length > sources.length / 2,
  );
  return own?.weights ?? fileWeights;
}

/** Scales the scores so that the best candidate file has 1. */
function normalise({ isCandidateFile }: SearchIndex, scores: Float64Array): Float64Array {
  let largest = 0;
  for (let file = 0; file < scores.length; file++) {
    if (isCandidateFile[file] === 1) largest = Math.max(largest, scores[file] ?? 0);
  }
  if (largest > 0)
    for (let file = 0; file < scores.length; file++) scores[file] = (scores[file] ?? 0) / largest;
  return scores;
}

/**
 * For each file, the score of its best piece (`first`), and half of the second score plus a quarter of the third
 * (`next`). Inline tests do not count.
 */
function bestPieces(
  { files, fileOfPiece, isInlineTest }: SearchIndex,
  pieces: Float64Array,
): { readonly first: Float64Array; readonly next: Float64Array } {
  const first = new Float64Array(files.length);
  const second = new Float64Array(files.length);
  const third = new Float64Array(files.length);
  for (let piece = 0; piece < pieces.length; piece++) {
    const score = pieces[piece] ?? 0;
    const file = fileOfPiece[piece] ?? 0;
    if (score <= (third[file] ?? 0) || isInlineTest[piece] === 1) continue;
    if (score > (first[file] ?? 0)) {
      third[file] = second[file] ?? 0;
      second[file] = first[file] ?? 0;
      first[file] = score;
    } else if (score > (second[file] ?? 0)) {
      third[file] = second[file] ?? 0;
      second[file] = score;
    } else third[file] = score;
  }
  return { first, next: second.map((score, file) => score / 2 + (third[file] ?? 0) / 4) };
}

/** The best score of other files in the same folder: related changes are often together. */
function scoreFolders(index: SearchIndex, scores: Float64Array): Float64Array {
  const best = new Map<string, readonly [number, number]>();
  for (const [file, { path, kind }] of index.files.entries()) {
    if (!isCandidate(kind)) continue;
    const score = scores[file] ?? 0;
    const [first, second] = best.get(folderOf(path)) ?? [0, 0];
    best.set(folderOf(path), score > first ? [score, first] : [first, Math.max(second, score)]);
  }
  return Float64Array.from(index.files, ({ path }, file) => {
    const [first, second] = best.get(folderOf(path)) ?? [0, 0];
    return scores[file] === first ? second : first;
  });
}

/** For a manifest, the best source in its package: changed code may need a dependency or a feature. */
function scoreManifests({ files }: SearchIndex, scores: Float64Array): Float64Array {
  const best = new Map<string, number>();
  for (const { path } of files) if (manifest.test(path)) best.set(folderOf(path), 0);
  for (const [file, { path, kind }] of files.entries()) {
    if (kind !== "source") continue;
    let folder = folderOf(path);
    while (folder !== "" && !best.has(folder)) folder = folderOf(folder.slice(0, -1));
    best.set(folder, Math.max(best.get(folder) ?? 0, scores[file] ?? 0));
  }
  return Float64Array.from(files, ({ path }) => (manifest.test(path) ? (best.get(folderOf(path)) ?? 0) : 0));
}

/** Returns the file's folder with a trailing slash; "" at the top. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

interface PathScores {
  readonly path: Float64Array;
  readonly stem: Float64Array;
  readonly wholeStem: Float64Array;
}

/** Scores rare words of the query in a file's path or name. Also scores names if the query has all their words. */
function scorePathWords(index: SearchIndex, terms: ReadonlyMap<number, number>): PathScores {
  const path = new Float64Array(index.files.length);
  const stem = new Float64Array(index.files.length);
  const covered = new Map<number, number>();
  for (const [term, weight] of terms) {
    const files = index.filesByPathTerm(term);
    const gain = weight * Math.log(1 + index.files.length / (1 + files.length));
    for (const file of files) {
      const { stemTerms } = index.files[file] ?? { stemTerms: new Set<number>() };
      path[file] = (path[file] ?? 0) + gain;
      if (!stemTerms.has(term)) continue;
      stem[file] = (stem[file] ?? 0) + gain / Math.sqrt(stemTerms.size);
      covered.set(file, (covered.get(file) ?? 0) + 1);
    }
  }
  const wholeStem = stem.map((score, file) =>
    covered.get(file) === index.files[file]?.stemTerms.size ? score : 0,
  );
  return { path, stem, wholeStem };
}

const mostSeeds = 8;
