/** Reads new files by their words, before Millwright parses them, if the index lacks many files. */
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
  /** Threads that are already started. They stop when all words are read, or if nobody needs them. */
  readonly readers?: WordsThreads | undefined;
}

export interface Searchable {
  /** Files that are now known only by words. */
  readonly byWords: number;
  /** Estimated milliseconds for reading the rest, derived from the time for the words. */
  readonly restMs: number;
}

export interface FirstTier {
  /** Reads new code files by their words if they have at least `wordsFrom` bytes together; otherwise returns false. */
  read(changed: readonly ScannedFile[], signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

/** Bytes of code whose syntax Millwright reads in about two seconds. */
const usualBytes = 2 * 1024 * 1024;
/**
 * The ratio of the time for syntax and references to the time for words of the same files; measured by
 * `npm run bench:index`.
 */
const syntaxPerWords = 12;
/**
 * Opens the first tier, which reads files by their words. Starts the threads at once if the index is empty and the
 * repository is large: their start takes as long as the list of files.
 */
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
