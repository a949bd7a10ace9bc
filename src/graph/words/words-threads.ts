/**
 * Reads many files by their words, on several threads. Returns definitions as they are read, and one segment from each
 * thread at the end.
 */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { compileCacheFolder, ownModule } from "../../base/own-files.ts";
import type { DefinitionColumns } from "./definition-columns.ts";
import type { SegmentParts } from "./segment.ts";

export interface WordFile {
  readonly path: string;
  readonly language: string;
  /** The number in its thread's segment. */
  readonly number: number;
  readonly bytes: number;
  readonly lines: number;
  readonly isGenerated: boolean;
  /** Number of definitions in this file. The batch lists its definitions file by file, in the same order as the files. */
  readonly definitions: number;
}

/** A batch of files that a thread has read by their words, with the definitions in these files. */
export interface WordBatch {
  readonly files: readonly WordFile[];
  readonly columns: DefinitionColumns;
}

export interface NamedFile {
  readonly path: string;
  readonly hostPath: string;
  /** Two languages if the text decides: C headers may be C++. */
  readonly languages: readonly string[];
}

export interface WordsThreadData {
  /** The folder of Node's compile cache. */
  readonly compiled: string | undefined;
  /** Element 0 is the index of the next file to read. Element 1 is nonzero if the threads must stop. */
  readonly shared: Int32Array;
}

export interface WordsThreads {
  /** Resolves once the threads have read or abandoned all files. Leaves out a failed thread together with its files. */
  read(files: readonly NamedFile[], options: WordsOptions): Promise<void>;
  stop(): Promise<void>;
}

export interface WordsOptions {
  readonly signal: AbortSignal;
  /** Called on this thread. `thread` is the number of the thread's segment. A failed thread has no segment. */
  readonly onFiles: (thread: number, batch: WordBatch) => void;
  readonly onSegment: (thread: number, parts: SegmentParts) => void;
}

const mostThreads = 4;
/** Limit on a thread's young generation. Objects are short-lived: a larger young generation copies fewer objects. */
const youngMegabytes = 64;
/** Limit on a thread's old generation. Long-lived data is in columns outside the heap. */
const oldMegabytes = 256;

/**
 * Milliseconds without an answer after which a thread counts as hanging. Millwright then ends it, and its files wait
 * for the parser.
 */
const hangMs = 20_000;

interface Thread {
  readonly worker: Worker;
  /** Resolves when the thread has failed or ended, even before it got any work. */
  readonly gone: Promise<void>;
}

/**
 * Starts at most four threads before the files to read are known, so that the threads are ready in time. By default,
 * leaves one core for storing definitions and for compiling the threads' code. On two cores a second thread would not
 * finish earlier, because each thread compiles the code itself.
 */
export function startWordsThreads(threads = Math.max(1, availableParallelism() - 1)): WordsThreads {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const running = Array.from({ length: Math.min(threads, mostThreads) }, () => startThread(shared));
  return {
    async read(files, { signal, onFiles, onSegment }) {
      const giveUp = (): void => {
        Atomics.store(shared, 1, 1);
      };
      signal.addEventListener("abort", giveUp);
      if (signal.aborted) giveUp();
      try {
        await Promise.all(
          running.map(async (thread, number) => {
            const parts = await readOn(thread, files, (read) => onFiles(number, read));
            if (parts !== undefined) onSegment(number, parts);
          }),
        );
      } finally {
        signal.removeEventListener("abort", giveUp);
        // If one answer could not be written, the others come too late.
        for (const { worker } of running) worker.removeAllListeners("message");
      }
    },
    async stop() {
      await Promise.all(running.map(({ worker }) => worker.terminate()));
    },
  };
}

function startThread(shared: Int32Array): Thread {
  const worker = new Worker(ownModule("graph/words/words-worker"), {
    workerData: { shared, compiled: compileCacheFolder() } satisfies WordsThreadData,
    resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes, maxOldGenerationSizeMb: oldMegabytes },
  });
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  worker.on("error", () => resolve());
  worker.on("exit", () => resolve());
  worker.unref();
  return { worker, gone };
}

type Message = WordBatch | { readonly parts: SegmentParts };

/** Returns undefined if the thread ends before it sends its parts. */
async function readOn(
  { worker, gone }: Thread,
  files: readonly NamedFile[],
  onFiles: (batch: WordBatch) => void,
): Promise<SegmentParts | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<SegmentParts>();
  let watch = setTimeout(hangs, hangMs);
  function hangs(): void {
    void worker.terminate();
  }
  worker.ref();
  worker.on("message", (message: Message) => {
    clearTimeout(watch);
    if ("parts" in message) return resolve(message.parts);
    watch = setTimeout(hangs, hangMs);
    try {
      onFiles(message);
    } catch (error) {
      reject(error);
    }
  });
  worker.postMessage(files);
  try {
    return await Promise.race([promise, gone.then(() => undefined)]);
  } finally {
    clearTimeout(watch);
  }
}
