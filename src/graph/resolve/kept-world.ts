/**
 * Caches the look-ups (the world) of one resolution for the next, because editors change the same files repeatedly. A
 * cached world is valid until another change of the index.
 */
import { type Store, stateOf } from "../store/open-store.ts";
import type { World } from "./world.ts";

interface Kept {
  readonly state: string;
  readonly world: World;
}

const worlds = new WeakMap<Store, Kept>();
/** Maximum number of cached definitions. Even a full refresh of a large code base looks at no more. */
const most = 50_000;

/**
 * Takes the cached world out of the cache. Call it before a transaction that rewrites one file. Undefined if the cache
 * has no valid world.
 */
export function takeWorld(store: Store): World | undefined {
  const kept = worlds.get(store);
  worlds.delete(store);
  return kept?.state === stateOf(store) ? kept.world : undefined;
}

/**
 * Caches the world for the next resolution. Call it after the commit of the transaction. Does not cache a world with
 * too many definitions.
 */
export function keepWorld(store: Store, world: World): void {
  if (world.symbols.size < most) worlds.set(store, { state: stateOf(store), world });
}
