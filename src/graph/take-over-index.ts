/**
 * Starts the index of a copied folder with the original folder's index. Millwright then does not read equal files
 * again.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isSystemError } from "../base/errors.ts";
import { statNow } from "../workspace/file-status.ts";
import { stampOf } from "./build/scan.ts";
import { databaseName } from "./index-folder.ts";

export interface Indexed {
  /** The index's folder. */
  readonly directory: string;
  readonly repository: string;
}

/**
 * Copies an index for use with a copy of its repository. Does nothing if the copy already has an index, or if the other
 * index cannot be read. The caller must then build a new index, which takes longer.
 */
export function takeOverIndex(from: Indexed, to: Indexed): void {
  const source = join(from.directory, databaseName);
  const target = join(to.directory, databaseName);
  if (existsSync(target) || !existsSync(source)) return;
  mkdirSync(to.directory, { recursive: true });
  try {
    withDatabase(source, true, (database) => database.prepare("VACUUM INTO ?").run(target));
    withDatabase(target, false, (database) => moveStamps(database, from.repository, to.repository));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    rmSync(target, { force: true });
  }
}

function withDatabase(path: string, readOnly: boolean, work: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(path, { readOnly, timeout: 2_000 });
  try {
    work(database);
  } finally {
    database.close();
  }
}

/** Updates the stamps of files whose indexed state is current and whose bytes are equal in the copy. */
function moveStamps(database: DatabaseSync, from: string, to: string): void {
  const update = database.prepare("UPDATE files SET stamp = ? WHERE id = ?");
  const rows = database.prepare("SELECT id, path, stamp FROM files").all();
  database.exec("BEGIN");
  for (const { id, path, stamp } of rows) {
    const [own, copied] = [join(from, String(path)), join(to, String(path))];
    const [before, now] = [statNow(own), statNow(copied)];
    if (before === undefined || now === undefined || stampOf(before) !== stamp) continue;
    if (before.size !== now.size || !before.isFile() || !now.isFile()) continue;
    if (readFileSync(own).equals(readFileSync(copied))) update.run(stampOf(now), Number(id));
  }
  database.exec("COMMIT");
}
