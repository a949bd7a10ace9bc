/** Names near to one that is missing. */

import { plainName } from "../store/identify.ts";
import type { Store } from "../store/open-store.ts";
import { splitTerms } from "../terms.ts";

interface Scored {
  readonly name: string;
  readonly score: number;
}

/** Best first; none where nothing is near. */
export function suggestNames(store: Store, written: string, limit: number): readonly string[] {
  const plain = plainName(written);
  const wanted = plain.slice(plain.lastIndexOf(".") + 1);
  const lower = wanted.toLowerCase();
  const terms = new Set(splitTerms(wanted));
  const scored: Scored[] = [];
  for (const { name } of store
    .prepare("SELECT DISTINCT name FROM entities WHERE kind > 2 AND kind < 18")
    .iterate()) {
    const score = likeness(lower, terms, String(name));
    if (score > 0.5) scored.push({ name: String(name), score });
  }
  return scored
    .sort((a, b) => b.score - a.score || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}

/** 1: only the case differs. Else by the distance of the letters, or by how many words are shared. */
function likeness(wanted: string, terms: ReadonlySet<string>, name: string): number {
  const lower = name.toLowerCase();
  if (lower === wanted) return 1;
  const longest = Math.max(lower.length, wanted.length);
  const most = Math.floor(longest / 3);
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

/** Levenshtein's distance, or more than `most`. */
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
