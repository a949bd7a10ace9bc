/** From extracted files to rows, and who has to look again: each call is inside one transaction, so a kill leaves whole files. */
import { decodeFacts, type Facts } from "../store/facts.ts";
import { deleteFileRows, type FileChange, writeFileRows } from "../store/file-rows.ts";
import { byPlace, filesMentioning } from "../store/mentions.ts";
import type { Store } from "../store/open-store.ts";
import type { ExtractedFile } from "./extract-file.ts";

export interface WriteOptions {
  readonly stamp: string;
  /** No file's references are resolved yet, so none has to be marked. */
  readonly isFirst: boolean;
}

export function writeExtracted(store: Store, file: ExtractedFile, options: WriteOptions): FileChange {
  const { row, facts } = findFacts(store, file);
  const before = options.isFirst ? undefined : readManifestOf(store, file.path);
  const change = writeFileRows(store, {
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
  });
  if (options.isFirst) return change;
  markDependents(store, change.file, namesOf(change, file.path));
  markSubclasses(store, change);
  if (before === file.manifest) return change;
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

function namesOf(change: FileChange, path: string): Set<string> {
  const names = new Set(change.names);
  if (change.isNew) for (const name of namesOfPath(path)) names.add(name);
  return names;
}

/** By what imports may call a file: its name without extensions, and its folder's for an index of the folder. */
export function namesOfPath(path: string): string[] {
  const [name = "", folder = ""] = path.split("/").reverse();
  const names = [name, name.replace(/\..*$/, ""), name.replace(/\.[^.]*$/, ""), folder];
  return [...names.filter((one) => one !== ""), byPlace];
}

/** The file is gone, or nothing but its row is left of it. */
export function removeFile(store: Store, file: number): void {
  const path = store.prepare("SELECT path FROM files WHERE id = ?").get(file)?.path;
  if (path === undefined) return;
  const names = deleteFileRows(store, file);
  for (const name of namesOfPath(String(path))) names.add(name);
  markDependents(store, file, names);
}

/** Files that speak of the names are resolved again. */
function markDependents(store: Store, changed: number, names: ReadonlySet<string>): void {
  const mark = store.prepare("UPDATE files SET resolved = 0 WHERE id = ? AND facts IS NOT NULL");
  for (const file of filesMentioning(store, names)) if (file !== changed) mark.run(file);
}

function readManifestOf(store: Store, path: string): string | undefined {
  const row = store
    .prepare("SELECT m.data FROM manifests m JOIN files f ON f.id = m.file WHERE f.path = ?")
    .get(path);
  return row === undefined ? undefined : String(row.data);
}

/** What a class hands down is found through names that only its subclasses' files know. */
function markSubclasses(store: Store, { file, names }: FileChange): void {
  if (names.size === 0) return;
  store
    .prepare(
      `WITH RECURSIVE below (type) AS (
         SELECT id FROM entities WHERE file = ?1
         UNION SELECT x.source FROM below JOIN edges x ON x.target = below.type AND x.kind = 3)
       UPDATE files SET resolved = 0 WHERE facts IS NOT NULL AND id <> ?1
         AND id IN (SELECT e.file FROM below JOIN entities e ON e.id = below.type)`,
    )
    .run(file);
}
