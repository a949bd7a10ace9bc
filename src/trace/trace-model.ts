/** The model of a trace: processes with their calls. */
import type { TracedValue } from "./trace-lines.ts";

/** The called function, with the name that the plan or the runtime gives it. */
export interface CalledFunction {
  readonly name: string;
  readonly path: string;
  /** The line of the function's name in the user's own file. */
  readonly line: number;
}

/**
 * The end of a call. "drop": the program dropped an asynchronous call before it was done. "none": the call was still
 * running when its process ended.
 */
export type CallEnd = "return" | "error" | "throw" | "drop" | "none";

export interface TraceCall {
  /** `PROCESS.CALL`: the call's handle, for requests. */
  readonly handle: string;
  readonly function: CalledFunction;
  readonly thread: number;
  readonly task?: number | undefined;
  readonly test?: string | undefined;
  /** Nanoseconds from the process's first line to the start of the call. */
  readonly start: number;
  readonly end: number | undefined;
  /** Nanoseconds in which the call was suspended. */
  readonly waited: number;
  readonly args: readonly (readonly [string, TracedValue])[];
  /** False if the trace contains no arguments of the call. It may still contain the returned value. */
  readonly hasArgs: boolean;
  readonly on?: string | undefined;
  readonly how: CallEnd;
  readonly value?: TracedValue | undefined;
  /** Arguments that the call changed, with their final values. */
  readonly after?: readonly (readonly [string, TracedValue])[] | undefined;
  readonly message?: string | undefined;
  readonly place?: string | undefined;
  readonly children: readonly TraceCall[];
  /**
   * Set if the call is the first of a separate thread or asynchronous task. Its parent is the call that spawned this
   * thread or task.
   */
  readonly spawned?: "thread" | "task" | undefined;
}

export interface CutCalls {
  readonly function: CalledFunction;
  readonly why: "depth" | "records" | "bytes" | "sampled";
  readonly count: number;
}

export interface TraceProcess {
  /** The process's number, from 1, in the order in which the processes began. */
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
  /** False if the process was killed, or ended without its runtime's final line. */
  readonly ended: boolean;
  /** Number of lines that no runtime wrote, including an incomplete last line. */
  readonly unreadable: number;
}
