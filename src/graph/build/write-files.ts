/**
 * Writes extracted files as rows. Callers must wrap each call in a transaction, so that a kill leaves no partly written
 * file.
 */
import { decodeFacts, type Facts } from "../store/facts.ts";
import { deleteFileRows, type FileChange, writeFileRows } from "../store/file-rows.ts";
import type { Store } from "../store/open-store.ts";
import { markDependents, markMentioning, namesOfPath } from "./dependents.ts";
import type { ExtractedFile } from "./extract-file.ts";

export interface WriteOptions {
  readonly stamp: string;
  /** True if no file's references are resolved yet. Then no file needs a mark. */
  readonly isFirst: boolean;
  /** True to keep the file's edges, as in `writeFileRows`. */
  readonly keepsEdges?: boolean;
}

export interface WrittenFile extends FileChange {
  /** True if the file's imports and the names by which other files import it are unchanged. Lines may differ. */
  readonly isPlaceKept: boolean;
}

export function writeExtracted(store: Store, file: ExtractedFile, options: WriteOptions): WrittenFile {
  const { row, facts } = findFacts(store, file);
  const before = options.isFirst ? undefined : readManifestOf(store, file.path);
  const content = {
    path: file.path,
    language: facts?.language ?? "",
    stamp: options.stamp,
    bytes: file.bytes,
    lines: file.lines,
    flags: file.flags,
    skipped: file.skipped,
    facts,
    factsRow: row,
    form: file.form,
    manifest: file.manifest,
  };
  const change = writeFileRows(store, content, options.keepsEdges);
  if (options.isFirst) return { ...change, isPlaceKept: false };
  const isPlaceKept = markDependents(store, change, file.path);
  if (before === file.manifest) return { ...change, isPlaceKept };
  store.prepare("UPDATE files SET resolved = 0 WHERE facts IS NOT NULL").run();
  return { ...change, isPlaceKept: false };
}

function findFacts(store: Store, { hash, facts }: ExtractedFile): { row?: number; facts?: Facts } {
  if (hash === "") return {};
  if (facts !== undefined)
    store
      .prepare("INSERT OR IGNORE INTO facts (hash, data, uses) VALUES (?,?,?)")
      .run(hash, facts.head, facts.uses);
  const row = store
    .prepare("SELECT id, CASE WHEN ? THEN '' ELSE data END AS data FROM facts WHERE hash = ?")
    .get(facts === undefined ? 0 : 1, hash);
  if (row === undefined) return {};
  return { row: Number(row.id), facts: decodeFacts(facts?.head ?? String(row.data)) };
}

/** Deletes the data of a deleted file, and marks the files that mention the file or its definitions. */
export function removeFile(store: Store, file: number): void {
  const path = store.prepare("SELECT path FROM files WHERE id = ?").get(file)?.path;
  if (path === undefined) return;
  const names = deleteFileRows(store, file);
  for (const name of namesOfPath(String(path))) names.add(name);
  markMentioning(store, file, names);
}

function readManifestOf(store: Store, path: string): string | undefined {
  const row = store
    .prepare("SELECT m.data FROM manifests m JOIN files f ON f.id = m.file WHERE f.path = ?")
    .get(path);
  return row === undefined ? undefined : String(row.data);
}
