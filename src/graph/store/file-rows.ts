/** Writes what is known of one file: its row, its definitions, the names that it speaks of. Integers of entities whose key is unchanged are kept. */
import type { SQLOutputValue } from "node:sqlite";
import type { Definition } from "../../domain/code-symbols.ts";
import type { Facts } from "./facts.ts";
import { deleteEmptyFolders, numberOfFolder } from "./folder-rows.ts";
import { type Identity, identifyDefinitions } from "./identify.ts";
import { writeMentions } from "./mentions.ts";
import type { Store } from "./open-store.ts";
import { entityFlags, entityKinds, flagsOfDefinition, kindNumbers, stampOfWords } from "./schema.ts";

export interface FileContent {
  readonly path: string;
  readonly language: string;
  /** Of the file on disk when it was read; "" makes it be read again. */
  readonly stamp: string;
  readonly bytes: number;
  readonly lines: number;
  /** See `fileFlags`. */
  readonly flags: number;
  readonly skipped: string | undefined;
  /** Undefined where no language knows the file, or it was skipped. */
  readonly facts: Facts | undefined;
  /** The row of `facts`. */
  readonly factsRow: number | undefined;
  /** `encodeForm`. */
  readonly form: Uint8Array | undefined;
  /** JSON of `readManifest`. */
  readonly manifest: string | undefined;
  /** See the table `files`. */
  readonly words?: number;
}

export interface FileChange {
  readonly file: number;
  readonly isNew: boolean;
  /** What it imports, and what imports find it by, is as before. */
  readonly isPlaceKept: boolean;
  /** Names whose definitions here came, went or changed their shape. */
  readonly names: ReadonlySet<string>;
}

interface OldRow {
  readonly id: number;
  readonly shape: string;
  readonly name: string;
}

/** Inside a transaction. Edges of the file are dropped; it counts as unresolved. */
export function writeFileRows(store: Store, content: FileContent): FileChange {
  const known = store
    .prepare(`SELECT id, stamp, words, facts, ${placeColumns} FROM files WHERE path = ?`)
    .get(content.path);
  const file = known === undefined ? addFileEntity(store, content) : Number(known.id);
  if (known !== undefined) {
    dropDerived(store, file);
    store.prepare("UPDATE entities SET end_line = ? WHERE id = ?").run(content.lines, file);
  }
  const words = content.facts === undefined ? undefined : wordsOfSame(known, content.stamp);
  writeFileRow(store, file, words === undefined ? content : { ...content, words });
  store.prepare("DELETE FROM manifests WHERE file = ?").run(file);
  if (content.manifest !== undefined)
    store.prepare("INSERT INTO manifests VALUES (?,?)").run(file, content.manifest);
  if (content.form !== undefined) store.prepare("INSERT INTO forms VALUES (?,?)").run(file, content.form);
  const definitions = content.facts?.definitions ?? [];
  const names = mergeEntities(store, file, content, definitions, known === undefined);
  // What words told was no ground for anything: all of it is new.
  if (known?.words != null && known.facts === null) for (const { name } of definitions) names.add(name);
  if (content.facts !== undefined) writeMentions(store, file, content.facts.mentions);
  const place = store.prepare(`SELECT ${placeColumns} FROM files WHERE id = ?`).get(file);
  const isPlaceKept = Object.entries(place ?? {}).every(([column, value]) => known?.[column] === value);
  return { file, isNew: known === undefined, isPlaceKept, names };
}

/** Where its words stand, as long as they are those of the file as it is now. */
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

export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

function dropDerived(store: Store, file: number): void {
  store.prepare("DELETE FROM edges WHERE file = ?").run(file);
  store.prepare("DELETE FROM mentions WHERE file = ?").run(file);
  store.prepare("DELETE FROM forms WHERE file = ?").run(file);
}

/** Its row alone. */
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

function mergeEntities(
  store: Store,
  file: number,
  content: FileContent,
  definitions: readonly Definition[],
  isNew: boolean,
): Set<string> {
  const old = isNew ? new Map<string, OldRow>() : readOldRows(store, file);
  const identities = identifyDefinitions(content.language, definitions);
  const numbers: number[] = [];
  const changed = new Set<string>();
  for (const [index, definition] of definitions.entries()) {
    const identity = identities[index];
    if (identity === undefined) continue;
    const parent = numbers[definition.container] ?? file;
    const key = keyOf(definition.kind, identity);
    const before = old.get(key);
    old.delete(key);
    numbers.push(
      writeEntity(store, { file, parent, definition, identity, content, id: before?.id, ordinal: index }),
    );
    const shape = shapeOf(parent, definition.isPublic);
    if (before?.shape !== shape) changed.add(definition.name);
  }
  for (const { id, name } of old.values()) {
    changed.add(name);
    deleteEntity(store, id);
  }
  return changed;
}

function readOldRows(store: Store, file: number): Map<string, OldRow> {
  const rows = store
    .prepare("SELECT id, parent, kind, name, qualified, disambiguator, flags FROM entities WHERE file = ?")
    .all(file);
  const old = new Map<string, OldRow>();
  for (const row of rows) {
    const identity = { qualified: String(row.qualified), disambiguator: String(row.disambiguator) };
    const isPublic = (Number(row.flags) & entityFlags.public) !== 0;
    const shape = shapeOf(Number(row.parent), isPublic);
    const key = keyOf(entityKinds[Number(row.kind)] ?? "file", identity);
    old.set(key, { id: Number(row.id), name: String(row.name), shape });
  }
  return old;
}

interface NewEntity {
  readonly file: number;
  readonly parent: number;
  readonly definition: Definition;
  readonly identity: Identity;
  readonly content: FileContent;
  /** Of the row that it had before. */
  readonly id: number | undefined;
  /** Its place in the facts. */
  readonly ordinal: number;
}

/** A row that was there keeps what its key says: no index has to be touched for it. */
function writeEntity(
  store: Store,
  { file, parent, definition, identity, content, id, ordinal }: NewEntity,
): number {
  const d = definition;
  const changing = [d.startLine, d.endLine, d.at.line, d.at.column, d.signature, d.documentation ?? null];
  const rest = [d.arity ?? null, flagsOfDefinition(d, content.flags), d.type ?? null, ordinal];
  if (id !== undefined) {
    store.prepare(updateEntity).run(parent, ...changing, ...rest, id);
    return id;
  }
  const { qualified, disambiguator } = identity;
  const own = [file, parent, kindNumbers.get(d.kind) ?? 0, d.name, qualified, disambiguator];
  return Number(store.prepare(insertEntity).run(...own, ...changing, ...rest).lastInsertRowid);
}

const insertEntity = "INSERT INTO entities VALUES (NULL,?,?,NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
const updateEntity = `UPDATE entities SET parent = ?, owner = NULL, start_line = ?, end_line = ?, line = ?, column = ?, signature = ?,
  documentation = ?, arity = ?, flags = ?, type = ?, ordinal = ? WHERE id = ?`;

function deleteEntity(store: Store, id: number): void {
  store.prepare("DELETE FROM entities WHERE id = ?").run(id);
  deleteEdgesOf(store, id);
}

/** Edges of other files: numbers may be given again. */
function deleteEdgesOf(store: Store, id: number): void {
  store.prepare("DELETE FROM edges WHERE target = ?").run(id);
  store.prepare("DELETE FROM edges WHERE kind = 3 AND source = ?").run(id);
}

/** Inside a transaction. The names that the file defined. */
export function deleteFileRows(store: Store, file: number): Set<string> {
  dropDerived(store, file);
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

function keyOf(kind: string, { qualified, disambiguator }: Identity): string {
  return `${kind}\0${qualified}\0${disambiguator}`;
}

/** What other files' references may depend on beside the key. */
function shapeOf(parent: number, isPublic: boolean): string {
  return `${parent} ${isPublic}`;
}
