/** Finds a call by its handle, or the calls of a function by its name. */
import type { TraceCall, TraceProcess } from "./trace-model.ts";

export interface FoundCall {
  readonly process: TraceProcess;
  /** The calls above `call`: from the entry to its caller. */
  readonly above: readonly TraceCall[];
  readonly call: TraceCall;
}

/** Finds a call by its handle, such as `2.17` or `#2.17`. Undefined if no call has this handle. */
export function findCall(processes: readonly TraceProcess[], handle: string): FoundCall | undefined {
  const wanted = handle.replace(/^#/, "");
  return walkCalls(processes).find(({ call }) => call.handle === wanted);
}

/**
 * Finds the calls of functions whose name, or the last part of it, is `name`. Lists process by process, each call
 * before its inner calls.
 */
export function findCallsOf(processes: readonly TraceProcess[], name: string): FoundCall[] {
  const isNamed = (other: string): boolean => other === name || other.split(/::|\./).at(-1) === name;
  return [...walkCalls(processes)].filter(({ call }) => isNamed(call.function.name));
}

export function* walkCalls(processes: readonly TraceProcess[]): Generator<FoundCall, undefined> {
  for (const process of processes) {
    const waiting: { above: readonly TraceCall[]; call: TraceCall }[] = process.roots
      .toReversed()
      .map((call) => ({ above: [], call }));
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { above, call } = next;
      yield { process, above, call };
      if (call.children.length === 0) continue;
      const below = [...above, call];
      for (const child of call.children.toReversed()) waiting.push({ above: below, call: child });
    }
  }
}
