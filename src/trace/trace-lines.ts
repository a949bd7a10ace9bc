/**
 * The output of a traced process: JSON Lines, one file per process. Each line is complete when it is written, so a
 * crash loses only the ends of the calls in progress. Our runtimes in every language write these lines; only
 * `read-line.ts` parses them. Keys are short because a trace has millions of them.
 *
 * The environment configures a runtime:
 * - `MILLWRIGHT_TRACE_DIR`: an existing folder. A process creates `PID-NUMBER.jsonl` in it at its first line. Without
 *   this variable, the runtime records nothing, and a call costs almost nothing.
 * - `MILLWRIGHT_TRACE_DEPTH`: maximum nesting of recorded calls
 * - `MILLWRIGHT_TRACE_RECORDS`: maximum number of calls per process
 * - `MILLWRIGHT_TRACE_BYTES`: maximum number of bytes of a process's file
 * - `MILLWRIGHT_TRACE_VALUE`: maximum number of characters of one value
 *
 * A runtime that the command could prevent from loading creates an empty file `LANGUAGE.loaded` in the folder when it
 * loads. A runtime never throws into the program and never writes to its streams. It never holds a lock while it runs
 * the program's own code (`Debug`, `repr`, `toJSON`).
 */
import { z } from "zod";

/**
 * A value at one moment of the run. It has one of three forms. `j` is real JSON data. `d` is the language's own text
 * for people (`Debug`, `repr`, `util.inspect`). `t` is only the name of the value's type. `cut`: the number of
 * characters before the runtime shortened the value. Shortening never splits a character.
 */
export const tracedValueSchema = z.union([
  z.strictObject({ j: z.json(), cut: z.int().optional() }),
  z.strictObject({ d: z.string(), cut: z.int().optional() }),
  z.strictObject({ t: z.string(), cut: z.int().optional() }),
]);
export type TracedValue = z.infer<typeof tracedValueSchema>;

/** Nanoseconds since the process's first line, by a monotonic clock. */
const at = z.int();
/** Numbers within a process: calls from 1, threads from 1, in the order in which they began. */
const call = z.int();

export const traceLineSchema = z.discriminatedUnion("k", [
  /** The first line of a file. `epoch`: milliseconds since 1970 at `at` 0. */
  z.object({
    k: z.literal("process"),
    v: z.literal(1),
    pid: z.int(),
    parent: z.int(),
    language: z.string(),
    arguments: z.array(z.string()),
    epoch: z.number(),
  }),
  /** Precedes a function's first call, if only the runtime knows the function, not the instrumentation. */
  z.object({ k: z.literal("function"), f: z.int(), name: z.string(), path: z.string(), line: z.int() }),
  /** Precedes a thread's first call. `from`: the call that spawned the thread. */
  z.object({ k: z.literal("thread"), n: z.int(), name: z.string(), from: call.optional() }),
  z.object({
    k: z.literal("in"),
    c: call,
    f: z.int(),
    /**
     * The caller; for an asynchronous task's first call, the call that spawned the task. Absent if the trace has no
     * such call.
     */
    p: call.optional(),
    th: z.int(),
    /** The asynchronous task, if there is one. */
    task: z.int().optional(),
    /** The running test, if the runtime knows it. */
    test: z.string().optional(),
    at,
    /**
     * Names and values in the order of the signature, `self` or `this` first. A pattern gives the names that it binds.
     */
    args: z.array(z.tuple([z.string(), tracedValueSchema])).optional(),
    /** The concrete type behind a trait's default method or a generic one, if known. */
    on: z.string().optional(),
  }),
  z.object({
    k: z.literal("out"),
    c: call,
    at,
    /**
     * `return`: the call returned a value. `error`: this value is the language's failure (`Err`, `None` of a failing
     * `?`, a Go error). `throw`: an exception or panic left the call. `drop`: the program abandoned an asynchronous
     * call. A call without this line did not return: it was running when the process ended.
     */
    how: z.enum(["return", "error", "throw", "drop"]),
    value: tracedValueSchema.optional(),
    /**
     * Arguments that the call changed, including `self` or `this`, with their final values. Absent if the runtime does
     * not check this.
     */
    after: z.array(z.tuple([z.string(), tracedValueSchema])).optional(),
    /** For a throw: its type and message, and its origin `path:line`. */
    message: z.string().optional(),
    place: z.string().optional(),
  }),
  /** `wait`: an asynchronous call or a generator suspends; `wake`: it continues. */
  z.object({ k: z.enum(["wait", "wake"]), c: call, at }),
  /**
   * The number of calls not recorded so far. The runtime repeats this line; the last one for a function and reason
   * counts.
   */
  z.object({
    k: z.literal("cut"),
    f: z.int(),
    why: z.enum(["depth", "records", "bytes", "sampled"]),
    count: z.int(),
  }),
  /** Last line: the process ended normally. */
  z.object({ k: z.literal("end"), at }),
]);
export type TraceLine = z.infer<typeof traceLineSchema>;
