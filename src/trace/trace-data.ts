/** Converts the calls of a trace to plain data for `--json`, within a limit. The trace's file has all calls. */
import type { TraceCall, TraceProcess } from "./trace-model.ts";

const mostCalls = 20_000;

export interface ProcessData extends Omit<TraceProcess, "threads" | "roots"> {
  /** The threads' names by number. */
  readonly threads: Readonly<Record<string, string>>;
  readonly roots: readonly TraceCall[];
  /** Number of calls left out here, including all calls inside them. */
  readonly hidden: number;
}

export function makeProcessData(processes: readonly TraceProcess[]): ProcessData[] {
  let left = mostCalls;
  return processes.map((process) => {
    const room = { left };
    const roots = copyWithin(process.roots, room);
    const shown = left - room.left;
    left = room.left;
    return { ...process, threads: Object.fromEntries(process.threads), roots, hidden: process.calls - shown };
  });
}

function copyWithin(calls: readonly TraceCall[], room: { left: number }): TraceCall[] {
  const kept = calls.slice(0, room.left);
  room.left -= kept.length;
  return kept.map((call) => ({ ...call, children: copyWithin(call.children, room) }));
}
