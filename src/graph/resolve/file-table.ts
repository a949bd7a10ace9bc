/**
 * Looks up files of the code base by path, name, folder and module. Reads them from the store on demand, or all at
 * once.
 */

import type { SQLOutputValue } from "node:sqlite";
import { folderOf } from "../../base/folder-of.ts";
import type { Manifest } from "../manifests.ts";
import type { Store } from "../store/open-store.ts";
import { fileFlags } from "../store/schema.ts";

export interface FileInfo {
  readonly id: number;
  readonly path: string;
  readonly language: string;
  /** The family of the file's language. Languages that can refer to each other's definitions share a family. */
  readonly family: string;
  readonly isTest: boolean;
  /** The package or namespace that the file declares. */
  readonly module: string | undefined;
  /** The file's imports as JSON. */
  readonly imports: string | undefined;
}

export interface PlacedManifest {
  /** The folder of the manifest; "" is the repository's root. */
  readonly folder: string;
  readonly manifest: Manifest;
}

export interface FileTable {
  byNumber(id: number): FileInfo | undefined;
  byPath(path: string): FileInfo | undefined;
  /** Files with this last segment. */
  byName(name: string): readonly FileInfo[];
  /** Returns the files directly in the folder. */
  inFolder(folder: string): readonly FileInfo[];
  ofModule(module: string): readonly FileInfo[];
  readonly manifests: readonly PlacedManifest[];
}

const families: Readonly<Record<string, string>> = {
  javascript: "ecmascript",
  typescript: "ecmascript",
  tsx: "ecmascript",
  c: "c",
  cpp: "c",
  java: "jvm",
  kotlin: "jvm",
};

export function familyOf(language: string): string {
  return families[language] ?? language;
}

const columns = "f.id, f.path, f.language, f.flags, f.module, f.imports";

/**
 * Opens the table of files. `all`: true to read all files in one pass. Otherwise each look-up is one indexed query, and
 * its result is cached.
 */
export function openFileTable(store: Store, all: boolean): FileTable {
  const tables = all ? loadAll(store) : undefined;
  const ask = (kind: Question): ((key: string) => readonly FileInfo[]) => {
    const known = tables?.[kind] ?? new Map<string, FileInfo[]>();
    return (key) => {
      const found = known.get(key);
      if (found !== undefined) return found;
      const rows = tables === undefined ? store.prepare(questions[kind]).all(key).map(readInfo) : [];
      known.set(key, rows);
      return rows;
    };
  };
  const [byPath, byNumber] = [ask("path"), ask("number")];
  const numbers = new Map<number, FileInfo>();
  return {
    byNumber(id) {
      const known = numbers.get(id);
      if (known !== undefined) return known;
      const info = byNumber(String(id))[0];
      if (info !== undefined) numbers.set(id, info);
      return info;
    },
    byPath: (path) => byPath(path)[0],
    byName: ask("name"),
    inFolder: ask("folder"),
    ofModule: ask("module"),
    manifests: loadManifests(store),
  };
}

type Question = "path" | "number" | "name" | "folder" | "module";

const questions: Readonly<Record<Question, string>> = {
  path: `SELECT ${columns} FROM files f WHERE f.path = ?`,
  number: `SELECT ${columns} FROM files f WHERE f.id = CAST(? AS INTEGER)`,
  name: `SELECT ${columns} FROM entities e JOIN files f ON f.id = e.id WHERE e.name = ? AND e.kind = 2 ORDER BY f.id`,
  folder: `SELECT ${columns} FROM entities e JOIN files f ON f.id = e.id WHERE e.kind = 2
    AND e.parent = CASE ?1 WHEN '' THEN 1 ELSE (SELECT id FROM folders WHERE path = ?1) END ORDER BY f.id`,
  module: `SELECT ${columns} FROM files f WHERE f.module = ? ORDER BY f.id`,
};

function loadAll(store: Store): Record<Question, Map<string, FileInfo[]>> {
  const tables = {
    path: new Map<string, FileInfo[]>(),
    number: new Map<string, FileInfo[]>(),
    name: new Map<string, FileInfo[]>(),
    folder: new Map<string, FileInfo[]>(),
    module: new Map<string, FileInfo[]>(),
  };
  for (const row of store.prepare(`SELECT ${columns} FROM files f ORDER BY f.id`).iterate()) {
    const info = readInfo(row);
    push(tables.path, info.path, info);
    push(tables.number, String(info.id), info);
    push(tables.name, info.path.slice(info.path.lastIndexOf("/") + 1), info);
    push(tables.folder, folderOf(info.path), info);
    if (info.module !== undefined) push(tables.module, info.module, info);
  }
  return tables;
}

function push(map: Map<string, FileInfo[]>, key: string, info: FileInfo): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [info]);
  else known.push(info);
}

function readInfo(row: Record<string, SQLOutputValue>): FileInfo {
  const language = String(row.language);
  return {
    id: Number(row.id),
    path: String(row.path),
    language,
    family: familyOf(language),
    isTest: (Number(row.flags) & fileFlags.test) !== 0,
    module: row.module === null ? undefined : String(row.module),
    imports: row.imports === null ? undefined : String(row.imports),
  };
}

function loadManifests(store: Store): PlacedManifest[] {
  const rows = store.prepare(
    "SELECT f.path, m.data FROM manifests m JOIN files f ON f.id = m.file ORDER BY f.path",
  );
  return rows.all().map(({ path, data }) => ({
    folder: folderOf(String(path)),
    manifest: JSON.parse(String(data)) as Manifest,
  }));
}
