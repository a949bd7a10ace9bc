/** How much definitions are used, before there are edges: in how many files their name stands, shared by those that have it. */
import type { Store } from "../store/open-store.ts";
import { openWords } from "./open-words.ts";

/** A name of one or two letters stands everywhere. */
const shortestName = 3;

/** By an entity's number; undefined where nothing rests on words. */
export function rankByWords(store: Store, size: number): Float64Array | undefined {
  const words = openWords(store);
  if (words === undefined) return undefined;
  const ranks = new Float64Array(size);
  const byName = new Map<string, number[]>();
  for (const { id, name } of store
    .prepare("SELECT id, name FROM entities WHERE kind BETWEEN 4 AND 13 AND flags & 4 = 0")
    .all()) {
    const found = byName.get(String(name));
    if (found === undefined) byName.set(String(name), [Number(id)]);
    else found.push(Number(id));
  }
  const counts = words.countFiles();
  for (const [name, ids] of byName) {
    if (name.length < shortestName) continue;
    const score = (counts.get(name) ?? 0) / ids.length ** 2;
    for (const id of ids) ranks[id] = score;
  }
  return ranks;
}
