/**
 * Estimates the use of definitions before the index has edges. The estimate is FILES / DEFINITIONS²: the number of
 * files that contain the name, and of definitions with this name. Short names get 0.
 */
import type { Store } from "../store/open-store.ts";
import { openWords } from "./open-words.ts";

/** Names of one or two letters occur everywhere. */
const shortestName = 3;

/** Returns a score for each name, in the given order. Undefined if the index stores no words. */
export function rankByWords(store: Store, names: readonly string[]): Float64Array | undefined {
  const counts = openWords(store)?.countFiles();
  if (counts === undefined) return undefined;
  const sharers = new Map<string, number>();
  for (const name of names) sharers.set(name, (sharers.get(name) ?? 0) + 1);
  return Float64Array.from(names, (name) =>
    name.length < shortestName ? 0 : (counts.get(name) ?? 0) / (sharers.get(name) ?? 1) ** 2,
  );
}
