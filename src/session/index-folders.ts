/** Finds the folders of repositories' indexes, without loading the graph itself. */
import { indexesFolderOf, indexFolderOf } from "../graph/index-folder.ts";
import type { Host } from "./host.ts";

/** Returns the folder of all indexes: `indexDir` if given, else the environment's default. */
export function indexesOf({ environment }: Host, indexDir: string | undefined): string {
  return indexesFolderOf({ environment, ...(indexDir === undefined ? {} : { indexes: indexDir }) });
}

export function indexFolder(host: Host, repository: string, indexDir: string | undefined): string {
  return indexFolderOf({ repository, environment: host.environment, indexes: indexesOf(host, indexDir) });
}
