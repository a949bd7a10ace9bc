/** A query as retrieval uses it: weighted terms, the title's own, pairs of words of messages, and the entities it mentions. */
import { addPair } from "./file-form.ts";
import { type Mentions, readMentions } from "./read-mentions.ts";
import { type PartKind, partsOfStatement, type StatementPart } from "./statement-parts.ts";
import { identifierTerms, stopWords } from "./words.ts";

export interface Query {
  /** Term → weight. */
  readonly terms: ReadonlyMap<number, number>;
  readonly titleTerms: ReadonlyMap<number, number>;
  readonly pairs: ReadonlyMap<number, number>;
  readonly mentions: Mentions;
}

/** How much a word counts by the part that it stands in; found on mined tasks, see fusion-weights.ts. */
const partWeight: Readonly<Record<PartKind, number>> = {
  title: 2.5,
  prose: 1,
  inline: 1,
  code: 0.5,
  output: 0.5,
  background: 0.1,
};

const url = /https?:\/\/[^\s)>\]"']+/g;
const word = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

export function readQuery(text: string): Query {
  const parts = partsOfStatement(text);
  const titles = parts.filter(({ kind }) => kind === "title");
  return {
    terms: saturate(collectTerms(parts)),
    titleTerms: saturate(collectTerms(titles)),
    pairs: collectPairs(parts),
    mentions: readMentions(parts),
  };
}

function collectTerms(parts: readonly StatementPart[]): Map<number, number> {
  const terms = new Map<number, number>();
  const add = (term: number, weight: number): void => {
    terms.set(term, (terms.get(term) ?? 0) + weight);
  };
  for (const { kind, text } of parts) {
    const weight = partWeight[kind];
    for (const [token] of text.replace(url, " ").matchAll(word)) {
      if (token.length > 64 || stopWords.has(token.toLowerCase())) continue;
      const { words, whole, stems } = identifierTerms(token);
      for (const [index, term] of words.entries()) if (!stopWords.has(stems[index] ?? "")) add(term, weight);
      if (words.length > 1 || kind === "inline") add(whole, weight);
    }
  }
  return terms;
}

/** A word that is repeated counts more, with less for each repetition. */
function saturate(terms: Map<number, number>): Map<number, number> {
  return new Map([...terms].map(([term, weight]) => [term, Math.log2(1 + weight)]));
}

function collectPairs(parts: readonly StatementPart[]): Map<number, number> {
  const pairs = new Map<number, number>();
  for (const { kind, text } of parts) {
    if (kind === "background" || kind === "code") continue;
    let before = "";
    for (const [token] of text.replace(url, " ").matchAll(word)) {
      before = addPair(before, token, (term) => pairs.set(term, kind === "output" ? 1.5 : 1));
    }
  }
  return pairs;
}
