/** Decides if several processes run the selected tests, and runs these processes in the checkouts of an executor. */
import { availableParallelism } from "node:os";
import { formatTestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import type { Selection, TestFramework } from "../../languages/contract.ts";
import type { Checkout, Workspace } from "../../workspace/contract.ts";
import { runDivided } from "../../workspace/divided-run.ts";
import { addMissing, type TestRun, type TestRunRequest } from "../../workspace/test-runner.ts";
import type { ExecutorRequest, Suite } from "../suite.ts";

/** Number of processes that run the tests. Each starts the framework and collects all selected tests. */
export const processes = Math.min(4, availableParallelism());

/** Minimum milliseconds of the tests in one process. A shorter run gains less than another checkout costs. */
const leastMs = 20_000;

/**
 * True if the request allows division and measures no coverage, if this machine can run several processes, if the
 * framework can run a share of the tests, and if the sandbox isolates the network and processes of each checkout.
 * Without isolation, tests with fixed ports would disturb each other.
 */
export function canDivide(
  { divides }: TestFramework,
  { isolated }: Workspace,
  { divided, coverage }: ExecutorRequest,
): boolean {
  const isWanted = divided !== undefined && coverage !== true;
  return isWanted && divides === true && isolated && processes > 1;
}

/**
 * Decides whether several processes run all tests on the base. Estimates the time from the files that ran first, or
 * takes the times of an earlier run. Returns undefined if one process must run all tests. `knownNot`: a test of an
 * earlier run failed only beside other processes. Pure.
 */
export function divideBase(
  { durationMs, part }: Pick<Suite, "durationMs" | "part">,
  times: ReadonlyMap<string, number> = new Map(),
  knownNot = false,
): ExecutorRequest["divided"] {
  const { files = [], of = 0, isCut = false } = part ?? {};
  const known = [...times.values()].reduce((sum, ms) => sum + ms, 0);
  const estimate = files.length === 0 ? 0 : (durationMs / files.length) * of;
  const isLong = isCut || Math.max(known, estimate) >= leastMs;
  return isLong && !knownNot ? { times: Object.fromEntries(times) } : undefined;
}

/**
 * Decides whether several processes run the selected tests on a candidate: only if several ran the tests on the base, so
 * that both runs are alike. Pure.
 */
export function divideCandidate(
  { isDivided, durationMs, outcomes }: Pick<Suite, "isDivided" | "durationMs" | "outcomes">,
  selection: Selection,
): ExecutorRequest["divided"] {
  if (isDivided !== true) return undefined;
  const times = timesOfFiles(outcomesIn(outcomes, selection));
  const ms = selection.kind === "all" ? durationMs : [...times.values()].reduce((sum, each) => sum + each, 0);
  return ms < leastMs ? undefined : { times: Object.fromEntries(times) };
}

function outcomesIn(outcomes: readonly TestOutcome[], selection: Selection): readonly TestOutcome[] {
  if (selection.kind === "all") return outcomes;
  const files = new Set(selection.kind === "files" ? selection.files : []);
  const tests = new Set(selection.kind === "tests" ? selection.tests.map(formatTestKey) : []);
  return outcomes.filter(({ key }) => files.has(key.target) || tests.has(formatTestKey(key)));
}

/** Tells whether further runs may use several processes; empty if the run was not to be divided. */
export function dividedIn({ isDivided, onlyTogether }: TestRun): { readonly isDivided?: boolean } {
  return isDivided === undefined ? {} : { isDivided: isDivided && onlyTogether === undefined };
}

/** Sums the milliseconds of each file's tests. Pure. */
export function timesOfFiles(outcomes: readonly TestOutcome[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const { key, durationMs } of outcomes)
    times.set(key.target, (times.get(key.target) ?? 0) + durationMs);
  return times;
}

export type RunIn = (
  checkout: Checkout,
  more: Partial<Pick<TestRunRequest, "share" | "selection" | "timeoutMs">>,
) => Promise<TestRun>;

/** Runs the selected tests in several processes; in one process if their results do not form a reliable run. */
export async function runInAll(
  checkouts: readonly [Checkout, ...Checkout[]],
  { timeoutMs: wholeMs, selection, divided, cut }: ExecutorRequest,
  runIn: RunIn,
): Promise<TestRun> {
  const began = performance.now();
  const [first] = checkouts;
  const leftMs = (): number => (cut?.aborted === true ? 0 : wholeMs - (performance.now() - began));
  const timeoutMs = (): number => Math.max(1, leftMs());
  const joined = await runDivided({
    of: checkouts.length,
    times: divided?.times,
    leftMs,
    runShare: (share) => runIn(checkouts[share.index] ?? first, { share, timeoutMs: wholeMs }),
    runAlone: (tests) => runIn(first, { selection: { kind: "tests", tests }, timeoutMs: timeoutMs() }),
  });
  if (joined === undefined) return { ...(await runIn(first, { timeoutMs: timeoutMs() })), isDivided: false };
  const { report } = joined;
  return { ...joined, report: { ...report, outcomes: addMissing(report.outcomes, selection) } };
}
