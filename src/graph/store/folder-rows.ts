/** Stores the repository's folders as entities of the index. The repository itself is the folder with number 1. */
import type { Store } from "./open-store.ts";

const repositoryNumber = 1;

/**
 * Returns the folder's entity number. `path`: without a trailing slash. Creates the rows of the folder and its parents
 * if they are missing. Call it inside a transaction.
 */
export function numberOfFolder(store: Store, path: string): number {
  if (path === "") return repositoryNumber;
  const known = store.prepare("SELECT id FROM folders WHERE path = ?").get(path);
  if (known !== undefined) return Number(known.id);
  const slash = path.lastIndexOf("/");
  const parent = numberOfFolder(store, path.slice(0, Math.max(slash, 0)));
  const result = store
    .prepare("INSERT INTO entities VALUES (NULL,0,?,NULL,1,?,?,'',0,0,0,0,'',NULL,NULL,0,NULL,0)")
    .run(parent, path.slice(slash + 1), path);
  const number = Number(result.lastInsertRowid);
  store.prepare("INSERT INTO folders VALUES (?,?)").run(number, path);
  return number;
}

/** Deletes the folder if it is empty, then its parent if that is empty now, and so on. */
export function deleteEmptyFolders(store: Store, folder: number): void {
  if (folder === repositoryNumber) return;
  if (store.prepare("SELECT 1 FROM entities WHERE parent = ? AND kind < 3").get(folder) !== undefined) return;
  const own = store.prepare("SELECT parent FROM entities WHERE id = ?").get(folder);
  store.prepare("DELETE FROM folders WHERE id = ?").run(folder);
  store.prepare("DELETE FROM entities WHERE id = ?").run(folder);
  if (own !== undefined) deleteEmptyFolders(store, Number(own.parent));
}
