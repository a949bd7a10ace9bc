/** Empties the pipes of reports, whatever this process is busy with: one thread for all of them, begun with the first. */
import { Worker } from "node:worker_threads";
import { ownModule } from "../base/own-files.ts";

export interface Drain {
  /** Waits until no process has the pipe open for writing. */
  ended(): Promise<void>;
  /** Reads no more. What is in the file stays. */
  stop(): void;
}

/** What the thread is sent: to read a pipe into a file, by descriptors that are its own from then on, or to stop. */
export type DrainMessage =
  | { readonly id: number; readonly reading: number; readonly writing: number }
  | { readonly stop: number };

interface DrainThread {
  readonly worker: Worker;
  /** By drain: what is called once its pipe is closed. */
  readonly ends: Map<number, () => void>;
}

let thread: DrainThread | undefined;
let drains = 0;
/** Who waits for an end: for these alone the thread keeps this process alive. */
let waiting = 0;

/** Both descriptors are closed where the drain ends: `reading` of a pipe, `writing` of a file. */
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
    trackUnmanagedFds: false, // the descriptors that it closes were opened here
  });
  const ends = new Map<number, () => void>();
  worker.unref();
  // What is sent before the thread runs has Node forget that (24.21): an interrupted process would never end by itself.
  worker.once("online", () => {
    if (waiting === 0) worker.unref();
  });
  worker.on("message", (id: number) => {
    ends.get(id)?.();
    ends.delete(id);
  });
  worker.on("error", () => {}); // what its pipes said ends early, and is no report
  worker.on("exit", () => {
    thread = undefined;
    for (const end of ends.values()) end();
  });
  return { worker, ends };
}
