/** Starts the threads of a first tier before anything else of the index is loaded: a thread needs as long to start as all of that. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { databaseName } from "../index-folder.ts";
import { startWordsThreads, type WordsThreads } from "./words-threads.ts";

/** Of git's own index, from which on many files are foretold. */
const largeGitIndex = 64 * 1024;

/** For `RefreshOptions.readers`; undefined where none will be needed: little code, or an index that is there. */
export function startEarly(repository: string, directory: string): WordsThreads | undefined {
  if (!hasLargeGitIndex(repository) || existsSync(join(directory, databaseName))) return undefined;
  return startWordsThreads();
}

export function hasLargeGitIndex(repository: string): boolean {
  const status = statSync(join(repository, ".git", "index"), { throwIfNoEntry: false });
  return status !== undefined && status.size > largeGitIndex;
}
