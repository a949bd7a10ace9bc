/** Describes in words why a search found a file or piece. */

import { identifierTerms } from "../forms/words.ts";
import type { Found } from "./find.ts";
import { type FeatureName, featureNames } from "./fusion-weights.ts";
import { rowsOfPiece, type SearchIndex } from "./search-index.ts";

const said: Partial<Readonly<Record<FeatureName, string>>> = {
  namedPaths: "the query names its path",
  messages: "its strings or comments contain phrases of the query",
  stemWords: "its name contains words of the query",
  testBridge: "tests that match the query use it",
  phrases: "contains phrases of the query",
  graph: "calls, or is called by, code that matches the query",
  folder: "in the folder of another matching file",
  ownManifest: "the manifest of a matching file's package",
};
const judgedSo = "a model chose it";
const mostReasons = 4;
const mostWords = 5;

/** Gives at most four reasons for a file's rank: a model's choice first, then the strongest evidence. */
export function whyFile({ evidence: { features, weights }, chosen }: Found, file: number): string[] {
  const judged = chosen?.files.has(file) === true ? [judgedSo] : [];
  const reasons = featureNames
    .map((name) => ({ text: said[name], gain: weights[name] * (features[name][file] ?? 0) }))
    .filter(({ gain }) => gain > 0.2)
    .sort((a, b) => b.gain - a.gain)
    .flatMap(({ text }) => text ?? []);
  return [...judged, ...reasons].slice(0, mostReasons);
}

export function whyPiece(index: SearchIndex, found: Found, piece: number): string[] {
  const reasons = found.chosen?.pieces.has(piece) === true ? [judgedSo] : [];
  const { mentions } = found.evidence;
  if ((mentions.linePieces[piece] ?? 0) > 0) reasons.push("the query names one of its lines");
  const { name } = index.piece(piece);
  const isNamed = found.query.mentions.names.some(
    (mention) => mention.name === name && mention.weight >= 0.5 && mention.isInferred !== true,
  );
  if ((mentions.namePieces[piece] ?? 0) > 0 && isNamed) reasons.push(`the query names ${name}`);
  const words = rarestWords(index, found, piece);
  if (words.length > 0) reasons.push(`says ${words.join(", ")}`);
  return reasons;
}

function rarestWords(index: SearchIndex, { query }: Found, piece: number): string[] {
  const scored: { readonly word: string; readonly gain: number }[] = [];
  for (const term of rowsOfPiece(index, piece)) {
    const weight = query.terms.get(term);
    const word = query.words.get(term);
    const rows = index.rowsOf(term);
    if (weight === undefined || word === undefined || rows === undefined) continue;
    scored.push({ word, gain: weight * Math.log(index.pieceLength.length / (rows.to - rows.from)) });
  }
  scored.sort((a, b) => b.gain - a.gain);
  const words: string[] = [];
  for (const { word } of scored) {
    const isPart = words.some(
      (other) => identifierTerms(other).words.length > 1 && other.toLowerCase().includes(word),
    );
    if (!isPart && words.length < mostWords) words.push(word);
  }
  return words;
}
