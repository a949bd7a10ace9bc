/** From extracted files to rows, and who has to look again: each call is inside one transaction, so a kill leaves whole files. */
import type { FileSymbols } from "../../domain/code-symbols.ts";
import { decodeFacts } from "../store/facts.ts";
import { deleteFileRows, type FileChange, writeFileRows } from "../store/file-rows.ts";
import { filesMentioning } from "../store/mentions.ts";
import type { Store } from "../store/open-store.ts";
import type { ExtractedFile } from "./extract-file.ts";

export interface WriteOptions {
  readonly stamp: string;
  /** No file's references are resolved yet, so none has to be marked. */
  readonly isFirst: boolean;
}

export function writeExtracted(store: Store, file: ExtractedFile, options: WriteOptions): FileChange {
  const { row, facts } = findFacts(store, file);
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
    body: file.body,
  });
  if (!options.isFirst) markDependents(store, change.file, namesOf(change, file.path));
  return change;
}

function findFacts(store: Store, { hash, facts }: ExtractedFile): { row?: number; facts?: FileSymbols } {
  if (hash === "") return {};
  if (facts !== undefined)
    store.prepare("INSERT OR IGNORE INTO facts (hash, data) VALUES (?,?)").run(hash, facts);
  const row = store.prepare("SELECT id, data FROM facts WHERE hash = ?").get(hash);
  if (row === undefined) return {};
  return { row: Number(row.id), facts: decodeFacts(facts ?? String(row.data)) };
}

function namesOf(change: FileChange, path: string): Set<string> {
  const names = new Set(change.names);
  if (change.isNew) for (const name of namesOfPath(path)) names.add(name);
  return names;
}

/** By what imports may call a file: its name without extensions, and its folder's for an index of the folder. */
export function namesOfPath(path: string): string[] {
  const [name = "", folder = ""] = path.split("/").reverse();
  return [name, name.replace(/\..*$/, ""), name.replace(/\.[^.]*$/, ""), folder].filter((one) => one !== "");
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
