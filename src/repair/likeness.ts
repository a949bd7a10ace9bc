/** Scores how well a change fits its surroundings: familiar identifiers, and little text. */
import type { FileContext } from "./file-context.ts";

/**
 * Returns the likeness of two names from 0 to 1: the share of common letter pairs (Dice's coefficient). A name of one
 * letter counts 0.5 if the other name begins with it.
 */
export function nameLikeness(a: string, b: string): number {
  if (a === b) return 1;
  const first = pairsOf(a);
  const second = pairsOf(b);
  if (first.length === 0 || second.length === 0) return a[0] === b[0] ? 0.5 : 0;
  const rest = [...second];
  let common = 0;
  for (const pair of first) {
    const at = rest.indexOf(pair);
    if (at >= 0) {
      common++;
      rest.splice(at, 1);
    }
  }
  return (2 * common) / (first.length + second.length);
}

/** Caches the letter pairs of names, because Millwright compares the same names repeatedly. Cleared when full. */
const knownPairs = new Map<string, readonly string[]>();
const mostKnown = 10_000;

function pairsOf(name: string): readonly string[] {
  const known = knownPairs.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  const pairs = Array.from({ length: Math.max(0, lower.length - 1) }, (_, at) => lower.slice(at, at + 2));
  if (knownPairs.size >= mostKnown) knownPairs.clear();
  knownPairs.set(name, pairs);
  return pairs;
}

const identifier = /[A-Za-z_$][\w$]*/g;

/** Returns the identifiers in a piece of code, including words in strings. */
export function identifiersIn(code: string): string[] {
  return code.match(identifier) ?? [];
}

/**
 * Scores how well a replacement fits its surroundings, from 0 to 1. `around` has the names of the function. A small
 * edit with only these names and words of the failing tests gets nearly 1. A name from elsewhere in the file counts
 * 0.6, and an unknown name 0.35.
 */
export function likenessOf(
  context: FileContext,
  around: ReadonlySet<string>,
  before: string,
  after: string,
): number {
  const had = new Set(identifiersIn(before));
  const neutral = context.source.dialect.keywords;
  const added = identifiersIn(after).filter((name) => !had.has(name) && !neutral.includes(name));
  const homes = added.map((name): number =>
    around.has(name) || context.words.names.has(name) ? 1 : context.frequency.has(name) ? 0.6 : 0.35,
  );
  const home = homes.length === 0 ? 1 : homes.reduce((sum, value) => sum + value, 0) / homes.length;
  const size = changedLength(before, after);
  return home * (0.5 + 0.5 / (1 + size / 24));
}

/** Counts the characters between the common beginning and the common end of the two texts, in the longer text. */
export function changedLength(before: string, after: string): number {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return Math.max(before.length, after.length) - head - tail;
}
