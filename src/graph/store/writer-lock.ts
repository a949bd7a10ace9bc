/**
 * Allows one process at a time to write an index. The lock is a SQLite lock on a second, empty database. The operating
 * system releases it however the process ends.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isSystemError } from "../../base/errors.ts";

export interface WriterLock {
  release(): void;
}

/** Takes the writer's lock; undefined if another process holds it. */
export function takeWriterLock(directory: string): WriterLock | undefined {
  const database = new DatabaseSync(join(directory, "writer.sqlite"), { timeout: 0 });
  try {
    database.exec("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (isSystemError(error, "ERR_SQLITE_ERROR") && /locked|busy/.test(error.message)) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}
