/**
 * What a traced process writes: JSON Lines, one file a process, each line complete when it is written, so that a crash loses at most
 * the calls in flight, and of those the way out only. Our runtimes in every language write these lines; nothing else reads them but
 * `read-trace.ts`. Keys are short because a trace has millions of them.
 *
 * The environment says what to do: `MILLWRIGHT_TRACE_DIR` (an existing folder; a process makes `PID-NUMBER.jsonl` in it at its first
 * line), `MILLWRIGHT_TRACE_DEPTH`, `_RECORDS` (calls a process), `_BYTES` (of a process's file), `_VALUE` (characters of one value).
 * A runtime that the command could keep from being loaded makes an empty file `LANGUAGE.loaded` there when it is.
 * Without the first one nothing is recorded and a call costs next to nothing. A runtime never throws into the program, never writes to
 * its streams, and never holds a lock while it runs the program's own code (`Debug`, `repr`, `toJSON`).
 */
import { z } from "zod";

/**
 * A value as it was at that moment: `j` real JSON data, `d` the language's own text for people (`Debug`, `repr`, `util.inspect`), `t` only
 * the name of its type. `cut`: how many characters the whole had, where it was shortened (always between characters).
 */
export const tracedValueSchema = z.union([
  z.strictObject({ j: z.json(), cut: z.int().optional() }),
  z.strictObject({ d: z.string(), cut: z.int().optional() }),
  z.strictObject({ t: z.string(), cut: z.int().optional() }),
]);
export type TracedValue = z.infer<typeof tracedValueSchema>;

/** Nanoseconds since the process's first line, by a clock that never goes back. */
const at = z.int();
/** Numbers of a process: calls from 1, threads from 1, in the order in which they began. */
const call = z.int();

export const traceLineSchema = z.discriminatedUnion("k", [
  /** First line of a file. `epoch`: milliseconds since 1970 at `at` 0. */
  z.object({
    k: z.literal("process"),
    v: z.literal(1),
    pid: z.int(),
    parent: z.int(),
    language: z.string(),
    arguments: z.array(z.string()),
    epoch: z.number(),
  }),
  /** Where the runtime and not the instrumentation knows the functions: before its first call. */
  z.object({ k: z.literal("function"), f: z.int(), name: z.string(), path: z.string(), line: z.int() }),
  /** Before a thread's first call. `from`: the call that spawned it. */
  z.object({ k: z.literal("thread"), n: z.int(), name: z.string(), from: call.optional() }),
  z.object({
    k: z.literal("in"),
    c: call,
    f: z.int(),
    /** The call that it was made from; of an asynchronous task's first call, the one that spawned the task. Absent: none is traced. */
    p: call.optional(),
    th: z.int(),
    /** The asynchronous task, where there is one. */
    task: z.int().optional(),
    /** The test that runs, where the runtime knows. */
    test: z.string().optional(),
    at,
    /** Name and value in the order of the signature; `self`, `this` first; a pattern's bindings by their own names. */
    args: z.array(z.tuple([z.string(), tracedValueSchema])).optional(),
    /** The concrete type behind a trait's default method or a generic one, where it is told. */
    on: z.string().optional(),
  }),
  z.object({
    k: z.literal("out"),
    c: call,
    at,
    /**
     * `return`: with a value, or `error` where the value is the language's failure (`Err`, `None` of a failing `?`, a Go error);
     * `throw`: an exception or panic leaves it; `drop`: an asynchronous call that was given up.
     * A call without this line did not return: it was running when the process ended.
     */
    how: z.enum(["return", "error", "throw", "drop"]),
    value: tracedValueSchema.optional(),
    /** Arguments that the call changed, `self` or `this` among them, as they were when it ended; where the runtime looks. */
    after: z.array(z.tuple([z.string(), tracedValueSchema])).optional(),
    /** Of a throw: its type and message, and `path:line` where it began. */
    message: z.string().optional(),
    place: z.string().optional(),
  }),
  /** An asynchronous call or generator waits, and goes on. */
  z.object({ k: z.enum(["wait", "wake"]), c: call, at }),
  /** Calls that were not recorded, told again and again with the sum so far: the last one of a function and reason counts. */
  z.object({
    k: z.literal("cut"),
    f: z.int(),
    why: z.enum(["depth", "records", "bytes", "sampled"]),
    count: z.int(),
  }),
  /** The process ended in order. */
  z.object({ k: z.literal("end"), at }),
]);
export type TraceLine = z.infer<typeof traceLineSchema>;
