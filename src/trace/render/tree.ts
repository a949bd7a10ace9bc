/**
 * Renders the calls of a trace as indented lines, within limits. Where it omits calls, notes the handle with which a
 * reader can ask for them.
 */

import { countOf } from "../../base/count.ts";
import type { FailurePath } from "../failure-path.ts";
import { foldCalls } from "../fold-calls.ts";
import type { TraceCall, TraceProcess } from "../trace-model.ts";
import { placeOf, renderCall, renderDuration } from "./call.ts";

export interface TreeLimits {
  /** Maximum nesting of calls. */
  readonly depth: number;
  /** Maximum number of calls to show for one parent. A group of repeated calls counts as one. */
  readonly breadth: number;
  /** Maximum number of characters of one value. */
  readonly value: number;
  /** Remaining characters for all lines. Below 0, the renderer writes nothing more. */
  readonly room?: { left: number };
}

const shownFailures = 3;
/** Number of calls at the beginning of a long path, which is usually a deep recursion. The middle is omitted. */
const pathBegin = 10;
const pathEnd = 14;

/** Facts about the run's end. */
export interface RunEnd {
  /** True if the failed tests are known. */
  readonly failedTests?: boolean;
  /** True if the command ended with exit code 0. */
  readonly succeeded?: boolean;
}

export function renderFailures(
  failures: readonly FailurePath[],
  limits: TreeLimits,
  end: RunEnd = {},
): string[] {
  const lines = failures
    .slice(0, shownFailures)
    .flatMap((failure, index) => [
      `${titleOf(failure, index === 0, end)}:`,
      ...renderPath(failure.calls, 1, (call) => describeCall(call, limits)),
    ]);
  const more = failures.length - shownFailures;
  return more > 0 ? [...lines, `… and ${more} more ${more === 1 ? "failing call" : "failing calls"}`] : lines;
}

/**
 * Renders a path from an entry to an inner call, each call below its caller. In a long path, shows only the number of
 * calls in the middle.
 */
export function renderPath(
  calls: readonly TraceCall[],
  indent: number,
  describe: (call: TraceCall) => string,
): string[] {
  const between = calls.length - pathBegin - pathEnd;
  const shown = between > 1 ? [...calls.slice(0, pathBegin), ...calls.slice(-pathEnd)] : calls;
  const isCut = shown.length < calls.length;
  return shown.flatMap((call, at) => {
    const space = "  ".repeat(indent + at);
    const gap = isCut && at === pathBegin ? [`${space}… ${countOf(between, "call")} between`] : [];
    return [...gap, `${space}${describe(call)}`];
  });
}

function titleOf(
  failure: FailurePath,
  isFirst: boolean,
  { failedTests = false, succeeded = false }: RunEnd,
): string {
  const { process, calls, escaped, ofFailedTest } = failure;
  const test = ofFailedTest ? ` of test ${calls[0]?.test}` : "";
  const handled = escaped ? "" : " (handled by a caller)";
  const diedHere = calls.at(-1)?.how === "none" && !process.ended;
  const isOther = failedTests && !ofFailedTest && !diedHere;
  if (isOther)
    return `${isFirst ? "Failed, but in no failing test" : "Also failed, but in no failing test"}${handled}`;
  if (!isFirst) return `Also failed${test}${handled}`;
  const isUnheard = succeeded && !ofFailedTest && !diedHere;
  return `${isUnheard ? "Failed, but the command ended with exit code 0" : "Path to the failure"}${test}${handled}`;
}

export function renderProcess(
  process: TraceProcess,
  others: readonly TraceProcess[],
  limits: TreeLimits,
  failedTests: ReadonlySet<string> = new Set(),
): string[] {
  const parent = others.find(({ pid }) => pid === process.parentPid);
  const started = parent === undefined ? "" : `, started by process ${parent.number}`;
  const lines = [`process ${process.number}: ${process.label} (pid ${process.pid}${started})`];
  for (const [test, roots] of groupByTest(process.roots, failedTests)) {
    if (isFull(limits)) return lines;
    if (test !== undefined) lines.push(`  test ${test}${failedTests.has(test) ? " (failed)" : ""}`);
    lines.push(...renderCalls(roots, process, limits, test === undefined ? 1 : 2, limits.depth));
  }
  // A process reports its sums regularly and at its end, which this one did not reach.
  const least = process.ended ? "" : "at least ";
  for (const cut of process.cuts) {
    const count = countOf(cut.count, "call");
    lines.push(`  not recorded: ${least}${count} of ${cut.function.name} (${reasons[cut.why]})`);
  }
  if (process.unreadable > 0)
    lines.push(`  ${countOf(process.unreadable, "line")} of its trace could not be read`);
  return lines;
}

const reasons = {
  depth: "nested too deep",
  records: "above the limit of records",
  bytes: "above the limit of bytes",
  sampled: "called very often",
};

/** Groups calls by test, the failed tests first. */
function groupByTest(
  roots: readonly TraceCall[],
  failedTests: ReadonlySet<string>,
): Iterable<readonly [string | undefined, TraceCall[]]> {
  const groups = known.get(roots) ?? collectTests(roots);
  known.set(roots, groups);
  if (failedTests.size === 0) return groups;
  const failed = [...failedTests].flatMap((test) => {
    const own = groups.get(test);
    return own === undefined ? [] : [[test, own] as const];
  });
  return [...failed, ...[...groups].filter(([test]) => test === undefined || !failedTests.has(test))];
}

type Groups = Map<string | undefined, TraceCall[]>;
/** Caches the groups, because Millwright renders a tree several times, until it fits. */
const known = new WeakMap<readonly TraceCall[], Groups>();

function collectTests(roots: readonly TraceCall[]): Groups {
  const groups: Groups = new Map();
  for (const root of roots) {
    const group = groups.get(root.test);
    if (group === undefined) groups.set(root.test, [root]);
    else group.push(root);
  }
  return groups;
}

/** True if further lines would not fit. */
function isFull({ room }: TreeLimits): boolean {
  return room !== undefined && room.left < 0;
}

/** Renders sibling calls and the calls below them, within the limits. Renders repeated calls once. */
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
      if (isFull(limits)) return lines;
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
    lines.push(`${space}… ${countOf(count, "more call")} here, from #${hidden[0]?.calls[0]?.handle} on`);
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
  return [`${"  ".repeat(indent)}… ${countOf(countBelow(call), "call")} below #${call.handle}`];
}

function repeatOf(length: number, times: number, last: TraceCall, limits: TreeLimits): string {
  const what = length === 1 ? "" : `the ${length} calls above, `;
  return `  … ${what}${times === 2 ? "once" : `${times - 1} times`} more, the last: ${describeCall(last, limits)}`;
}

/** The mark before a call that began a thread or task: `⇢ thread worker-1: `. */
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
  const waiting = [call];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    count += next.children.length;
    for (const child of next.children) if (child.children.length > 0) waiting.push(child);
  }
  return count;
}
