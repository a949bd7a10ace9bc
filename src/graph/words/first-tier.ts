/** When a refresh reads words first: where much of an index is missing. */
import { languageOf } from "../../languages/source-files.ts";
import { longestCode } from "../build/read-bytes.ts";
import type { ScannedFile } from "../build/scan.ts";
import type { Store } from "../store/open-store.ts";
import { readWordsFirst } from "./read-first.ts";
import { hasLargeGitIndex } from "./start-early.ts";
import { startWordsThreads, type WordsThreads } from "./words-threads.ts";

export interface FirstTierOptions {
  readonly threads?: number;
  readonly wordsFrom?: number;
  readonly onSearchable?: (searchable: Searchable) => void;
  /** Threads that are started already; they are stopped when the words are known, or are not asked for. */
  readonly readers?: WordsThreads | undefined;
}

export interface Searchable {
  /** Files whose words alone are known now. */
  readonly byWords: number;
  /** Milliseconds that reading the rest may take: an estimate, from how long the words took. */
  readonly restMs: number;
}

export interface FirstTier {
  /** Reads those of the changed files that the index has not at all, where they are many; false where they are few. */
  read(changed: readonly ScannedFile[], signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

/** Bytes of code whose syntax is read in about two seconds. */
const usualBytes = 2 * 1024 * 1024;
/** How many times as long the syntax of the same files takes, and their references; measured by `npm run bench:index`. */
const syntaxPerWords = 12;
/** Threads start before the files are known where there will be many: listing them takes as long as a thread needs to start. */
export function openFirstTier(store: Store, repository: string, options: FirstTierOptions): FirstTier {
  const { threads, wordsFrom = usualBytes, onSearchable } = options;
  let started = options.readers;
  if (started === undefined && isEmpty(store) && hasLargeGitIndex(repository))
    started = startWordsThreads(threads);
  return {
    async read(changed, signal) {
      const code = changed.filter(
        ({ path, isNew, bytes }) => isNew && bytes <= longestCode && languageOf(path) !== undefined,
      );
      if (code.reduce((sum, { bytes }) => sum + bytes, 0) < wordsFrom || code.length === 0) return false;
      started ??= startWordsThreads(threads);
      const { files, took } = await readWordsFirst(store, started, code, signal);
      onSearchable?.({ byWords: files, restMs: took * syntaxPerWords });
      return true;
    },
    close: async () => started?.stop(),
  };
}

function isEmpty(store: Store): boolean {
  return store.prepare("SELECT 1 FROM files").get() === undefined;
}
