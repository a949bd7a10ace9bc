/** Where a run went wrong: the calls from an entry down to the one in which the failure began. */
import type { TraceCall, TraceProcess } from "./trace-model.ts";

export interface FailurePath {
  readonly process: TraceProcess;
  /** From the entry to the origin. */
  readonly calls: readonly TraceCall[];
  /** Whether it left the entry too: nothing that is traced handled it. */
  readonly escaped: boolean;
}

/** The worst first: calls that never returned, then failures that nothing handled, then those that came last. */
export function findFailures(processes: readonly TraceProcess[]): FailurePath[] {
  const paths = processes.flatMap((process) => process.roots.flatMap((root) => pathsOf(process, root)));
  return paths.sort((a, b) => severity(b) - severity(a) || whenOf(b) - whenOf(a));
}

function severity({ calls, escaped }: FailurePath): number {
  const how = calls.at(-1)?.how;
  if (how === "none") return 3;
  if (!escaped) return 0;
  return how === "throw" ? 2 : 1;
}

function whenOf({ process, calls }: FailurePath): number {
  const origin = calls.at(-1);
  return process.epoch * 1e6 + (origin?.end ?? origin?.start ?? 0);
}

/** A call with the way to it. */
interface Step {
  readonly call: TraceCall;
  readonly from: Step | undefined;
}

function pathsOf(process: TraceProcess, root: TraceCall): FailurePath[] {
  const found: FailurePath[] = [];
  const waiting: Step[] = [{ call: root, from: undefined }];
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    const { call } = step;
    if (hasFailed(call) && !call.children.some((child) => hasFailed(child) && isOrigin(call, child))) {
      const calls = callsTo(step);
      found.push({ process, calls, escaped: calls.every((each) => each.how === call.how) });
    }
    for (const child of call.children) waiting.push({ call: child, from: step });
  }
  return found;
}

function callsTo(step: Step): TraceCall[] {
  const calls: TraceCall[] = [];
  for (let at: Step | undefined = step; at !== undefined; at = at.from) calls.push(at.call);
  return calls.reverse();
}

export function hasFailed({ how }: TraceCall): boolean {
  return how === "throw" || how === "error" || how === "none";
}

/** Whether the parent's failure is the child's. */
function isOrigin(parent: TraceCall, child: TraceCall): boolean {
  if (parent.how === "none") return child.how === "none";
  if (!hasFailed(parent)) return false;
  return child.how === parent.how || child.how === "throw";
}
