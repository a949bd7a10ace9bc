/**
 * Resolves files: turns their facts into edges, in two rounds. The first round finds the owners of definitions and the
 * supertypes. The second finds all other edges, and looks up members through the results of the first.
 */
import { setImmediate } from "node:timers/promises";
import { decodeFacts, decodeUses } from "../store/facts.ts";
import { dropResolved } from "../store/file-rows.ts";
import { createEdgeIndexes, type Store } from "../store/open-store.ts";
import { dropEdges, dropUnresolvedEdges, writeEdges } from "./edge-rows.ts";
import { findEdges } from "./edges.ts";
import { linkTypes } from "./link-types.ts";
import { openWorld, type World } from "./world.ts";

export interface ResolveOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** From this number of files on, one pass over all rows is cheaper than a query for each name. */
const manyFiles = 60;
const filesPerTransaction = 100;

/**
 * Resolves the references of all marked files. Returns false if the signal stopped it before the end; the remaining
 * files stay marked.
 */
export async function resolveFiles(store: Store, { signal, onProgress }: ResolveOptions): Promise<boolean> {
  const rows = store.prepare("SELECT id FROM files WHERE resolved = 0 ORDER BY id").all();
  const files = rows.map(({ id }) => Number(id));
  if (files.length === 0) return true;
  const isMany = files.length >= manyFiles;
  if (isMany) inBatch(store, () => dropUnresolvedEdges(store));
  else
    inBatch(store, () => {
      for (const file of files) dropEdges(store, file);
    });
  try {
    return await runRounds(store, files, openWorld(store, isMany), { signal, onProgress });
  } finally {
    createEdgeIndexes(store);
  }
}

async function runRounds(
  store: Store,
  files: readonly number[],
  world: World,
  { signal, onProgress }: ResolveOptions,
): Promise<boolean> {
  for (const round of [linkFile, connectFile]) {
    world.anywhere.clear();
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

/**
 * Resolves all references of one file whose rows are new. Call it inside a transaction. `known`: a cached world to
 * reuse. Returns the world that it used.
 */
export function resolveFile(store: Store, file: number, known: World | undefined): World {
  const world = known ?? openWorld(store, false);
  dropResolved(store, file);
  world.symbols.readFileAgain(file);
  world.anywhere.clear();
  linkFile(store, world, file);
  world.anywhere.clear();
  connectFile(store, world, file);
  return world;
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
  const file = world.files.byNumber(id);
  const text = readColumn(store, "data", id);
  if (file !== undefined && text !== undefined) linkTypes(store, world, file, decodeFacts(text));
}

function connectFile(store: Store, world: World, id: number): void {
  const file = world.files.byNumber(id);
  const text = readColumn(store, "uses", id);
  if (file !== undefined && text !== undefined)
    writeEdges(store, findEdges(store, world, file, decodeUses(text)));
  store.prepare("UPDATE files SET resolved = 1 WHERE id = ?").run(id);
}

function readColumn(store: Store, column: "data" | "uses", id: number): string | undefined {
  const row = store
    .prepare(`SELECT ${column} AS text FROM facts WHERE id = (SELECT facts FROM files WHERE id = ?)`)
    .get(id);
  return row === undefined ? undefined : String(row.text);
}
