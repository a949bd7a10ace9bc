/** Splits texts into terms: words and identifiers, whole and split by case and underscore. */

/** Splits a name into words: `findZone2` → find, zone2; `find_zone_2` → find, zone, 2. */
export function splitWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** Words that occur in every test and every program. */
const empty = new Set(
  (
    "test tests spec should assert asserts assertion error expect expected actual equal equals describe it " +
    "self this def function const let var return if else for while in is not and or new import from async await none null " +
    "undefined true false the to of be with as an on by fn func mut pub let void public private static class"
  ).split(" "),
);

/**
 * Counts the terms of a text: words, the parts of compound identifiers and the whole (`find_zone`), and numbers. Leaves
 * out single characters, and words that are common in programs and tests.
 */
export function countTerms(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (term: string): void => {
    if (term.length > 1 && !empty.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  };
  for (const [identifier] of text.matchAll(/[A-Za-z_$][\w$]*|\d+(?:\.\d+)?/g)) {
    const parts = /^\d/.test(identifier) ? [identifier] : splitWords(identifier);
    for (const part of parts) add(part);
    if (parts.length > 1 && !parts.every((part) => empty.has(part))) add(parts.join("_"));
  }
  return counts;
}

/**
 * Adds a text's terms to a query of weighted terms. A repeated term gets more weight, but less than in proportion to
 * its count.
 */
export function addTerms(query: Map<string, number>, text: string, weight: number): void {
  for (const [term, count] of countTerms(text)) {
    query.set(term, (query.get(term) ?? 0) + weight * (1 + Math.log(count)));
  }
}

/** Okapi BM25 (Robertson et al., TREC-3, 1994), with the usual constants. */
const saturation = 1.2;
const lengthShare = 0.75;

/** Scores documents for the query (BM25), each relative to the best one: from 0 to 1. */
export function scoreTexts(
  documents: readonly ReadonlyMap<string, number>[],
  query: ReadonlyMap<string, number>,
): number[] {
  const frequency = new Map<string, number>();
  for (const document of documents) {
    for (const term of document.keys())
      if (query.has(term)) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  }
  const lengths = documents.map((document) => sum(document.values()));
  const mean = Math.max(1, sum(lengths) / Math.max(1, documents.length));
  const scores = documents.map((document, index) => {
    const damping = saturation * (1 - lengthShare + (lengthShare * (lengths[index] ?? 0)) / mean);
    let score = 0;
    for (const [term, count] of document) {
      const wanted = query.get(term);
      if (wanted === undefined) continue;
      const present = frequency.get(term) ?? 0;
      const rarity = Math.log(1 + (documents.length - present + 0.5) / (present + 0.5));
      score += (wanted * rarity * count * (saturation + 1)) / (count + damping);
    }
    return score;
  });
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  return best === 0 ? scores : scores.map((score) => score / best);
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
