/** Determines the location of a repository's index: by default in the user's cache folder, not in the repository. */
import { realpathSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { cacheFolderOf } from "../base/cache-folder.ts";
import { isSystemError } from "../base/errors.ts";
import { hashText } from "../base/hash.ts";

export interface IndexFolderSources {
  readonly repository: string;
  /** `--index-dir`: the folder of all indexes. */
  readonly indexes?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * The name of a file in an index's folder. The file contains the repository's real path, and its modification time is
 * the time of the index's last use.
 */
export const ownerName = "repository";

/** The name of the database file in an index's folder. */
export const databaseName = "graph.sqlite";

/**
 * Returns the folder that contains all indexes: `indexes`, or else `MILLWRIGHT_INDEX_DIR`, or else `graphs` in
 * Millwright's cache folder.
 */
export function indexesFolderOf({ indexes, environment }: Omit<IndexFolderSources, "repository">): string {
  return resolve(indexes ?? environment.MILLWRIGHT_INDEX_DIR ?? join(cacheFolderOf(environment), "graphs"));
}

/**
 * Returns the folder of one repository's index: `NAME-HASH` in the folder of all indexes. NAME and HASH derive from the
 * repository's real path.
 */
export function indexFolderOf({ repository, ...sources }: IndexFolderSources): string {
  return join(indexesFolderOf(sources), indexNameOf(realpathSync(repository)));
}

export function indexNameOf(realPath: string): string {
  const name = basename(realPath)
    .replaceAll(/[^\w.-]/g, "_")
    .slice(0, 40);
  return `${name}-${hashText(realPath).slice(0, 16)}`;
}

/**
 * Records the index's repository and the time of this use; the sweep of old indexes reads both. Does nothing if the
 * folder is not writable.
 */
export function noteUse(directory: string, repository: string): void {
  const path = join(directory, ownerName);
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch (error) {
    if (!isSystemError(error, "ENOENT")) return;
    try {
      writeFileSync(path, `${realpathSync(repository)}\n`);
    } catch (failure) {
      if (!isSystemError(failure)) throw failure;
    }
  }
}
