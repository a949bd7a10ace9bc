/** The calls of a trace as indented lines, within limits; what is left out is said, with the handle to ask for it. */
import { type FailurePath, findFailures } from "./failure-path.ts";
import { foldCalls } from "./fold-calls.ts";
import { placeOf, renderCall, renderDuration } from "./render-call.ts";
import type { TraceCall, TraceProcess } from "./trace-model.ts";

export interface TreeLimits {
  /** Calls below each other. */
  readonly depth: number;
  /** Lines of the calls of one parent. */
  readonly breadth: number;
  /** Characters of one value. */
  readonly value: number;
  /** Characters of all lines: below 0, nothing more is written, since it does not fit anyway. */
  readonly room?: { left: number };
}

const shownFailures = 3;

/** One of each kind, the worst first. */
export function findShownFailures(processes: readonly TraceProcess[]): FailurePath[] {
  return distinct(findFailures(processes));
}

export function renderFailures(failures: readonly FailurePath[], limits: TreeLimits): string[] {
  const lines = failures
    .slice(0, shownFailures)
    .flatMap((failure, index) => [
      `${index === 0 ? "Path to the failure" : "Also failed"}${failure.escaped ? "" : " (handled by a caller)"}:`,
      ...failure.calls.map((call, depth) => `${"  ".repeat(depth + 1)}${describeCall(call, limits)}`),
    ]);
  const more = failures.length - shownFailures;
  return more > 0 ? [...lines, `… and ${more} more failing calls`] : lines;
}

/** One for each function and way to fail. */
function distinct(failures: readonly FailurePath[]): FailurePath[] {
  const seen = new Set<string>();
  return failures.filter(({ calls }) => {
    const origin = calls.at(-1);
    const key = `${origin?.function.path} ${origin?.function.name} ${origin?.how}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

export function renderProcess(
  process: TraceProcess,
  others: readonly TraceProcess[],
  limits: TreeLimits,
): string[] {
  const parent = others.find(({ pid }) => pid === process.parentPid);
  const started = parent === undefined ? "" : `, started by process ${parent.number}`;
  const lines = [`process ${process.number}: ${process.label} (pid ${process.pid}${started})`];
  for (const [test, roots] of groupByTest(process.roots)) {
    if (test !== undefined) lines.push(`  test ${test}`);
    lines.push(...renderCalls(roots, process, limits, test === undefined ? 1 : 2, limits.depth));
  }
  for (const cut of process.cuts) {
    lines.push(`  not recorded: ${cut.count} calls of ${cut.function.name} (${reasons[cut.why]})`);
  }
  if (process.unreadable > 0) lines.push(`  ${process.unreadable} lines of its trace could not be read`);
  return lines;
}

const reasons = {
  depth: "nested too deep",
  records: "above the limit of records",
  bytes: "above the limit of bytes",
  sampled: "called very often",
};

function groupByTest(roots: readonly TraceCall[]): Map<string | undefined, TraceCall[]> {
  const groups = new Map<string | undefined, TraceCall[]>();
  for (const root of roots) {
    const group = groups.get(root.test);
    if (group === undefined) groups.set(root.test, [root]);
    else group.push(root);
  }
  return groups;
}

/** Siblings with all below them, repeated ones once. */
export function renderCalls(
  calls: readonly TraceCall[],
  process: TraceProcess,
  limits: TreeLimits,
  indent: number,
  depth: number,
): string[] {
  const space = "  ".repeat(indent);
  const folded = foldCalls(calls);
  const lines: string[] = [];
  for (const { calls: group, times, last } of folded.slice(0, limits.breadth)) {
    for (const call of group) {
      if (limits.room !== undefined && limits.room.left < 0) return lines;
      const line = `${space}${markOf(call, process)}${describeCall(call, limits)}`;
      if (limits.room !== undefined) limits.room.left -= line.length;
      lines.push(line);
      lines.push(...renderBelow(call, process, limits, indent + 1, depth - 1));
    }
    if (times > 1) lines.push(`${space}${repeatOf(group.length, times, last, limits)}`);
  }
  const hidden = folded.slice(limits.breadth);
  if (hidden.length > 0) {
    const count = hidden.reduce((sum, { calls: group, times }) => sum + group.length * times, 0);
    lines.push(`${space}… ${count} more calls here, from #${hidden[0]?.calls[0]?.handle} on`);
  }
  return lines;
}

function renderBelow(
  call: TraceCall,
  process: TraceProcess,
  limits: TreeLimits,
  indent: number,
  depth: number,
): string[] {
  if (call.children.length === 0) return [];
  if (depth > 0) return renderCalls(call.children, process, limits, indent, depth);
  return [`${"  ".repeat(indent)}… ${countBelow(call)} calls below #${call.handle}`];
}

function repeatOf(length: number, times: number, last: TraceCall, limits: TreeLimits): string {
  const what = length === 1 ? "" : `the ${length} calls above, `;
  return `  … ${what}${times - 1} times more, the last: ${describeCall(last, limits)}`;
}

/** `⇢ thread worker-1: ` before what began one. */
function markOf(call: TraceCall, process: TraceProcess): string {
  if (call.spawned === "thread") return `⇢ thread ${process.threads.get(call.thread) ?? call.thread}: `;
  return call.spawned === "task" ? `⇢ task ${call.task}: ` : "";
}

function describeCall(call: TraceCall, limits: TreeLimits): string {
  const facts = [placeOf(call), renderDuration(call), `#${call.handle}`].filter((fact) => fact !== "");
  return `${renderCall(call, limits.value)}  [${facts.join(", ")}]`;
}

export function countBelow(call: TraceCall): number {
  let count = 0;
  const waiting = [...call.children];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    count += 1;
    waiting.push(...next.children);
  }
  return count;
}
