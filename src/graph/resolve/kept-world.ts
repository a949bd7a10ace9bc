/**
 * The cached lookups of one file's resolution, for the next one: editors change the same files repeatedly. Valid until
 * the index is written again.
 */
import { type Store, stateOf } from "../store/open-store.ts";
import type { World } from "./world.ts";

interface Kept {
  readonly state: string;
  readonly world: World;
}

const worlds = new WeakMap<Store, Kept>();
/** Limit on definitions; in a large code base a full refresh looks at no more. */
const most = 50_000;

/** Takes the cached world before a transaction that rewrites one file; undefined if nothing valid is cached. */
export function takeWorld(store: Store): World | undefined {
  const kept = worlds.get(store);
  worlds.delete(store);
  return kept?.state === stateOf(store) ? kept.world : undefined;
}

/** Caches the world again, after the transaction's commit. */
export function keepWorld(store: Store, world: World): void {
  if (world.symbols.size < most) worlds.set(store, { state: stateOf(store), world });
}
