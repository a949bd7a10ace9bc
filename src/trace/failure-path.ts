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

function pathsOf(process: TraceProcess, root: TraceCall): FailurePath[] {
  const found: FailurePath[] = [];
  const waiting: (readonly TraceCall[])[] = [[root]];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const call = path.at(-1);
    if (call === undefined) continue;
    const failing = call.children.filter((child) => hasFailed(child) && isOrigin(call, child));
    if (hasFailed(call) && failing.length === 0) {
      found.push({ process, calls: path, escaped: path.every((each) => each.how === call.how) });
    }
    for (const child of call.children) waiting.push([...path, child]);
  }
  return found;
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
