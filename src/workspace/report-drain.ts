/**
 * Empties the pipes of reports, even while this process is busy. One thread, which starts with the first pipe, empties
 * all pipes.
 */
import { Worker } from "node:worker_threads";
import { ownModule } from "../base/own-files.ts";

export interface Drain {
  /** Resolves once no process has the pipe open for writing. */
  ended(): Promise<void>;
  /** Stops reading. The file keeps its content. */
  stop(): void;
}

/**
 * A message to the thread: a request to copy a pipe into a file, or to stop an earlier copy. The thread owns the
 * descriptors that it gets.
 */
export type DrainMessage =
  | { readonly id: number; readonly reading: number; readonly writing: number }
  | { readonly stop: number };

interface DrainThread {
  readonly worker: Worker;
  /** The callback of each drain for the end of its pipe. */
  readonly ends: Map<number, () => void>;
}

let thread: DrainThread | undefined;
let drains = 0;
/** Number of callers that wait for an end. The thread keeps this process alive only for them. */
let waiting = 0;

/** Starts to copy the pipe `reading` into the file `writing`. The drain closes both descriptors when it ends. */
export function startDrain(reading: number, writing: number): Drain {
  thread ??= startThread();
  const { worker, ends } = thread;
  const id = ++drains;
  const end = new Promise<void>((resolve) => ends.set(id, resolve));
  worker.postMessage({ id, reading, writing } satisfies DrainMessage);
  return {
    async ended() {
      if (waiting++ === 0) worker.ref();
      await end;
      if (--waiting === 0) worker.unref();
    },
    stop: () => worker.postMessage({ stop: id } satisfies DrainMessage),
  };
}

function startThread(): DrainThread {
  const worker = new Worker(ownModule("workspace/report-drain-thread"), {
    execArgv: ["--disable-warning=ExperimentalWarning"],
    env: {},
    trackUnmanagedFds: false, // it closes descriptors that were opened here
  });
  const ends = new Map<number, () => void>();
  worker.unref();
  // A message sent before the thread runs makes Node forget `unref` (24.21): an interrupted process would never end by
  // itself.
  worker.once("online", () => {
    if (waiting === 0) worker.unref();
  });
  worker.on("message", (id: number) => {
    ends.get(id)?.();
    ends.delete(id);
  });
  worker.on("error", () => {}); // its pipes end early, so their content is not a report
  worker.on("exit", () => {
    thread = undefined;
    for (const end of ends.values()) end();
  });
  return { worker, ends };
}
