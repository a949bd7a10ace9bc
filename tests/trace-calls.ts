/** Calls of a trace written down as a test needs them. */
import type { TraceCall, TraceProcess } from "../src/trace/trace-model.ts";

let last = 0;

/** A call of `name` on line 1 of `src/lib.rs` that returned. */
export function madeCall(name: string, more: Partial<TraceCall> = {}): TraceCall {
  last += 1;
  return {
    handle: `1.${last}`,
    function: { name, path: "src/lib.rs", line: 1 },
    thread: 1,
    start: 0,
    end: 1000,
    waited: 0,
    args: [],
    hasArgs: true,
    how: "return",
    children: [],
    ...more,
  };
}

export function madeProcess(roots: readonly TraceCall[], more: Partial<TraceProcess> = {}): TraceProcess {
  return {
    number: 1,
    pid: 100,
    parentPid: 1,
    language: "rust",
    label: "parser",
    arguments: ["parser"],
    epoch: 0,
    threads: new Map([[1, "main"]]),
    roots,
    calls: roots.length,
    cuts: [],
    ended: true,
    unreadable: 0,
    ...more,
  };
}
