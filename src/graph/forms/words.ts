/**
 * Makes the terms of retrieval. A term is a 32-bit hash of a stemmed word, of an identifier as written, or of two
 * adjacent words. Parts of identifiers are words too. Among 300,000 terms about ten collide, which does not affect
 * ranks.
 */

import { splitIdentifier } from "../terms.ts";

type TermClass = "word" | "identifier" | "pair";

const seeds: Readonly<Record<TermClass, number>> = {
  word: 0x811c9dc5,
  identifier: 0x9dc5811c,
  pair: 0x050c5d1f,
};

/** Hashes a term with FNV-1a (32 bits) over UTF-16 code units. */
export function hashTerm(text: string, kind: TermClass): number {
  let hash = seeds[kind];
  for (let index = 0; index < text.length; index++) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

const endings: readonly (readonly [RegExp, string])[] = [
  [/(?:ational|ation|ations)$/, "ate"],
  [/(?:izations?|isations?)$/, "ize"],
  [/(?:iness)$/, "y"],
  [/(?:fulness|ousness|iveness)$/, ""],
  [/(?:ssions?)$/, "ss"],
  [/(?:ctions?)$/, "ct"],
  [/(?:sses)$/, "ss"],
  [/(?:ies|ied)$/, "y"],
  [/(?:ings?|edly|ingly)$/, ""],
  [/(?:ed|ers?|ors?|able|ible|ably|ment|ments)$/, ""],
  [/(?:ches|shes|xes|zes)$/, ""],
  [/(?<![su])s$/, ""],
];

/**
 * Removes a word's ending, so that "decompressed", "decompression" and "decompress" match. Leaves words of fewer than
 * four letters unchanged.
 */
export function stem(word: string): string {
  if (word.length < 4) return word;
  for (const [ending, replacement] of endings) {
    const cut = word.replace(ending, replacement);
    if (cut === word) continue;
    if (cut.length < 3 || !/[aeiouy]/.test(cut)) return word;
    return undouble(cut);
  }
  return undouble(word);
}

/**
 * Removes the second of two equal last consonants except `l` and `s` (`stopped` → `stopp` → `stop`), or else a last
 * `e`, from a stem. Then `parse` and `parsing` match. Keeps the letters of the shortest stems.
 */
function undouble(cut: string): string {
  if (cut.length > 3 && /([^aeiouls])\1$/.test(cut)) return cut.slice(0, -1);
  return cut.length > 4 && cut.endsWith("e") ? cut.slice(0, -1) : cut;
}

export interface IdentifierTerms {
  /** Hashes of the identifier's stemmed parts. */
  readonly words: readonly number[];
  /** The hash of the identifier as written. */
  readonly whole: number;
  /** The identifier's stems as text. */
  readonly stems: readonly string[];
}

const known = new Map<string, IdentifierTerms>();
const mostKnown = 200_000;

/** Splits an identifier into terms. Caches the result, because a repository repeats its identifiers. */
export function identifierTerms(identifier: string): IdentifierTerms {
  const found = known.get(identifier);
  if (found !== undefined) return found;
  const stems = splitIdentifier(identifier).map(stem);
  const terms = {
    words: stems.map((one) => hashTerm(one, "word")),
    whole: hashTerm(identifier, "identifier"),
    stems,
  };
  if (known.size >= mostKnown) known.clear();
  known.set(identifier, terms);
  return terms;
}

/** Common words that do not help to find a place in a program. */
export const stopWords: ReadonlySet<string> = new Set(
  (
    "a about above after again all also always am an and any are as at be because been before being below between both but by can " +
    "cannot could did do does doing done down during each either else even ever every few for from further get gets getting give " +
    "given go goes going got had has have having he hello help her here hi hello how however i if in instead into is it its itself just " +
    "know let like look lot make makes many may maybe me might more most much must my myself need needs never no nor not now of off " +
    "ok on once one only or other our out over own please possible probably quite rather really same say see seem seems she should " +
    "since so some something somewhat still such sure take than thank thanks that the their them then there therefore these they " +
    "thing things think this those though through thus to too try tried trying two under until up us use used uses using very via " +
    "want wants was way we well were what when where whether which while who whose why will with within without work works working " +
    "would yes yet you your issue bug fix fixes fixed problem following example"
  ).split(" "),
);
