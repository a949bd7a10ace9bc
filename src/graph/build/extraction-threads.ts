/**
 * Extracts files on up to four threads. If a thread crashes or hangs, only its current file is lost, and `onFile` gets
 * this file as skipped. Replaces each thread after 48 MiB of source, because the memory of WebAssembly never shrinks.
 */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { compileCacheFolder, ownModule } from "../../base/own-files.ts";
import type { ExtractedFile } from "./extract-file.ts";

export interface SourceFile {
  readonly path: string;
  readonly hostPath: string;
  readonly bytes: number;
}

export interface ExtractionThreadData {
  /** The index's folder. */
  readonly directory: string;
  /** Element 0 counts the thread's finished files. */
  readonly progress: Int32Array;
  /** The folder of Node's compile cache. */
  readonly compiled: string | undefined;
}

export interface ExtractionOptions {
  readonly directory: string;
  readonly signal: AbortSignal;
  /** Called on this thread, in no particular order. Threads get their next files after it returns. */
  readonly onFile: (file: ExtractedFile) => void;
  readonly threads?: number;
}

const mostThreads = 4;
const batchFiles = 24;
const batchBytes = 384 * 1024;
const recycleBytes = 48 * 1024 * 1024;
/**
 * Milliseconds without progress after which a thread counts as hanging. The extraction normally abandons a slow file
 * earlier.
 */
const hangMs = 60_000;

interface Thread {
  readonly worker: Worker;
  readonly progress: Int32Array;
  /** Assigned files without an answer yet, in order. */
  readonly pending: SourceFile[];
  bytes: number;
  seenProgress: number;
  seenAt: number;
}

/**
 * Extracts files on threads. Resolves once `onFile` got every file. On abort, ends the threads, skips the remaining
 * files and resolves. Rejects if `onFile` throws.
 */
export function extractOnThreads(files: readonly SourceFile[], options: ExtractionOptions): Promise<void> {
  if (files.length === 0 || options.signal.aborted) return Promise.resolve();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const queue = [...files].reverse();
  const threads = new Set<Thread>();
  let isOver = false;
  const finish = (error?: unknown): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(watch);
    options.signal.removeEventListener("abort", stop);
    void Promise.all([...threads].map(({ worker }) => worker.terminate())).then(() =>
      error === undefined ? resolve() : reject(error),
    );
  };
  const stop = (): void => finish();
  const watch = setInterval(() => {
    for (const thread of threads) if (hangs(thread)) void thread.worker.terminate();
  }, 2_000);
  options.signal.addEventListener("abort", stop);

  const feed = (thread: Thread): void => {
    while (queue.length > 0 && thread.pending.length < batchFiles && thread.bytes < recycleBytes)
      send(thread, takeBatch(queue));
    if (thread.pending.length > 0) return;
    threads.delete(thread);
    void thread.worker.terminate();
    if (queue.length > 0) start();
    else if (threads.size === 0) finish();
  };
  const start = (): void => {
    const thread = startThread(options.directory);
    threads.add(thread);
    thread.worker.on("message", (file: ExtractedFile) => {
      if (isOver) return;
      thread.pending.shift();
      try {
        options.onFile(file);
        if (thread.pending.length < batchFiles / 2) feed(thread);
      } catch (error) {
        finish(error);
      }
    });
    let cause: Error | undefined;
    thread.worker.on("error", (error: Error) => {
      cause = error;
    });
    thread.worker.on("exit", () => {
      if (isOver || !threads.delete(thread)) return;
      const lost = thread.pending.shift();
      queue.push(...thread.pending.reverse());
      try {
        if (lost !== undefined) options.onFile(describeLoss(lost, cause));
      } catch (error) {
        finish(error);
        return;
      }
      if (queue.length > 0) start();
      else if (threads.size === 0) finish();
    });
    feed(thread);
  };
  const wanted = Math.min(
    options.threads ?? availableParallelism(),
    mostThreads,
    Math.ceil(files.length / 4),
  );
  for (let count = 0; count < wanted && queue.length > 0; count++) start();
  return promise;
}

function takeBatch(queue: SourceFile[]): SourceFile[] {
  const batch: SourceFile[] = [];
  let bytes = 0;
  while (batch.length < batchFiles && bytes < batchBytes) {
    const file = queue.pop();
    if (file === undefined) break;
    batch.push(file);
    bytes += file.bytes;
  }
  return batch;
}

function startThread(directory: string): Thread {
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(ownModule("graph/build/extract-worker"), {
    workerData: { directory, progress, compiled: compileCacheFolder() } satisfies ExtractionThreadData,
    resourceLimits: { maxOldGenerationSizeMb: 384 },
  });
  return { worker, progress, pending: [], bytes: 0, seenProgress: 0, seenAt: Date.now() };
}

function send(thread: Thread, batch: SourceFile[]): void {
  thread.pending.push(...batch);
  for (const { bytes } of batch) thread.bytes += bytes;
  thread.worker.postMessage(batch);
}

function hangs(thread: Thread): boolean {
  const progress = Atomics.load(thread.progress, 0);
  if (progress !== thread.seenProgress || thread.pending.length === 0) {
    thread.seenProgress = progress;
    thread.seenAt = Date.now();
  }
  return Date.now() - thread.seenAt > hangMs;
}

function describeLoss({ path, bytes }: SourceFile, cause: Error | undefined): ExtractedFile {
  const skipped = cause === undefined ? "takes too long to parse" : `the parser failed (${cause.message})`;
  return { path, bytes, skipped, lines: 0, flags: 0, hash: "" };
}
