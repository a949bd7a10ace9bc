/** Reruns tests that fail with a candidate, and reports what the reruns show. */

import { formatTestKey, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import type { Ask, Repeat } from "../../workspace/ask-broken.ts";
import type { TestRun } from "../../workspace/test-runner.ts";
import { answersOf, moreTime } from "../../workspace/time-outs.ts";
import type { ActionContext, RunContext } from "../action.ts";
import { remarkOnce } from "../record/once.ts";
import type { ExecutorRequest, Suite, TestExecutor } from "../suite.ts";
import { openTestExecutor } from "./test-executor.ts";

/**
 * Runs the selected tests of a candidate. If a failure beside other processes does not repeat alone, one process runs all
 * of them again, because the change may break the test only in the company of other tests.
 */
export async function runTogether(
  { executor, suite, workspace }: RunContext,
  request: ExecutorRequest,
  divided: ExecutorRequest["divided"],
): Promise<TestRun> {
  const began = performance.now();
  const first = await executor.run(suite.command, { ...request, divided });
  if (first.onlyTogether === undefined || request.tree === workspace.base) return first;
  const timeoutMs = request.timeoutMs - (performance.now() - began);
  if (first.end === "timed-out" || timeoutMs <= 0) return { ...withoutOnlyTogether(first), end: "timed-out" };
  return { ...(await executor.run(suite.command, { ...request, timeoutMs })), isDivided: false };
}

/** Without time for that run, the results of these tests are unknown. */
function withoutOnlyTogether({ onlyTogether = [], ...run }: TestRun): TestRun {
  const ids = new Set(onlyTogether);
  const outcomes = run.report.outcomes.map((outcome): TestOutcome => {
    return ids.has(formatTestKey(outcome.key)) ? { ...outcome, status: "not-run" } : outcome;
  });
  return { ...run, isDivided: false, report: { ...run.report, outcomes } };
}

/** The share of the limit within which a test passes alone that hung, rather than was slow, in the company of others. */
const quick = 0.1;

/**
 * Selects the tests that exceeded Millwright's limit in a run and then passed alone quickly, with their results of the
 * run. A slow test also exceeds the limit on a busy machine, which says nothing about the change.
 */
export function findLate(
  ran: readonly TestOutcome[],
  answered: readonly TestOutcome[],
  limitMs: number,
): TestOutcome[] {
  const isQuick = ({ status, durationMs }: TestOutcome): boolean =>
    status === "passed" && durationMs < quick * limitMs;
  const passed = new Set(answered.filter(isQuick).map(({ key }) => formatTestKey(key)));
  return ran.filter(({ key, status }) => status === "timed-out" && passed.has(formatTestKey(key)));
}

/**
 * Repeats a whole run in one process, with the change or on the base, as far as time is left. `isPatient`: gives each
 * test the time of a test that runs alone after it exceeded Millwright's limit.
 */
export function repeaterOf(context: RunContext, asked: ExecutorRequest, isPatient: boolean): Repeat {
  const { suite, limits } = context;
  const request = { ...asked, testTimeoutMs: (isPatient ? moreTime : 1) * asked.testTimeoutMs };
  return async (on) => {
    const timeoutMs = Math.min(request.timeoutMs, limits.remainingMs());
    if (timeoutMs <= 0) return { outcomes: [], isCut: true };
    return runSide(context, request.tree, on, async (executor, tree) => {
      const ran = await executor.run(suite.command, { ...request, tree, timeoutMs });
      const outcomes = on === "changed" ? answersOf(ran) : trusted(ran.report);
      return { outcomes, isCut: ran.end === "timed-out" };
    });
  };
}

/** Runs tests again, with the change or on the base. `requestOf`: the request for these tests. */
export function askerOf(
  context: RunContext,
  changed: string,
  requestOf: (tests: readonly TestKey[]) => ExecutorRequest,
): Ask {
  return (tests, on) =>
    runSide(context, changed, on, async (executor, tree) =>
      trusted((await executor.run(context.suite.command, { ...requestOf(tests), tree })).report),
    );
}

/** Runs on the changed tree, or on the base in a fresh checkout, without files that a patch left behind. */
async function runSide<T>(
  { executor, workspace, frameworks, signal }: RunContext,
  changed: string,
  on: "changed" | "base",
  run: (executor: TestExecutor, tree: string) => Promise<T>,
): Promise<T> {
  if (on === "changed") return run(executor, changed);
  const fresh = await openTestExecutor(workspace, frameworks, signal);
  return run(fresh, workspace.base).finally(() => fresh.close());
}

interface Trusted {
  readonly outcomes: readonly TestOutcome[];
  readonly invalid?: string | undefined;
}

/** The outcomes of a report that can be trusted. A test must not pass by another report. */
export function trusted({ outcomes, invalid }: Trusted): readonly TestOutcome[] {
  return invalid === undefined ? outcomes : [];
}

interface Learnt {
  readonly unsteady?: readonly string[] | undefined;
  readonly open?: readonly string[] | undefined;
  readonly stuck?: readonly string[] | undefined;
  readonly isDivided?: boolean | undefined;
}

/** Reports and remembers what a run shows about the suite. */
export function learnFrom(context: RunContext, { unsteady, open = [], stuck = [], isDivided }: Learnt): void {
  const { suite } = context;
  for (const test of unsteady ?? []) tellUnsteady(context, test);
  for (const test of open) tellOpen(context, test);
  if (unsteady !== undefined)
    Object.assign(suite, {
      unsteady: [...new Set([...(suite.unsteady ?? []), ...unsteady])],
    } satisfies Partial<Suite>);
  for (const test of stuck) tellStuck(context, test);
  if (isDivided === false) Object.assign(suite, { isDivided: false } satisfies Partial<Suite>);
}

/** Reports a flaky test, which failed once with a patch but is not broken. */
function tellUnsteady({ recorder }: Pick<ActionContext, "recorder">, test: string): void {
  const text = `${test} failed once with a patch. When Millwright ran it again, it passed with the patch, or failed without it, so it is flaky, not broken`;
  remarkOnce(recorder, text);
}

/** Reports a test of which nobody knows whether it is flaky or broken. */
export function tellOpen({ recorder }: Pick<ActionContext, "recorder">, test: string): void {
  const text = `${test} failed with a patch, but not when Millwright ran it again without all the others. No time was left to repeat the whole run, so Millwright does not know whether the test is flaky or broken`;
  remarkOnce(recorder, text);
}

/** Reports a hanging test that ended the test process. */
function tellStuck({ recorder }: Pick<ActionContext, "recorder">, test: string): void {
  const text = `${test} hangs, and ended the test process at its time limit. Millwright ran the tests after it again, without this test`;
  remarkOnce(recorder, text);
}
