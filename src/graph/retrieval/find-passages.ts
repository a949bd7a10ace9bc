/**
 * Finds passages of documents that may answer a question. Compares the words of the question and of each section; words
 * in headings count more.
 */
import type { Language } from "../../languages/contract.ts";
import { languages } from "../../languages/languages.generated.ts";
import { identifierTerms } from "../forms/words.ts";
import { bestSeeds } from "./bridges.ts";
import { type FieldWeights, scoreTerms } from "./fields-score.ts";
import type { Searcher } from "./find.ts";
import { readQuery } from "./read-query.ts";

export interface Passage {
  readonly piece: number;
  readonly score: number;
}

const fields: FieldWeights = { code: 1, comment: 1, string: 1, name: 5, path: 3, test: 1, k1: 1.2, b: 0.4 };

/** Finds at most `limit` passages of documents, the best first. A document without sections is one passage. */
export function findPassages({ index }: Searcher, question: string, limit: number): Passage[] {
  const { pieces, files } = scoreTerms(index, termsOf(question), fields);
  const logWeight = asksForPast.test(question) ? 1 : logOfChangesWeight;
  for (const [piece, score] of pieces.entries()) {
    if (score === 0) continue;
    const file = index.fileOfPiece[piece] ?? 0;
    const whole = score + 0.2 * (files[file] ?? 0);
    pieces[piece] = isLogOfChanges.test(index.files[file]?.path ?? "") ? logWeight * whole : whole;
  }
  const isDocument = (_: number, file: number): boolean => index.files[file]?.kind === "document";
  return bestSeeds(index, pieces, limit, isDocument).map(({ piece, weight }) => ({ piece, score: weight }));
}

const asksForTests = /\btest(?:s|ed|ing)?\b/i;
const asksHow = /\b(?:how|run|runs|running|execute|command|start|invoke)\b/i;
/** Programs that run tests. We tuned the weights and words on the documents of 20 public projects. */
const programs = "bundle cargo check gradlew jest make mvn npm npx pnpm test verify vitest yarn";
const known: readonly Language[] = languages;
const runners = [
  ...new Set([...programs.split(" "), ...known.flatMap(({ runners: own = [] }) => own)]),
].sort();
const programWeight = 0.5;

/**
 * The question's terms. For a question about running tests, adds programs' names, because documents often give only the
 * command.
 */
function termsOf(question: string): ReadonlyMap<number, number> {
  const { terms } = readQuery(question);
  if (!asksForTests.test(question) || !asksHow.test(question)) return terms;
  const more = runners.flatMap((program) => identifierTerms(program).words);
  return new Map([
    ...terms,
    ...more.map((term) => [term, Math.max(programWeight, terms.get(term) ?? 0)] as const),
  ]);
}

/** Change logs, which mention everything and explain nothing. */
const isLogOfChanges = /(?:^|\/)(?:change(?:s|log)?|history|news|releases?|upgrad\w*)\b[^/]*(?:$|\/)/i;
const asksForPast = /\b(?:changed?|changes|since|releases?d?|versions?|history|upgrad\w*|new)\b/i;
const logOfChangesWeight = 0.7;
