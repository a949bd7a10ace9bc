import { outlines } from "../../syntax/outlines/index.generated.ts";
import type { ScannedFile } from "../build/scan.ts";
import { createEntityIndexes, type Store } from "../store/open-store.ts";
import type { WordsThreads } from "./words-threads.ts";
import { writeSegment, writeWordFiles } from "./write-words.ts";

/** The languages of a file, by its extension. */
function languagesOf(path: string): readonly string[] {
  if (path.endsWith(".h")) return ["c", "cpp"];
  return outlines
    .filter(({ extensions }) => extensions.some((extension) => path.endsWith(extension)))
    .map(({ language }) => language)
    .slice(0, 1);
}

export interface WordsResult {
  readonly files: number;
  readonly bytes: number;
  /** Duration in milliseconds. */
  readonly took: number;
}

export async function readWordsFirst(
  store: Store,
  threads: WordsThreads,
  files: readonly ScannedFile[],
  signal: AbortSignal,
): Promise<WordsResult> {
  const started = performance.now();
  const stamps = new Map(files.map(({ path, stamp }) => [path, stamp]));
  let [count, bytes] = [0, 0];
  const first = Number(store.prepare("SELECT coalesce(max(segment) + 1, 0) AS next FROM words").get()?.next);
  store.database.exec("BEGIN IMMEDIATE");
  try {
    await threads.read(
      files
        .filter(({ skipped }) => skipped === undefined)
        .map(({ path, hostPath }) => ({ path, hostPath, languages: languagesOf(path) })),
      {
        signal,
        onFiles(thread, batch) {
          writeWordFiles(store, first + thread, batch, (path) => stamps.get(path) ?? "");
          count += batch.files.length;
          for (const file of batch.files) bytes += file.bytes;
        },
        onSegment: (thread, parts) => writeSegment(store, first + thread, parts),
      },
    );
    createEntityIndexes(store);
    store.database.exec("COMMIT");
  } catch (error) {
    if (store.database.isTransaction) store.database.exec("ROLLBACK");
    throw error;
  }
  return { files: count, bytes, took: performance.now() - started };
}
