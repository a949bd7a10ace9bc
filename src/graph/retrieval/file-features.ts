/** What speaks for a file, each as a list over all files: the lists that are fused. */

import { type FieldWeights, scoreTerms, type TermScores } from "./fields-score.ts";
import { type MentionScores, scoreMentions } from "./mention-scores.ts";
import { type Links, spread } from "./name-links.ts";
import type { Query } from "./read-query.ts";
import { isCandidate, type SearchIndex } from "./search-index.ts";

export const featureNames = [
  "text",
  "flatText",
  "title",
  "bestPiece",
  "nextPieces",
  "namedDefinitions",
  "namedPaths",
  "messages",
  "pathWords",
  "stemWords",
  "testBridge",
  "documentBridge",
  "neighbours",
  "size",
  "fame",
  "isExample",
  "isConfiguration",
  "isEntry",
] as const;
export type FeatureName = (typeof featureNames)[number];
export type Features = Readonly<Record<FeatureName, Float64Array>>;

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
const flatFields: FieldWeights = {
  code: 1,
  comment: 1,
  string: 1,
  name: 0,
  path: 0,
  test: 0.2,
  k1: 1.2,
  b: 0.3,
};
const messageFields: FieldWeights = {
  code: 0,
  comment: 0.3,
  string: 1,
  name: 0,
  path: 0,
  test: 0,
  k1: 0.5,
  b: 0.2,
};

export interface Evidence {
  readonly features: Features;
  readonly text: TermScores;
  readonly title: TermScores;
  readonly messages: TermScores;
  readonly mentions: MentionScores;
}

export function gatherEvidence(index: SearchIndex, links: Links, query: Query): Evidence {
  const text = scoreTerms(index, query.terms, textFields);
  const title = scoreTerms(index, query.titleTerms, textFields);
  const flat = scoreTerms(index, query.terms, flatFields);
  const messages = scoreTerms(index, query.pairs, messageFields);
  const mentions = scoreMentions(index, query.mentions);
  const best = bestPieces(index, text.pieces);
  const paths = scorePathWords(index, query.terms);
  const seedsOf = (wanted: (kind: string) => boolean): Float64Array =>
    seeds(index, text.files, best.first, wanted);
  const features: Features = {
    ...priorsOf(index, links),
    text: normalise(index, text.files),
    flatText: normalise(index, flat.files),
    title: normalise(index, title.files),
    bestPiece: normalise(index, best.first),
    nextPieces: normalise(index, best.next),
    namedDefinitions: normalise(index, mentions.nameFiles),
    namedPaths: mentions.pathFiles.map((score) => Math.min(1, score)),
    messages: normalise(index, messages.files),
    pathWords: normalise(index, paths.path),
    stemWords: normalise(index, paths.stem),
    testBridge: normalise(
      index,
      spread(
        links,
        seedsOf((kind) => kind === "test"),
        0,
        1,
      ),
    ),
    documentBridge: normalise(
      index,
      spread(
        links,
        seedsOf((kind) => kind === "document"),
        0,
        1,
      ),
    ),
    neighbours: normalise(
      index,
      spread(
        links,
        seedsOf((kind) => kind === "source"),
        0.4,
        3,
      ),
    ),
  };
  return { features, text, title, messages, mentions };
}

type Prior = "size" | "fame" | "isExample" | "isConfiguration" | "isEntry";

/** What is known of a file without a query. */
function priorsOf(index: SearchIndex, links: Links): Pick<Features, Prior> {
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
    isConfiguration: Float64Array.from(index.files, ({ kind }) => (kind === "configuration" ? 1 : 0)),
    isEntry: Float64Array.from(index.files, ({ path }) =>
      /(?:^|\/)(?:lib\.rs|mod\.rs|main\.rs|__init__\.py|index\.[jt]s)$/.test(path) ? 1 : 0,
    ),
  };
}

/** The largest value of a file in which a change is looked for becomes 1. */
function normalise(index: SearchIndex, scores: Float64Array): Float64Array {
  let largest = 0;
  for (const [file, score] of scores.entries()) {
    if (score > largest && isCandidate(index.files[file]?.kind ?? "test")) largest = score;
  }
  return largest === 0 ? scores : scores.map((score) => score / largest);
}

/** Of each file its best piece, and half of its second with a quarter of its third. Inline tests are no places of a change. */
function bestPieces(
  index: SearchIndex,
  pieces: Float64Array,
): { readonly first: Float64Array; readonly next: Float64Array } {
  const first = new Float64Array(index.files.length);
  const next = new Float64Array(index.files.length);
  for (const [number, file] of index.files.entries()) {
    const top = [0, 0, 0];
    for (const [offset, piece] of file.form.pieces.entries()) {
      if (piece.isTest && file.kind !== "test") continue;
      const score = pieces[file.firstPiece + offset] ?? 0;
      if (score > (top[2] ?? 0)) {
        top[2] = score;
        top.sort((a, b) => b - a);
      }
    }
    first[number] = top[0] ?? 0;
    next[number] = (top[1] ?? 0) / 2 + (top[2] ?? 0) / 4;
  }
  return { first, next };
}

/** Rare words of the query in a file's path, and in its name. */
function scorePathWords(
  index: SearchIndex,
  terms: ReadonlyMap<number, number>,
): { readonly path: Float64Array; readonly stem: Float64Array } {
  const path = new Float64Array(index.files.length);
  const stem = new Float64Array(index.files.length);
  for (const [term, weight] of terms) {
    const files = index.filesByPathTerm(term);
    const gain = weight * Math.log(1 + index.files.length / (1 + files.length));
    for (const file of files) {
      const { stemTerms } = index.files[file] ?? { stemTerms: new Set<number>() };
      path[file] = (path[file] ?? 0) + gain;
      if (stemTerms.has(term)) stem[file] = (stem[file] ?? 0) + gain / Math.sqrt(stemTerms.size);
    }
  }
  return { path, stem };
}

const mostSeeds = 10;

/** The best files of a kind by text and best piece; the later ones start with less. */
function seeds(
  index: SearchIndex,
  text: Float64Array,
  best: Float64Array,
  wanted: (kind: string) => boolean,
): Float64Array {
  const scored: { readonly file: number; readonly score: number }[] = [];
  for (const [file, { kind }] of index.files.entries()) {
    if (wanted(kind)) scored.push({ file, score: (text[file] ?? 0) + (best[file] ?? 0) });
  }
  scored.sort((a, b) => b.score - a.score);
  const start = new Float64Array(index.files.length);
  for (const [rank, { file, score }] of scored.slice(0, mostSeeds).entries())
    start[file] = score / (2 + rank);
  return start;
}
