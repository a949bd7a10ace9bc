/** Validates one candidate: first the failing tests, and the whole suite only if they pass. */

import { z } from "zod";
import type { Baseline } from "../../agent/measure/baseline.ts";
import { testTimeoutOf } from "../../agent/measure/measure-suite.ts";
import { findRegressions, indexStatuses } from "../../agent/measure/regressions.ts";
import type { StrategyContext } from "../../agent/strategy.ts";
import type { TestExecutor } from "../../agent/suite.ts";
import { hashData } from "../../base/hash.ts";
import {
  formatTestKey,
  isFailing,
  ranOutOfTime,
  statusFinder,
  type TestOutcome,
  testOutcomeSchema,
} from "../../domain/test-outcome.ts";
import { findCompany, findOutside, readAnswer } from "../../workspace/ask-broken.ts";
import { answersOf, moreTime } from "../../workspace/time-outs.ts";

export const verdictSchema = z.object({
  verdict: z.enum(["failing tests still fail", "does not load", "breaks other tests", "plausible"]),
  /** Number of target tests that pass. */
  fixed: z.int(),
  /** Ids of the target tests that pass, for partial repairs; otherwise empty. */
  turned: z.array(z.string()).default([]),
  /** Number of other tests that failed on the base, and pass now. */
  othersFixed: z.int(),
  broken: z.array(z.string()),
});
export type Verdict = z.infer<typeof verdictSchema>;

export interface FunnelTimes {
  readonly testTimeoutMs: number;
  readonly targetsTimeoutMs: number;
  readonly suiteTimeoutMs: number;
}

/**
 * Milliseconds for starting a test process. The value is generous, because a slow machine must not reject a good
 * candidate.
 */
const startMs = 15_000;
/** Maximum milliseconds for a build. Each start builds a compiled project, and the base's run shows the time. */
const longestBuildMs = 120_000;

/**
 * Derives time limits in milliseconds from the times on the base. If a candidate exceeds them, Millwright assumes an
 * endless loop.
 */
export function timesFrom(baseline: Baseline): FunnelTimes {
  const testTimeoutMs = testTimeoutOf(baseline);
  return {
    testTimeoutMs,
    targetsTimeoutMs:
      startMs + Math.min(2 * baseline.durationMs, longestBuildMs) + baseline.targets.length * testTimeoutMs,
    suiteTimeoutMs: 2 * startMs + 4 * baseline.durationMs,
  };
}

/** Names a step about a tree and a baseline's failing tests: a part of a repair is judged by some of these tests only. */
export function stepKey(kind: string, tree: string, { targets }: Pick<Baseline, "targets">): string {
  return `${kind}:${tree}:${hashData(targets.map(({ key }) => key))}`;
}

/**
 * Judges a tree in a step. Undefined if the time limit ended the runs. They then say nothing about the tree, and a
 * resumed run judges it again.
 */
export async function judgeInStep(
  { recorder, limits }: StepContext,
  options: { readonly key: string; readonly title: string },
  judge: () => Promise<Verdict>,
): Promise<Verdict | undefined> {
  try {
    return await recorder.step({ ...options, schema: verdictSchema }, () => inTime({ limits }, judge()));
  } catch (error) {
    return ignoreOutOfTime(error);
  }
}

interface StepContext {
  readonly recorder: Pick<StrategyContext["recorder"], "step">;
  readonly limits: Pick<StrategyContext["limits"], "remainingMs">;
}

/** Thrown to leave a step without a result. The step's caller catches it. */
const outOfTime = new Error("the time limit was reached");

/** Throws if the time limit ended the run. */
export async function inTime<T>({ limits }: Pick<StepContext, "limits">, judging: Promise<T>): Promise<T> {
  const judged = await judging;
  if (limits.remainingMs() === 0) throw outOfTime;
  return judged;
}

export function ignoreOutOfTime(error: unknown): undefined {
  if (error !== outOfTime) throw error;
}

/**
 * Judges a candidate by the failing tests, and, if these pass, by all tests. `isScreened`: true if the failing tests
 * already passed in a batch. Millwright then runs them only together with all tests.
 */
export async function judgeCandidate(
  context: Pick<StrategyContext, "limits">,
  executor: TestExecutor,
  baseline: Baseline,
  tree: string,
  isScreened = false,
): Promise<Verdict> {
  const failed = isScreened ? undefined : await judgeOnTargets(context, executor, baseline, tree);
  return failed ?? judgeOnAll(context, executor, baseline, tree);
}

/** Judges a candidate by the failing tests. Undefined if they pass. */
async function judgeOnTargets(
  context: Pick<StrategyContext, "limits">,
  executor: TestExecutor,
  baseline: Baseline,
  tree: string,
): Promise<Verdict | undefined> {
  const times = timesFrom(baseline);
  const targets = baseline.targets.map((outcome) => outcome.key);
  const first = await executor.run(baseline.command, {
    tree,
    selection: { kind: "tests", tests: targets },
    testTimeoutMs: times.testTimeoutMs,
    timeoutMs: Math.min(times.targetsTimeoutMs, context.limits.remainingMs()),
    stopAtFirstFailure: isDear(baseline),
  });
  const fixed = countPassed(first.report.outcomes, baseline);
  if (fixed === targets.length && first.report.invalid === undefined) return undefined;
  const ran = first.report.outcomes.some(({ status }) => status === "passed" || isFailing(status));
  return {
    verdict: ran ? "failing tests still fail" : "does not load",
    fixed,
    turned: listPassed(first.report.outcomes, baseline),
    othersFixed: 0,
    broken: [],
  };
}

async function judgeOnAll(
  context: Pick<StrategyContext, "limits">,
  executor: TestExecutor,
  baseline: Baseline,
  tree: string,
): Promise<Verdict> {
  const { outcomes, invalid } = await runSuite(context, executor, baseline, tree);
  const fixed = countPassed(outcomes, baseline);
  const broken = invalid === undefined ? findRegressions(baseline.outcomes, outcomes) : [invalid];
  const statuses = indexStatuses(outcomes);
  const othersFixed = baseline.others.filter((id) => statuses.get(id) === "passed").length;
  const good = broken.length === 0 && fixed === baseline.targets.length;
  return {
    verdict: good ? "plausible" : broken.length > 0 ? "breaks other tests" : "failing tests still fail",
    fixed,
    turned: [],
    othersFixed,
    broken: broken.slice(0, 20),
  };
}

/**
 * Judges a candidate that repairs only some of the failing tests. Runs the whole suite, and does not stop at the first
 * failure. The verdict's `turned` lists the repaired tests; it is empty if the candidate breaks another test.
 */
export async function judgePartial(
  context: Pick<StrategyContext, "limits">,
  executor: TestExecutor,
  baseline: Baseline,
  tree: string,
): Promise<Verdict> {
  const whole = await runSuite(context, executor, baseline, tree);
  const broken =
    whole.invalid === undefined ? findRegressions(baseline.outcomes, whole.outcomes) : [whole.invalid];
  const turned = broken.length === 0 ? listPassed(whole.outcomes, baseline) : [];
  const verdict =
    broken.length > 0
      ? "breaks other tests"
      : turned.length === baseline.targets.length
        ? "plausible"
        : "failing tests still fail";
  return { verdict, fixed: turned.length, turned, othersFixed: 0, broken };
}

/**
 * Maximum number of failing tests to run completely. With more, a candidate that does not repair the first test does
 * not run the others.
 */
const mostCheapTargets = 20;

/**
 * Returns true if the failing tests are slow: one hangs, or there are many. Millwright then stops a candidate's run at
 * the first test that still fails.
 */
export function isDear(baseline: Baseline): boolean {
  return baseline.targets.some(hangs) || baseline.targets.length > mostCheapTargets;
}

/** Returns true if a test does not end by itself, or crashes the whole program. */
export function hangs(outcome: TestOutcome): boolean {
  return ranOutOfTime(outcome) || outcome.failure?.type === "Crash";
}

export const suiteRunSchema = z.object({
  outcomes: z.array(testOutcomeSchema),
  /** The reason why the outcomes cannot be trusted. */
  invalid: z.string().optional(),
  durationMs: z.number(),
});
export type SuiteRun = z.infer<typeof suiteRunSchema>;

/**
 * Runs all tests on a tree. Reruns broken tests, and the files of failures outside any test, unless they are many. A
 * flaky test does not count against the candidate: it passes in the rerun, and in a repetition of the whole run.
 */
export async function runSuite(
  context: Pick<StrategyContext, "limits">,
  executor: TestExecutor,
  baseline: Baseline,
  tree: string,
): Promise<SuiteRun> {
  const times = timesFrom(baseline);
  const limits = { tree, testTimeoutMs: times.testTimeoutMs };
  const timeoutMs = Math.min(times.suiteTimeoutMs, context.limits.remainingMs());
  const run = await executor.run(baseline.command, { ...limits, selection: { kind: "all" }, timeoutMs });
  const { outcomes, invalid } = run.report;
  const broken = new Set(findRegressions(baseline.outcomes, outcomes));
  const suspects = baseline.outcomes.filter((outcome) => broken.has(formatTestKey(outcome.key)));
  const outside = findOutside(baseline.outcomes, outcomes).map(({ key }) => key);
  const company = findCompany(outside, baseline.outcomes);
  const found = suspects.length + outside.length;
  if (invalid !== undefined || found === 0 || found > mostSuspects) {
    return { outcomes: [...outcomes], invalid, durationMs: run.durationMs };
  }
  const tests = [...new Set([...suspects, ...company])].map((outcome) => outcome.key);
  const timedOut = outcomes.some(
    ({ key, status }) => status === "timed-out" && broken.has(formatTestKey(key)),
  );
  const again = await executor.run(baseline.command, {
    ...limits,
    // Exceeding our limit is not their fault: they run alone, with more time.
    testTimeoutMs: (timedOut ? moreTime : 1) * limits.testTimeoutMs,
    selection: { kind: "tests", tests },
    timeoutMs,
  });
  const answers = answersOf(again);
  const second = new Map(answers.map((outcome) => [formatTestKey(outcome.key), outcome]));
  const statusOf = readAnswer(answers, company);
  const clear = outside.filter((key) => statusOf(key) === "passed");
  for (const key of clear) second.set(formatTestKey(key), { key, status: "passed", durationMs: 0 });
  const isCleared = ({ key, status }: TestOutcome): boolean =>
    status !== "timed-out" && status !== "passed" && second.get(formatTestKey(key))?.status === "passed";
  const doubted = outcomes.filter(isCleared);
  let durationMs = run.durationMs + again.durationMs;
  if (doubted.length > 0) {
    // The change may break a test only in the company of others.
    const leftMs = Math.max(1, Math.min(timeoutMs, context.limits.remainingMs()));
    const request = { ...limits, selection: { kind: "all" }, timeoutMs: leftMs } as const;
    const whole = await executor.run(baseline.command, request);
    const together = readAnswer(answersOf(whole), company);
    for (const { key } of doubted) if (together(key) !== "passed") second.delete(formatTestKey(key));
    durationMs += whole.durationMs;
  }
  const settled = outcomes.map((outcome) => second.get(formatTestKey(outcome.key)) ?? outcome);
  return { outcomes: settled, invalid, durationMs };
}

/** Maximum number of broken tests to rerun. With more, flakiness is not the cause. */
const mostSuspects = 3;

export function countPassed(outcomes: readonly TestOutcome[], baseline: Baseline): number {
  return listPassed(outcomes, baseline).length;
}

/** Returns the ids of the baseline's failing tests that pass in these outcomes. */
export function listPassed(outcomes: readonly TestOutcome[], baseline: Baseline): string[] {
  const statusOf = statusFinder(outcomes);
  return baseline.targets
    .filter((target) => statusOf(target.key) === "passed")
    .map(({ key }) => formatTestKey(key));
}
