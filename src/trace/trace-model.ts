/** A trace as it is read: processes with their calls. */
import type { TracedValue } from "./trace-lines.ts";

/** Which function was called, as the plan or the runtime names it. */
export interface CalledFunction {
  readonly name: string;
  readonly path: string;
  /** Of the name, in the user's own file. */
  readonly line: number;
}

/** How a call ended; "none": it was running when its process ended. */
export type CallEnd = "return" | "error" | "throw" | "drop" | "none";

export interface TraceCall {
  /** `PROCESS.CALL`, by which it can be asked for. */
  readonly handle: string;
  readonly function: CalledFunction;
  readonly thread: number;
  readonly task?: number | undefined;
  readonly test?: string | undefined;
  /** Nanoseconds since the process's first line. */
  readonly start: number;
  readonly end: number | undefined;
  /** Nanoseconds in which it was suspended. */
  readonly waited: number;
  readonly args: readonly (readonly [string, TracedValue])[];
  /** False where only entry and exit are recorded. */
  readonly hasArgs: boolean;
  readonly on?: string | undefined;
  readonly how: CallEnd;
  readonly value?: TracedValue | undefined;
  /** Arguments that it changed, as they were when it ended. */
  readonly after?: readonly (readonly [string, TracedValue])[] | undefined;
  readonly message?: string | undefined;
  readonly place?: string | undefined;
  readonly children: readonly TraceCall[];
  /** It began a thread or an asynchronous task of its own; its parent is what spawned that. */
  readonly spawned?: "thread" | "task" | undefined;
}

export interface CutCalls {
  readonly function: CalledFunction;
  readonly why: "depth" | "records" | "bytes" | "sampled";
  readonly count: number;
}

export interface TraceProcess {
  /** From 1, in the order in which they began. */
  readonly number: number;
  readonly pid: number;
  readonly parentPid: number;
  readonly language: string;
  /** The program's name without its build's hash. */
  readonly label: string;
  readonly arguments: readonly string[];
  /** Milliseconds since 1970. */
  readonly epoch: number;
  readonly threads: ReadonlyMap<number, string>;
  readonly roots: readonly TraceCall[];
  readonly calls: number;
  readonly cuts: readonly CutCalls[];
  /** False where it was killed, or ended without its runtime's last word. */
  readonly ended: boolean;
  /** Lines that are none of ours, the torn last one among them. */
  readonly unreadable: number;
}
