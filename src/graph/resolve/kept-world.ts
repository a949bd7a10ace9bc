/**
 * What the resolution of one changed file has looked at, kept for the next: who edits, edits the same files again. It is good as
 * long as nobody has written to the index in between.
 */
import { type Store, stateOf } from "../store/open-store.ts";
import type { World } from "./world.ts";

interface Kept {
  readonly state: string;
  readonly world: World;
}

const worlds = new WeakMap<Store, Kept>();
/** Definitions; a refresh of everything looks at no more than that in a large code base. */
const most = 50_000;

/** Before a transaction that rewrites one file; undefined where nothing is kept that still holds. */
export function takeWorld(store: Store): World | undefined {
  const kept = worlds.get(store);
  worlds.delete(store);
  return kept?.state === stateOf(store) ? kept.world : undefined;
}

/** After it was committed. */
export function keepWorld(store: Store, world: World): void {
  if (world.symbols.size < most) worlds.set(store, { state: stateOf(store), world });
}
