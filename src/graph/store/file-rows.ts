/** Writes the data of one file: its row, its definitions, and the names that it mentions. */

import type { SQLOutputValue } from "node:sqlite";
import { folderOf } from "../../base/folder-of.ts";
import type { Import } from "../../domain/code-symbols.ts";
import { type DefinitionsChange, deleteEdgesOf, deleteEntity, mergeEntities } from "./entity-rows.ts";
import type { Facts } from "./facts.ts";
import { parseImports } from "./facts.ts";
import { deleteEmptyFolders, numberOfFolder } from "./folder-rows.ts";
import { writeMentions } from "./mentions.ts";
import type { Store } from "./open-store.ts";
import { entityFlags, stampOfWords } from "./schema.ts";

export interface FileContent {
  readonly path: string;
  readonly language: string;
  /** The file's stamp when it was read; "" forces reading it again. */
  readonly stamp: string;
  readonly bytes: number;
  readonly lines: number;
  /** A sum of `fileFlags`. */
  readonly flags: number;
  readonly skipped: string | undefined;
  /** The file's facts. Undefined if no language knows the file, or if it was skipped. */
  readonly facts: Facts | undefined;
  /** The id of the file's row in `facts`. */
  readonly factsRow: number | undefined;
  /** The result of `encodeForm`. */
  readonly form: Uint8Array | undefined;
  /** The result of `readManifest`, as JSON. */
  readonly manifest: string | undefined;
  /** The place of the file's words, as in the table `files`. */
  readonly words?: number;
}

export interface FileChange {
  readonly file: number;
  readonly isNew: boolean;
  /**
   * The file's imports, and the names by which other files import it: the old ones, if the file existed, and the new
   * ones.
   */
  readonly places: readonly [FilePlace | undefined, FilePlace];
  /**
   * Names whose definitions in this file were added, removed or changed in shape; all names if the index knew the file
   * only by words.
   */
  readonly names: ReadonlySet<string>;
  readonly definitions: DefinitionsChange;
}

/**
 * Writes the file's rows, and marks the file as unresolved if it has facts or words. Call it inside a transaction.
 * Drops the file's edges and the owners of its definitions. `keepsEdges`: keeps both; the caller must then drop the
 * invalid ones.
 */
export function writeFileRows(store: Store, content: FileContent, keepsEdges = false): FileChange {
  const known = store
    .prepare(`SELECT id, stamp, words, facts, ${placeColumns} FROM files WHERE path = ?`)
    .get(content.path);
  const file = known === undefined ? addFileEntity(store, content) : Number(known.id);
  if (known !== undefined) {
    if (!keepsEdges) dropResolved(store, file);
    store.prepare("UPDATE entities SET end_line = ? WHERE id = ?").run(content.lines, file);
  }
  const words = content.facts === undefined ? undefined : wordsOfSame(known, content.stamp);
  writeFileRow(store, file, words === undefined ? content : { ...content, words });
  store.prepare("DELETE FROM manifests WHERE file = ?").run(file);
  if (content.manifest !== undefined)
    store.prepare("INSERT INTO manifests VALUES (?,?)").run(file, content.manifest);
  if (content.form === undefined) store.prepare("DELETE FROM forms WHERE file = ?").run(file);
  else store.prepare("INSERT OR REPLACE INTO forms VALUES (?,?)").run(file, content.form);
  const definitions = content.facts?.definitions ?? [];
  const { language, flags } = content;
  const change = mergeEntities(store, { file, isNew: known === undefined, language, flags }, definitions);
  const names = new Set(change.kinds.keys());
  // Nothing was based on words, so everything is new.
  if (known?.words != null && known.facts === null) for (const { name } of definitions) names.add(name);
  writeMentions(store, file, content.facts?.mentions ?? [], known === undefined);
  const places = [known === undefined ? undefined : readPlace(known), placeOf(content)] as const;
  return { file, isNew: known === undefined, places, names, definitions: change };
}

export interface FilePlace {
  readonly language: string;
  /** A sum of `fileFlags`. */
  readonly flags: number;
  readonly module: string | undefined;
  readonly imports: readonly Import[];
}

function placeOf({ language, flags, facts }: FileContent): FilePlace {
  return { language, flags, module: facts?.module, imports: facts?.imports ?? [] };
}

function readPlace({ language, flags, module, imports }: Record<string, SQLOutputValue>): FilePlace {
  return {
    language: String(language),
    flags: Number(flags),
    module: module === null ? undefined : String(module),
    imports: imports === null ? [] : parseImports(String(imports)),
  };
}

/** The location of the file's stored words; undefined if they do not belong to its current content. */
function wordsOfSame(known: Record<string, SQLOutputValue> | undefined, stamp: string): number | undefined {
  if (known === undefined || known.words === null || stamp === "") return undefined;
  return known.stamp === stamp || known.stamp === stampOfWords(stamp) ? Number(known.words) : undefined;
}

const placeColumns = "language, flags, module, imports";

export function addFileEntity(
  store: Store,
  { path, flags, language, lines }: Pick<FileContent, "path" | "flags" | "language" | "lines">,
  folder = numberOfFolder(store, folderOf(path)),
): number {
  const result = store
    .prepare("INSERT INTO entities VALUES (NULL,0,?,NULL,2,?,?,?,1,?,1,0,'',NULL,NULL,?,NULL,0)")
    .run(
      folder,
      path.slice(path.lastIndexOf("/") + 1),
      path,
      language,
      lines,
      (flags & 1) * entityFlags.inTests,
    );
  return Number(result.lastInsertRowid);
}

/** Drops the edges of the file's references, and the owners of its definitions. */
export function dropResolved(store: Store, file: number): void {
  store.prepare("DELETE FROM edges WHERE file = ?").run(file);
  store.prepare("UPDATE entities SET owner = NULL WHERE file = ? AND owner IS NOT NULL").run(file);
}

/** Writes only the file's own row, not its definitions, mentions or edges. */
export function writeFileRow(store: Store, file: number, content: FileContent): void {
  const { facts } = content;
  const resolved = facts === undefined && content.words === undefined ? 1 : 0;
  store
    .prepare("INSERT OR REPLACE INTO files VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
    .run(
      file,
      content.path,
      content.language,
      content.factsRow ?? null,
      content.stamp,
      content.bytes,
      content.lines,
      content.flags,
      facts?.syntaxErrors ?? 0,
      content.skipped ?? null,
      facts?.module ?? null,
      facts === undefined || facts.imports.length === 0 ? null : JSON.stringify(facts.imports),
      resolved,
      content.words ?? null,
    );
}

/**
 * Deletes all rows of a file except its facts, and the folders that are then empty. Returns the names that the file
 * defined. Call it inside a transaction.
 */
export function deleteFileRows(store: Store, file: number): Set<string> {
  store.prepare("DELETE FROM edges WHERE file = ?").run(file);
  store.prepare("DELETE FROM mentions WHERE file = ?").run(file);
  store.prepare("DELETE FROM forms WHERE file = ?").run(file);
  const names = new Set<string>();
  for (const row of store.prepare("SELECT id, name FROM entities WHERE file = ?").all(file)) {
    names.add(String(row.name));
    deleteEntity(store, Number(row.id));
  }
  const own = store.prepare("SELECT parent FROM entities WHERE id = ?").get(file);
  store.prepare("DELETE FROM files WHERE id = ?").run(file);
  store.prepare("DELETE FROM entities WHERE id = ?").run(file);
  store.prepare("DELETE FROM manifests WHERE file = ?").run(file);
  deleteEdgesOf(store, file);
  if (own !== undefined) deleteEmptyFolders(store, Number(own.parent));
  return names;
}
