/**
 * Updates one changed file of an index in which Millwright has already resolved the references. Writes the file's new
 * entities and resolves its references in one transaction.
 */

import { keepWorld, takeWorld } from "../resolve/kept-world.ts";
import { readResolved, resolveChanged } from "../resolve/resolve-changed.ts";
import { resolveFile } from "../resolve/resolve-files.ts";
import { inTransaction, type Store } from "../store/open-store.ts";
import { extractHere } from "./extract-here.ts";
import type { ScannedFile } from "./scan.ts";
import { writeExtracted } from "./write-files.ts";

/**
 * Reads a changed file again. Returns false, and writes nothing, if the file no longer exists. The caller must hold the
 * index's writer lock.
 */
export async function readAgain(store: Store, scanned: ScannedFile): Promise<boolean> {
  const { path, stamp } = scanned;
  const extracted = await extractHere(store, scanned);
  if (extracted.gone === true) return false;
  const known = takeWorld(store);
  const world = inTransaction(store, () => {
    const before = readResolved(store, path);
    const options = { stamp, isFirst: false, keepsEdges: before !== undefined };
    const change = writeExtracted(store, extracted, options);
    return change.isPlaceKept
      ? resolveChanged(store, change, before, known)
      : resolveFile(store, change.file, undefined);
  });
  keepWorld(store, world);
  return true;
}
