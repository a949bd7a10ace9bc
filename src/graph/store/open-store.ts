/**
 * Opens an index's database. Creates it if it is missing, and recreates it if it is damaged, not ours, or of another
 * version.
 */

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { isSystemError, MillwrightError } from "../../base/errors.ts";
import { fieldOf } from "../../base/fields.ts";
import { databaseName } from "../index-folder.ts";
import { applicationId, edgeIndexes, entityIndexes, indexes, schemaVersion, tables } from "./schema.ts";

export interface Store {
  readonly database: DatabaseSync;
  /** The reason why Millwright discarded an older index; undefined if it did not. */
  readonly rebuilt: string | undefined;
  /** Returns the prepared statement of the SQL text. Prepares each text only once. */
  prepare(sql: string): StatementSync;
  close(): void;
}

export interface StoreOptions {
  readonly directory: string;
  /** The version of the extraction. The rows depend on it and on the schema's version. */
  readonly version: string;
  readonly readOnly?: boolean;
}

const busyMs = 10_000;

/**
 * Opens the store. Creates it if it is missing, damaged, not ours or of another version. Throws MillwrightError("disk")
 * if the folder is not writable, or the database cannot be opened.
 */
export function openStore(options: StoreOptions): Store {
  const path = join(options.directory, databaseName);
  makeFolder(options.directory);
  const first = tryOpen(path, options);
  if (typeof first !== "string") return toStore(first, undefined);
  removeDatabase(options.directory);
  const second = tryOpen(path, options);
  if (typeof second !== "string") return toStore(second, first);
  throw new MillwrightError("disk", `The index at ${path} cannot be opened: ${second}`, {
    hint: "Remove the index's folder, or set MILLWRIGHT_INDEX_DIR to another folder for indexes.",
  });
}

export function removeDatabase(directory: string): void {
  for (const suffix of ["", "-wal", "-shm"])
    rmSync(join(directory, `${databaseName}${suffix}`), { force: true });
}

function makeFolder(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true });
  } catch (error) {
    throw new MillwrightError("disk", `The index's folder ${directory} cannot be created: ${String(error)}`, {
      hint: "Set MILLWRIGHT_INDEX_DIR to another folder.",
      cause: error,
    });
  }
}

/** The database, or why it cannot be used. Throws errors of the disk itself. */
function tryOpen(path: string, options: StoreOptions): DatabaseSync | string {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: busyMs });
    // Until its tables exist, an index holds nothing worth waiting for the disk.
    database.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL; PRAGMA cache_size = -65536");
    database.exec(
      "PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 67108864; PRAGMA wal_autocheckpoint = 8000",
    );
    const problem = checkVersion(database, options.version);
    database.exec("PRAGMA synchronous = NORMAL");
    if (problem === undefined) return database;
    database.close();
    return problem;
  } catch (error) {
    database?.close();
    if (isDamage(error)) return `the index is damaged (${error.message})`;
    const hint = "Check whether the disk is full, or set MILLWRIGHT_INDEX_DIR to another folder for indexes.";
    throw new MillwrightError("disk", `The index at ${path} cannot be opened: ${String(error)}`, {
      hint,
      cause: error,
    });
  }
}

/** True for SQLITE_CORRUPT, SQLITE_NOTADB, and the errors of a truncated schema. */
export function isDamage(error: unknown): error is Error {
  if (!isSystemError(error, "ERR_SQLITE_ERROR")) return false;
  const primary = Number(fieldOf(error, "errcode") ?? 0) & 0xff;
  return primary === 11 || primary === 26 || /no such (table|column)|malformed/.test(error.message);
}

function checkVersion(database: DatabaseSync, version: string): string | undefined {
  const id = Number(database.prepare("PRAGMA application_id").get()?.application_id);
  const schema = Number(database.prepare("PRAGMA user_version").get()?.user_version);
  const empty = database.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.n === 0;
  if (empty) {
    createTables(database, version);
    return undefined;
  }
  if (id !== applicationId) return "it is not an index of Millwright";
  if (schema !== schemaVersion) return `it has version ${schema} of the tables, not ${schemaVersion}`;
  const known = database.prepare("SELECT value FROM meta WHERE key = 'version'").get()?.value;
  return known === version ? undefined : "it was made by another version of the extraction";
}

/** Creates the tables in one transaction, so that a kill leaves an empty database. */
function createTables(database: DatabaseSync, version: string): void {
  database.exec("BEGIN IMMEDIATE");
  const created = database.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.n !== 0;
  if (!created) {
    database.exec(tables);
    database.prepare("INSERT INTO meta VALUES ('version', ?)").run(version);
    database
      .prepare("INSERT INTO entities VALUES (1,0,0,NULL,0,'','','',0,0,0,0,'',NULL,NULL,0,NULL,0)")
      .run();
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`);
  }
  database.exec("COMMIT");
}

export function createIndexes(store: Store): void {
  store.database.exec(indexes);
}

export function createEntityIndexes(store: Store): void {
  store.database.exec(entityIndexes);
}

export function createEdgeIndexes(store: Store): void {
  store.database.exec(edgeIndexes);
}

function toStore(database: DatabaseSync, rebuilt: string | undefined): Store {
  const statements = new Map<string, StatementSync>();
  return {
    database,
    rebuilt,
    prepare(sql) {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      const statement = database.prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
    close() {
      statements.clear();
      if (database.isOpen) database.close();
    },
  };
}

/** Returns a text that changes whenever this or another process writes to the store. */
export function stateOf(store: Store): string {
  const read = (sql: string): unknown => Object.values(store.prepare(sql).get() ?? {})[0];
  return `${read("PRAGMA data_version")} ${read("SELECT total_changes()")}`;
}

/** Runs `work` in one write transaction; an exception rolls it back. */
export function inTransaction<T>(store: Store, work: () => T): T {
  store.database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    store.database.exec("COMMIT");
    return result;
  } catch (error) {
    if (store.database.isTransaction) store.database.exec("ROLLBACK");
    throw error;
  }
}
