/**
 * Converts a text to a query for retrieval: weighted terms, the title's terms, pairs of adjacent words, and mentions of
 * code.
 */

import { addPairs } from "../forms/file-form.ts";
import { identifierTerms, stopWords } from "../forms/words.ts";
import { splitIdentifier } from "../terms.ts";
import { pairPartWeights, termPartWeights } from "./fusion-weights.ts";
import { type Mentions, readMentions } from "./read-mentions.ts";
import { type PartKind, partsOfStatement, type StatementPart } from "./statement-parts.ts";

export interface Query {
  /** Maps the hash of each term to its weight. */
  readonly terms: ReadonlyMap<number, number>;
  readonly titleTerms: ReadonlyMap<number, number>;
  /** Maps the hash of each term to the word as written in the text. */
  readonly words: ReadonlyMap<number, string>;
  readonly pairs: ReadonlyMap<number, number>;
  readonly mentions: Mentions;
}

const url = /https?:\/\/[^\s)>\]"']+/g;
/** Parts whose links count as links; in code and output they are data of the program. */
const linking: ReadonlySet<PartKind> = new Set(["title", "prose", "background"]);

function withoutLinks({ kind, text }: StatementPart): string {
  return linking.has(kind) ? text.replace(url, " ") : text;
}
const word = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

export function readQuery(text: string): Query {
  const parts = partsOfStatement(text);
  const titles = parts.filter(({ kind }) => kind === "title");
  return {
    terms: saturate(collectTerms(parts)),
    titleTerms: saturate(collectTerms(titles)),
    words: collectWords(parts),
    pairs: collectPairs(parts),
    mentions: readMentions(parts),
  };
}

function collectTerms(parts: readonly StatementPart[]): Map<number, number> {
  const terms = new Map<number, number>();
  const add = (term: number, weight: number): void => {
    terms.set(term, (terms.get(term) ?? 0) + weight);
  };
  for (const part of parts) {
    const { kind } = part;
    const weight = termPartWeights[kind];
    for (const [token] of withoutLinks(part).matchAll(word)) {
      if (token.length > 64 || stopWords.has(token.toLowerCase())) continue;
      const { words, whole, stems } = identifierTerms(token);
      for (const [index, term] of words.entries()) if (!stopWords.has(stems[index] ?? "")) add(term, weight);
      if (words.length > 1 || kind === "inline") add(whole, weight);
    }
  }
  return terms;
}

function collectWords(parts: readonly StatementPart[]): Map<number, string> {
  const words = new Map<number, string>();
  for (const part of parts) {
    for (const [token] of withoutLinks(part).matchAll(word)) {
      const terms = identifierTerms(token);
      const parts = splitIdentifier(token);
      for (const [index, term] of terms.words.entries()) {
        if (!words.has(term)) words.set(term, parts[index] ?? token);
      }
      if (terms.words.length > 1) words.set(terms.whole, token);
    }
  }
  return words;
}

/** Damps repetitions: each further one of a word adds less weight. */
function saturate(terms: Map<number, number>): Map<number, number> {
  return new Map([...terms].map(([term, weight]) => [term, Math.log2(1 + weight)]));
}

function collectPairs(parts: readonly StatementPart[]): Map<number, number> {
  const pairs = new Map<number, number>();
  for (const part of parts) {
    const weight = pairPartWeights[part.kind];
    let before: readonly string[] = [];
    for (const [token] of withoutLinks(part).matchAll(word)) {
      if (token.length > 64) continue;
      const { stems } = identifierTerms(token);
      addPairs([...before, ...stems], (term) => pairs.set(term, Math.max(weight, pairs.get(term) ?? 0)));
      before = stems.slice(-1);
    }
  }
  return pairs;
}
