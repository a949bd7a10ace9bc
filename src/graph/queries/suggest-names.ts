/** Suggests names similar to a missing one. */

import { plainName } from "../store/identify.ts";
import type { Store } from "../store/open-store.ts";
import { splitTerms } from "../terms.ts";

/** Maximum number of mistyped letters. Shared words find more distant names. */
const mostErrors = 3;
/** Selects all names as one text, because a row for each name costs more than the comparison. */
const allNames = `
SELECT group_concat(name, char(10)) AS names
FROM (SELECT DISTINCT name FROM entities WHERE kind > 2 AND kind < 18 AND name <> '')`;

/** Every name once; cached until the index changes. */
interface Names {
  readonly version: string;
  readonly names: readonly string[];
  readonly lowered: readonly string[];
  /** The letters of each name. */
  readonly occurring: Int32Array;
}

const kept = new WeakMap<Store, Names>();

/** Caches the names by a version: `data_version` counts changes by others, `total_changes` those of this connection. */
function readNames(store: Store): Names {
  const [others, own] = ["PRAGMA data_version", "SELECT total_changes()"].map((sql) =>
    Object.values(store.prepare(sql).get() ?? {}),
  );
  const version = `${others} ${own}`;
  const known = kept.get(store);
  if (known?.version === version) return known;
  const text = String(store.prepare(allNames).get()?.names ?? "");
  // All at once: a call for each name costs more than the comparison.
  const lowered = text.toLowerCase().split("\n");
  const fresh = { version, names: text.split("\n"), lowered, occurring: Int32Array.from(lowered, lettersOf) };
  kept.set(store, fresh);
  return fresh;
}

/** Suggests similar names, best first; empty if no name is similar. */
export function suggestNames(store: Store, written: string, limit: number): readonly string[] {
  const plain = plainName(written);
  const wanted = plain.slice(plain.lastIndexOf(".") + 1);
  const lower = wanted.toLowerCase();
  const terms = new Set(splitTerms(wanted));
  const words = [...terms].filter((term) => term !== lower);
  const letters = lettersOf(lower);
  const most = errorsIn(lower);
  const scored: (readonly [name: string, score: number])[] = [];
  const { names, lowered, occurring } = readNames(store);
  for (let at = 0; at < names.length; at++) {
    const other = lowered[at] ?? "";
    const isNear =
      Math.abs(other.length - lower.length) <= most && differences(letters, occurring[at] ?? 0) <= 2 * most;
    if (!isNear && countHeld(words, other) < 2) continue;
    const name = names[at] ?? "";
    const score = likeness(lower, terms, name);
    if (score > 0.5) scored.push([name, score]);
  }
  return scored
    .sort(([a, one], [b, other]) => other - one || a.length - b.length || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([name]) => name);
}

function countHeld(words: readonly string[], text: string): number {
  return words.filter((word) => text.includes(word)).length;
}

function errorsIn(name: string): number {
  return Math.max(1, Math.min(mostErrors, Math.floor(name.length / 3)));
}

/** The letters that occur, one bit each; digits and other characters share one. */
function lettersOf(lower: string): number {
  let bits = 0;
  for (let at = 0; at < lower.length; at++) {
    const letter = lower.charCodeAt(at) - 97;
    bits |= 1 << (letter >= 0 && letter < 26 ? letter : 26);
  }
  return bits;
}

function differences(a: number, b: number): number {
  let count = 0;
  for (let bits = a ^ b; bits !== 0; bits &= bits - 1) count++;
  return count;
}

/**
 * The likeness of two names, from 0 to 1: 1 if only the case differs. Otherwise the larger of two values, from the
 * letters' edit distance and from the number of shared words.
 */
function likeness(wanted: string, terms: ReadonlySet<string>, name: string): number {
  const lower = name.toLowerCase();
  if (lower === wanted) return 1;
  const longest = Math.max(lower.length, wanted.length);
  const most = errorsIn(wanted);
  const letters =
    Math.abs(lower.length - wanted.length) > most ? 0 : 1 - distance(wanted, lower, most) / longest;
  return Math.max(letters, sharedWords(terms, name));
}

function sharedWords(terms: ReadonlySet<string>, name: string): number {
  if (terms.size < 2) return 0;
  const others = new Set(splitTerms(name));
  if (others.size < 2) return 0;
  let shared = 0;
  for (const term of others) if (terms.has(term)) shared++;
  return (2 * shared) / (terms.size + others.size);
}

/** The Levenshtein distance, or a number above `most`. */
function distance(a: string, b: string, most: number): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let best = row;
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      const cost = Math.min(
        (previous[column - 1] ?? 0) + same,
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
      );
      current.push(cost);
      best = Math.min(best, cost);
    }
    if (best > most) return most + 1 + a.length;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
