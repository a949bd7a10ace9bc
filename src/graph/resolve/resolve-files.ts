/**
 * From facts to edges. In two rounds over the files that are to be resolved: first what belongs to which type and what inherits
 * from what, then everything else, which looks members up through the first.
 */
import { setImmediate } from "node:timers/promises";
import type { FileSymbols } from "../../domain/code-symbols.ts";
import { decodeFacts } from "../store/facts.ts";
import type { Store } from "../store/open-store.ts";
import { writeEdges } from "./edges.ts";
import type { FileInfo } from "./file-table.ts";
import { linkTypes } from "./link-types.ts";
import { openWorld, type World } from "./world.ts";

export interface ResolveOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** From this many on, one pass over all rows is cheaper than asking for each name. */
const manyFiles = 60;
const filesPerTransaction = 100;

/** False where it was stopped before the end. What is unresolved stays marked so. */
export async function resolveFiles(store: Store, { signal, onProgress }: ResolveOptions): Promise<boolean> {
  const rows = store.prepare("SELECT id FROM files WHERE resolved = 0 ORDER BY id").all();
  const files = rows.map(({ id }) => Number(id));
  if (files.length === 0) return true;
  const world = openWorld(store, files.length >= manyFiles);
  for (const round of [linkFile, connectFile]) {
    for (let at = 0; at < files.length; at += filesPerTransaction) {
      await setImmediate();
      if (signal.aborted) return false;
      inBatch(store, () => {
        for (const file of files.slice(at, at + filesPerTransaction)) round(store, world, file);
      });
      if (round === connectFile) onProgress(Math.min(at + filesPerTransaction, files.length), files.length);
    }
  }
  return true;
}

/** Inside a transaction, for one file. */
export function resolveFile(store: Store, file: number): void {
  const world = openWorld(store, false);
  linkFile(store, world, file);
  connectFile(store, world, file);
}

function inBatch(store: Store, work: () => void): void {
  store.database.exec("BEGIN IMMEDIATE");
  try {
    work();
    store.database.exec("COMMIT");
  } catch (error) {
    if (store.database.isTransaction) store.database.exec("ROLLBACK");
    throw error;
  }
}

function linkFile(store: Store, world: World, id: number): void {
  const read = readFacts(store, world, id);
  if (read !== undefined) linkTypes(store, world, read.file, read.facts);
}

function connectFile(store: Store, world: World, id: number): void {
  const read = readFacts(store, world, id);
  if (read !== undefined) writeEdges(store, world, read.file, read.facts);
  store.prepare("UPDATE files SET resolved = 1 WHERE id = ?").run(id);
}

function readFacts(
  store: Store,
  world: World,
  id: number,
): { file: FileInfo; facts: FileSymbols } | undefined {
  const file = world.files.byNumber(id);
  const row = store
    .prepare("SELECT data FROM facts WHERE id = (SELECT facts FROM files WHERE id = ?)")
    .get(id);
  return file === undefined || row === undefined ? undefined : { file, facts: decodeFacts(String(row.data)) };
}
