/** Finds the path to a failure: the calls from an entry down to the one in which the failure began. */
import type { CallEnd, TraceCall, TraceProcess } from "./trace-model.ts";

export interface FailurePath {
  readonly process: TraceProcess;
  /** The calls from the entry to the origin of the failure. */
  readonly calls: readonly TraceCall[];
  /** True if no traced function handled the failure, so that it also left the entry. */
  readonly escaped: boolean;
  /** True if a failed test made the calls. */
  readonly ofFailedTest: boolean;
}

/**
 * Finds one failure for each function and kind of failure. The worst come first, in this order:
 * - calls in progress in processes that died
 * - calls in a failed test
 * - other calls that never returned
 * - exceptions that no caller handled, then errors that every caller returned
 * - failures that a caller handled
 *
 * Among equals, the latest come first.
 */
export function findFailures(
  processes: readonly TraceProcess[],
  failedTests: ReadonlySet<string> = new Set(),
): FailurePath[] {
  const worst = new Map<string, Origin>();
  for (const process of processes) {
    for (const root of process.roots) {
      for (const origin of originsBelow(process, root, failedTests)) {
        const { call } = origin.step;
        const key = `${call.function.path} ${call.function.name} ${call.how}`;
        const known = worst.get(key);
        if (known === undefined || compare(origin, known) < 0) worst.set(key, origin);
      }
    }
  }
  return [...worst.values()].sort(compare).map(({ process, step, ofFailedTest }) => ({
    process,
    calls: callsTo(step),
    escaped: step.uniform,
    ofFailedTest,
  }));
}

/** A call with the path from the entry to it. */
interface Step {
  readonly call: TraceCall;
  readonly from: Step | undefined;
  /** True if all calls from the entry on ended in the same way. */
  readonly uniform: boolean;
}

interface Origin {
  readonly process: TraceProcess;
  readonly step: Step;
  readonly ofFailedTest: boolean;
}

/** Compares two failures; below 0 if the first is worse. */
function compare(a: Origin, b: Origin): number {
  return severity(b) - severity(a) || whenOf(b) - whenOf(a);
}

function severity({ process, step, ofFailedTest }: Origin): number {
  const { how } = step.call;
  if (how === "none" && !process.ended) return 20;
  return (ofFailedTest ? 10 : 0) + severityOf(how, step.uniform);
}

function severityOf(how: CallEnd, escaped: boolean): number {
  if (how === "none") return 3;
  if (!escaped) return 0;
  return how === "throw" ? 2 : 1;
}

function whenOf({ process, step: { call } }: Origin): number {
  return process.epoch * 1e6 + (call.end ?? call.start);
}

function* originsBelow(
  process: TraceProcess,
  root: TraceCall,
  failedTests: ReadonlySet<string>,
): Generator<Origin, void> {
  const waiting: Step[] = [{ call: root, from: undefined, uniform: true }];
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    const { call } = step;
    if (hasFailed(call) && !call.children.some((child) => hasFailed(child) && isOrigin(call, child)))
      yield { process, step, ofFailedTest: call.test !== undefined && failedTests.has(call.test) };
    for (const child of call.children)
      waiting.push({ call: child, from: step, uniform: step.uniform && child.how === call.how });
  }
}

function callsTo(step: Step): TraceCall[] {
  const calls: TraceCall[] = [];
  for (let at: Step | undefined = step; at !== undefined; at = at.from) calls.push(at.call);
  return calls.reverse();
}

export function hasFailed({ how }: TraceCall): boolean {
  return how === "throw" || how === "error" || how === "none";
}

/** True if the parent call failed because the child call did. */
function isOrigin(parent: TraceCall, child: TraceCall): boolean {
  if (parent.how === "none") return child.how === "none";
  if (!hasFailed(parent)) return false;
  return child.how === parent.how || child.how === "throw";
}
