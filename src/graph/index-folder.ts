/** Where the index of a repository lives: never inside it. */
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import { hashText } from "../base/hash.ts";

export interface IndexFolderSources {
  readonly repository: string;
  /** `--index-dir`: the folder of all indexes. */
  readonly indexes?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** `millwright/graphs/NAME-HASH` under the user's cache; one for each repository, by its real path. */
export function indexFolderOf({ repository, indexes, environment }: IndexFolderSources): string {
  const cache = environment.XDG_CACHE_HOME || join(environment.HOME ?? homedir(), ".cache");
  const all = indexes ?? environment.MILLWRIGHT_INDEX_DIR ?? join(cache, "millwright", "graphs");
  const real = realpathSync(repository);
  const name = basename(real)
    .replaceAll(/[^\w.-]/g, "_")
    .slice(0, 40);
  return join(resolve(all), `${name}-${hashText(real).slice(0, 16)}`);
}
