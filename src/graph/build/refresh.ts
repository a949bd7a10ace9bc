/**
 * Updates an index from the folder: extracts and writes changed files, then resolves references. A time limit or a kill
 * may stop the update at any moment. Committed data stays, and the next call continues from there.
 */
import { prepareRanks } from "../queries/rank-entities.ts";
import { createEdgeIndexes, createIndexes, inTransaction, type Store } from "../store/open-store.ts";
import { takeWriterLock } from "../store/writer-lock.ts";
import { type FirstTier, openFirstTier, type Searchable } from "../words/first-tier.ts";
import { restsOnWords } from "../words/open-words.ts";
import type { WordsThreads } from "../words/words-threads.ts";
import { dropWords } from "../words/write-words.ts";
import type { ExtractedFile } from "./extract-file.ts";
import { extractOnThreads } from "./extraction-threads.ts";
import { type ScannedFile, type ScanRequest, scanRepository } from "./scan.ts";
import { removeFile, writeExtracted } from "./write-files.ts";

export interface RefreshOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds after which the refresh stops. Committed data stays. */
  readonly limitMs?: number;
  readonly threads?: number;
  readonly onProgress?: (progress: RefreshProgress) => void;
  /**
   * Number of bytes of new code above which Millwright first reads files by words. For less code, parsing is as fast.
   */
  readonly wordsFrom?: number;
  /** Called once, when the index can answer questions about all files, possibly from their words alone. */
  readonly onSearchable?: (searchable: Searchable) => void;
  /** Receives the files to read, once. */
  readonly onScanned?: (changed: readonly ScannedFile[]) => void;
  /** The threads from `startEarly`. */
  readonly readers?: WordsThreads | undefined;
}

export interface RefreshProgress {
  readonly phase: "extract" | "resolve";
  readonly done: number;
  readonly total: number;
}

export interface RefreshResult {
  /** True if another process is writing this index. Then the refresh did nothing. */
  readonly busy: boolean;
  readonly changed: number;
  readonly removed: number;
  /** True if the signal or the limit stopped the update. */
  readonly stopped: boolean;
}

/**
 * Extracts up to this many files, each with fewer than `fewBytes` bytes, on this thread, because starting other threads
 * takes longer.
 */
const fewFiles = 6;
const fewBytes = 512 * 1024;
/** Milliseconds of work in one transaction. */
const transactionMs = 250;

/** Writes nothing if nothing has changed, so that holders of cached data see that it is still current. */
const noteFiles = `INSERT INTO meta VALUES ('files', ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value <> excluded.value`;

export async function refreshIndex(
  store: Store,
  request: ScanRequest,
  options: RefreshOptions = {},
): Promise<RefreshResult> {
  const lock = takeWriterLock(request.directory);
  if (lock === undefined) {
    await options.readers?.stop();
    return { busy: true, changed: 0, removed: 0, stopped: false };
  }
  const stop = stopSignal(options);
  let firstTier: FirstTier | undefined;
  try {
    firstTier = openFirstTier(store, request.repository, options);
    const scan = await scanRepository(store, request);
    options.onScanned?.(scan.changed);
    const isFirst = hasNoEdges(store);
    if (!isFirst) createEdgeIndexes(store);
    inTransaction(store, () => {
      for (const file of scan.removed) removeFile(store, file);
      store.prepare(noteFiles).run(String(scan.total));
    });
    const isSearchable = await firstTier.read(isFirst ? scan.changed : [], stop.signal);
    await firstTier.close();
    if (isSearchable) prepareRanks(store);
    const [changed, removed] = [scan.changed.length, scan.removed.length];
    if (isSearchable && stop.signal.aborted) return { busy: false, changed, removed, stopped: true };
    let isTold = isSearchable;
    const tellSearchable = (byWords: number): void => {
      if (!isTold) options.onSearchable?.({ byWords, restMs: 0 });
      isTold = true;
    };
    // For a half-built index: files that have changed since come first.
    const { late = [], soon = [] } = Object.groupBy(scan.changed, ({ isKnownByWords }) =>
      isKnownByWords === true ? "late" : "soon",
    );
    const writeAll = (files: readonly ScannedFile[]): Promise<void> =>
      writeChanged(store, request, files, { ...options, isFirst }, stop.signal);
    if (late.length > 0) {
      await writeAll(soon);
      tellSearchable(late.length);
    }
    const isEdit = !isFirst && late.length === 0 && isLittle(soon);
    if (isEdit) await readAllAgain(store, soon, options, stop.signal);
    else await writeAll(late.length > 0 ? late : soon);
    createIndexes(store);
    if (hasManyUnresolved(store)) tellSearchable(0);
    // Loaded late: changed files are searchable before.
    const { resolveFiles } = await import("../resolve/resolve-files.ts");
    const resolved = await resolveFiles(store, {
      signal: stop.signal,
      onProgress: (done, total) => options.onProgress?.({ phase: "resolve", done, total }),
    });
    if (resolved) {
      dropOldFacts(store);
      const restedOnWords = restsOnWords(store);
      inTransaction(store, () => dropWords(store));
      if (!isEdit || restedOnWords) prepareRanks(store);
    }
    const stopped = stop.signal.aborted;
    return { busy: false, changed, removed, stopped };
  } finally {
    stop.dispose();
    await firstTier?.close();
    lock.release();
  }
}

/** True if no file is resolved yet. Nothing then depends on the new rows. */
function hasNoEdges(store: Store): boolean {
  return store.prepare("SELECT 1 FROM files WHERE resolved = 1 AND facts IS NOT NULL").get() === undefined;
}

/**
 * If more files than this lack resolved references, resolving them takes seconds. The index already knows their
 * definitions.
 */
const manyUnresolved = 500;

function hasManyUnresolved(store: Store): boolean {
  const count = "SELECT count(*) AS n FROM files WHERE resolved = 0 AND facts IS NOT NULL";
  return Number(store.prepare(count).get()?.n) > manyUnresolved;
}

function stopSignal({ signal, limitMs }: RefreshOptions): { signal: AbortSignal; dispose: () => void } {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const timer = limitMs === undefined ? undefined : setTimeout(stop, limitMs);
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop);
  return {
    signal: controller.signal,
    dispose: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    },
  };
}

async function writeChanged(
  store: Store,
  request: ScanRequest,
  changed: readonly ScannedFile[],
  options: RefreshOptions & { readonly isFirst: boolean },
  signal: AbortSignal,
): Promise<void> {
  const { isFirst } = options;
  const stamps = new Map(changed.map(({ path, stamp }) => [path, stamp]));
  const writer = openBatch(store);
  let done = 0;
  const write = (file: ExtractedFile): void => {
    writer.write(() => {
      if (file.gone === true) return;
      writeExtracted(store, file, { stamp: stamps.get(file.path) ?? "", isFirst });
    });
    options.onProgress?.({ phase: "extract", done: ++done, total: changed.length });
  };
  try {
    for (const file of changed) if (file.skipped !== undefined) write(describeSkipped(file, file.skipped));
    const readable = changed.filter(({ skipped }) => skipped === undefined);
    const left = isLittle(readable) ? await writeHere(store, readable, write, signal) : readable;
    const { directory } = request;
    const { threads } = options;
    const more = threads === undefined ? {} : { threads };
    await extractOnThreads(left, { directory, signal, onFile: write, ...more });
    writer.commit();
  } catch (error) {
    writer.undo();
    throw error;
  }
}

/** Maximum milliseconds for a file on this thread, which has other work. */
const longestHere = 2_000;

/** Extracts the files on this thread. Returns the files that take too long on it. */
async function writeHere(
  store: Store,
  files: readonly ScannedFile[],
  write: (file: ExtractedFile) => void,
  signal: AbortSignal,
): Promise<ScannedFile[]> {
  // Its modules are loaded only here; threads load their own.
  const { extractHere, tooSlow } = await import("./extract-here.ts");
  const slow: ScannedFile[] = [];
  for (const file of files) {
    if (signal.aborted) break;
    const found = await extractHere(store, file, { timeMs: longestHere });
    if (found.skipped === tooSlow) slow.push(file);
    else write(found);
  }
  return slow;
}

function isLittle(files: readonly ScannedFile[]): boolean {
  return (
    files.length <= fewFiles && files.every(({ bytes, skipped }) => bytes < fewBytes && skipped === undefined)
  );
}

/** Makes each edited file visible at once, and resolves only the references that its change affects. */
async function readAllAgain(
  store: Store,
  files: readonly ScannedFile[],
  { onProgress }: RefreshOptions,
  signal: AbortSignal,
): Promise<void> {
  if (files.length === 0) return;
  // Loaded late, like all modules that an up-to-date index does not need.
  const { readAgain } = await import("./read-again.ts");
  for (const [index, file] of files.entries()) {
    if (signal.aborted) return;
    await readAgain(store, file);
    onProgress?.({ phase: "extract", done: index + 1, total: files.length });
  }
}

function describeSkipped({ path, bytes }: ScannedFile, skipped: string): ExtractedFile {
  return { path, bytes, skipped, lines: 0, flags: 0, hash: "" };
}

/** Combines many small writes into few transactions. Readers see the last commit. */
function openBatch(store: Store): { write(work: () => void): void; commit(): void; undo(): void } {
  let openedAt: number | undefined;
  const commit = (): void => {
    if (openedAt !== undefined) store.database.exec("COMMIT");
    openedAt = undefined;
  };
  return {
    commit,
    write(work) {
      if (openedAt === undefined) {
        store.database.exec("BEGIN IMMEDIATE");
        openedAt = performance.now();
      }
      work();
      if (performance.now() - openedAt > transactionMs) commit();
    },
    undo() {
      if (openedAt !== undefined && store.database.isTransaction) store.database.exec("ROLLBACK");
      openedAt = undefined;
    },
  };
}

/**
 * Keeps the facts of contents that no current file has, because a change of the branch may bring them back. Keeps at
 * most 1,000, or as many as are in use if these are more.
 */
function dropOldFacts(store: Store): void {
  const unused = "SELECT id FROM facts WHERE id NOT IN (SELECT facts FROM files WHERE facts IS NOT NULL)";
  const used = Number(store.prepare("SELECT count(*) AS n FROM files WHERE facts IS NOT NULL").get()?.n);
  const count = Number(store.prepare(`SELECT count(*) AS n FROM (${unused})`).get()?.n);
  const excess = count - Math.max(used, 1000);
  if (excess > 0) store.prepare(`DELETE FROM facts WHERE id IN (${unused} ORDER BY id LIMIT ?)`).run(excess);
}
