/**
 * Starts the threads of a first tier before Millwright loads the other modules of the index. Starting and loading take
 * equally long, and run in parallel.
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { databaseName } from "../index-folder.ts";
import { startWordsThreads, type WordsThreads } from "./words-threads.ts";

/** Number of bytes of git's own index above which a repository probably has many files. */
const largeGitIndex = 64 * 1024;

/**
 * Starts the threads to pass as `RefreshOptions.readers`. Undefined if the repository is small or already has an index:
 * threads would not help.
 */
export function startEarly(repository: string, directory: string): WordsThreads | undefined {
  if (!hasLargeGitIndex(repository) || existsSync(join(directory, databaseName))) return undefined;
  return startWordsThreads();
}

export function hasLargeGitIndex(repository: string): boolean {
  const status = statSync(join(repository, ".git", "index"), { throwIfNoEntry: false });
  return status !== undefined && status.size > largeGitIndex;
}
