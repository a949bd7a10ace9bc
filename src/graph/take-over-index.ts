/** An index that is there already, as the beginning of another: what was read is known by its content, wherever the files lie. */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isSystemError } from "../base/errors.ts";
import { databaseName } from "./store/open-store.ts";

/** Does nothing where `to` has one, or `from` has none that can be read: it is built anew then, which takes longer. */
export function takeOverIndex(from: string, to: string): void {
  const [source, target] = [join(from, databaseName), join(to, databaseName)];
  if (existsSync(target) || !existsSync(source)) return;
  mkdirSync(to, { recursive: true });
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(source, { readOnly: true, timeout: 2_000 });
    database.prepare("VACUUM INTO ?").run(target);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    rmSync(target, { force: true });
  } finally {
    database?.close();
  }
}
