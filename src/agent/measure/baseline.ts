/**
 * Finds the failures on the base that show the fault. Runs the failing tests of the first run again, to exclude flaky
 * ones.
 */

import { z } from "zod";
import { nameFirst } from "../../base/count.ts";
import { fail, type Result, succeed } from "../../base/result.ts";
import { formatDuration } from "../../base/units.ts";
import {
  formatTestKey,
  isFailing,
  ranOutOfTime,
  statusesOf,
  statusFinder,
  type TestOutcome,
  testOutcomeSchema,
} from "../../domain/test-outcome.ts";
import type { TestCommand } from "../../languages/contract.ts";
import { findFramework } from "../../languages/find-framework.ts";
import { cutSchema, type LimitedResult, limitedStep, type Reached } from "../record/limited-step.ts";
import { readModules, readSignature, type Signature, signatureSchema } from "../state/statement-signature.ts";
import type { ExecutorRequest, Suite, TestExecutor } from "../suite.ts";
import { chooseTargets, saysLittle, type Targets } from "./choose-targets.ts";
import type { MatchTexts } from "./match-failing.ts";
import { baseSuiteTimeoutMs, limitOf, measureSuite, withoutCutOff } from "./measure-suite.ts";
import type { MeasurementContext } from "./measurement.ts";
import { containsReached, onlyReached, reachedIn } from "./reached-tests.ts";

/** Factor of the time limit when a timed-out test runs again alone. Tests of compiled languages are often slow. */
const moreTimeWhere = { builds: 6, else: 3 };
/** Maximum number of files whose timed-out tests run again. */
const mostSlow = 3;
export interface Baseline {
  readonly command: TestCommand;
  /** All tests on the base, without flaky ones. */
  readonly outcomes: readonly TestOutcome[];
  /** The failing tests' first and second run. */
  readonly runs: readonly (readonly TestOutcome[])[];
  /** True if the time limit ended the second run. */
  readonly isCut?: boolean;
  /** The failing tests that show the fault. */
  readonly targets: readonly TestOutcome[];
  readonly reason: { readonly holds: boolean; readonly evidence: string };
  /** False if only words connect the targets with the statement. */
  readonly isCertain: boolean;
  /**
   * The targets whose code calls functions that the statement names, or contains its values; absent if the tests were
   * not compared with a statement, or if none matches.
   */
  readonly named?: readonly TestOutcome[];
  /** Ids of failing tests that are not targets. They may still fail with a patch. */
  readonly others: readonly string[];
  /** The reason, as the end of a sentence that begins with "Failed before and". */
  readonly othersBecause: string;
  readonly flaky: readonly string[];
  /** The user's limit for one test in milliseconds. */
  readonly testTimeoutMs?: number | undefined;
  readonly durationMs: number;
  readonly own?: Suite["own"];
  /** True if not all tests ran. `outcomes` then contains only the executed tests. */
  readonly isPart?: boolean;
  /** For people: tests that the command did not load, or skipped. */
  readonly trouble: readonly string[];
  /** For people: the command and its source, tests that it did not load, and the failing and flaky tests. */
  readonly remarks: readonly string[];
}

const secondRunSchema = z.object({
  outcomes: z.array(testOutcomeSchema),
  /**
   * Ids of tests that exceeded Millwright's limit and did not run again. Their result is unknown. Absent in runs of
   * older versions.
   */
  unasked: z.array(z.string()).default([]),
  ...cutSchema,
});
type SecondRun = z.infer<typeof secondRunSchema>;

const reachedSchema = z.object({ unasked: z.array(z.string()), tests: z.unknown() });
const reachedAgain: Reached<SecondRun> = {
  of: ({ outcomes, unasked }, isCut) => ({ unasked, tests: reachedIn(outcomes, isCut) }),
  only(ran, recorded) {
    const reached = reachedSchema.safeParse(recorded).data;
    if (reached === undefined) return ran;
    const { unasked, tests } = reached;
    const kept = onlyReached(ran.outcomes, tests);
    const statusOf = statusFinder(kept);
    // A test that passes here is flaky, whatever the recorded run reached: a patch must not get the credit.
    const passed = ran.outcomes.filter(
      ({ key, status }) => status === "passed" && statusOf(key) === "not-run",
    );
    return { ...ran, outcomes: [...kept, ...passed], unasked: [...new Set([...unasked, ...ran.unasked])] };
  },
  contains: ({ outcomes }, recorded) =>
    containsReached(outcomes, reachedSchema.safeParse(recorded).data?.tests),
};

/** Extracts the statement's description of the failure, and records it before any test runs. */
export function recordSignature({
  recorder,
  task,
  workspace: { trees, base },
}: Pick<MeasurementContext, "recorder" | "task" | "workspace">): Promise<Signature> {
  const title = "extract the statement's description of the failure";
  return recorder.step({ key: "signature", title, schema: signatureSchema }, async () =>
    readSignature(task.statement, readModules((await trees.list(base)).map(({ path }) => path))),
  );
}

export async function measureBaseline(
  context: MeasurementContext,
  executor: TestExecutor,
  asked: AskedAgain = {},
): Promise<Result<Baseline, "no-test-command" | "nothing-fails">> {
  const suite = await measureSuite(context, executor);
  return suite.ok ? baselineOf(context, executor, suite.value, asked) : suite;
}

export interface AskedAgain {
  /** The key of the recorded step. Callers use a new key when more of the suite is known. */
  readonly key?: string | undefined;
  /** Milliseconds for the second run. With this limit, a test that the run does not reach is not a target yet. */
  readonly mostMs?: number | undefined;
  /** The same without `mostMs`: a failing test that the second run does not reach remains a target. */
  readonly longestMs?: number;
  /** Called with the ids of tests that passed in the second run. */
  readonly onFlaky?: (ids: readonly string[]) => void;
  /** Reads the code of failing tests if their output does not name the fault. */
  readonly matchTexts?: MatchTexts;
}

export async function baselineOf(
  context: MeasurementContext,
  executor: TestExecutor,
  first: Suite,
  { key = "", mostMs, longestMs = baseSuiteTimeoutMs, onFlaky, matchTexts }: AskedAgain = {},
): Promise<Result<Baseline, "nothing-fails">> {
  const signature = await recordSignature(context);
  const failing = first.outcomes.filter((outcome) => isFailing(outcome.status));
  if (failing.length === 0) {
    const passed = first.outcomes.filter((outcome) => outcome.status === "passed").length;
    return fail("nothing-fails", `No test fails (${passed} passed), so no test shows the fault.`);
  }
  const options = {
    key: `rerun-failing${key}`,
    title: "run the failing tests again",
    schema: secondRunSchema,
    large: true,
    usualMs: mostMs ?? longestMs,
    reached: reachedAgain,
    decides: ({ outcomes }: SecondRun) => statusesOf(outcomes),
    withOwn: (recorded: SecondRun, ran: SecondRun) => ({
      ...recorded,
      unasked: [...new Set([...recorded.unasked, ...ran.unasked])],
    }),
  };
  const {
    outcomes: second,
    unasked,
    cutMs,
  } = await limitedStep<SecondRun>(context, options, async (timeMs) => {
    const ran = await runAgain(context, executor, first.command, { failing, timeMs });
    if (mostMs === undefined || !ran.isCut) return ran;
    // A test without a second status timed out. It waits for a run with more time.
    const outcomes = withoutCutOff(ran.result.outcomes);
    return { ...ran, result: { ...ran.result, outcomes } };
  });
  const slow = new Set([...findSlow(failing, second), ...unasked]);
  const passing = findFlaky(failing, second);
  onFlaky?.([...passing]);
  const flakyIds = new Set([...passing, ...slow]);
  const again = failing.filter((outcome) => !flakyIds.has(formatTestKey(outcome.key)));
  const secondStatus = statusFinder(second);
  const stable = mostMs === undefined ? again : again.filter(({ key }) => secondStatus(key) !== "not-run");
  if (stable.length === 0) {
    if (again.length > 0)
      return fail("nothing-fails", "The failing tests have not run a second time yet, for lack of time.");
    return fail(
      "nothing-fails",
      slow.size === flakyIds.size
        ? `No test fails; ${nameFirst([...slow], mostNamed)} exceeded Millwright's limit of ${formatDuration(limitOf(context))} for one test. A longer limit may let them end.`
        : "No test fails reliably: each failing test passed on a second run, or exceeded Millwright's limit for one test.",
    );
  }
  const { statement, failingTests: named = [] } = context.task;
  const request = { statement, signature, named, failing: stable };
  const byText = saysLittle(request) ? await matchTexts?.(first, stable, signature) : undefined;
  const chosen = chooseTargets({ ...request, ...(byText === undefined ? {} : { byText }) });
  if (!chosen.ok) return chosen;
  return succeed({
    command: first.command,
    outcomes: first.outcomes.filter((outcome) => !flakyIds.has(formatTestKey(outcome.key))),
    runs: [failing, second],
    ...(cutMs !== undefined && { isCut: true }),
    ...(first.part !== undefined && { isPart: true }),
    durationMs: first.durationMs,
    own: first.own,
    testTimeoutMs: first.testTimeoutMs,
    flaky: [...flakyIds],
    trouble: first.remarks,
    remarks: describeBaseline(first, chosen.value, { flaky: flakyIds, slow, limitMs: limitOf(context) }),
    ...chosen.value,
  });
}

const mostNamed = 5;
const partialSuite =
  "There was no time for the other tests, so their results with a patch are unknown. Give the run a longer time limit.";

function describeBaseline(
  { command, outcomes, durationMs, remarks, part }: Suite,
  { targets, others, othersBecause }: Targets,
  left: { readonly flaky: ReadonlySet<string>; readonly slow: ReadonlySet<string>; readonly limitMs: number },
): string[] {
  const flaky = [...left.flaky].filter((id) => !left.slow.has(id));
  const hanging = targets.filter(({ status }) => status === "timed-out").map(({ key }) => formatTestKey(key));
  const limit = `excluded, because they exceeded Millwright's limit of ${formatDuration(left.limitMs)} for one test`;
  const place = command.directory === "" ? "" : ` in ${command.directory}`;
  const ran = outcomes.filter((outcome) => outcome.status !== "not-run").length;
  return [
    `tests: \`${command.command}\`${place} (${command.foundBy}), ${ran} in ${formatDuration(durationMs)}`,
    ...(part === undefined ? [] : [partialSuite]),
    ...remarks,
    `failing: ${nameFirst(
      targets.map((outcome) => formatTestKey(outcome.key)),
      mostNamed,
    )}`,
    ...(hanging.length === 0
      ? []
      : [
          `hanging (exceeded Millwright's limit for one test, and the first of each file also a longer limit): ${nameFirst(hanging, mostNamed)}`,
        ]),
    ...(others.length === 0
      ? []
      : [`also failing, but excluded because they ${othersBecause}: ${nameFirst(others, mostNamed)}`]),
    ...(flaky.length === 0 ? [] : [`flaky, and excluded: ${nameFirst(flaky, mostNamed)}`]),
    ...(left.slow.size === 0 ? [] : [`${limit}: ${nameFirst([...left.slow], mostNamed)}`]),
  ];
}

/**
 * Runs the failing tests once more. Timed-out tests run alone and with more time, first one test per file. If this test
 * also exceeds the longer limit, the file's other timed-out tests do not run. They count as hanging, because each would
 * cost the whole limit. If a limit of the project ended tests of a file, the first of them also decides for the others,
 * but without more time.
 */
async function runAgain(
  context: MeasurementContext,
  executor: TestExecutor,
  command: TestCommand,
  { failing, timeMs }: { readonly failing: readonly TestOutcome[]; readonly timeMs: number },
): Promise<LimitedResult<SecondRun>> {
  const builds = findFramework(context.frameworks, command).builds === true;
  const moreMs = limitOf(context) * (builds ? moreTimeWhere.builds : moreTimeWhere.else);
  const deadline = performance.now() + timeMs;
  let isCut = false;
  const run = async (
    outcomes: readonly TestOutcome[],
    testTimeoutMs: number,
  ): Promise<readonly TestOutcome[]> => {
    const timeoutMs = deadline - performance.now();
    if (timeoutMs <= 0 && outcomes.length > 0) isCut = true;
    if (timeoutMs <= 0 || outcomes.length === 0) return [];
    const request: ExecutorRequest = {
      tree: context.workspace.base,
      selection: { kind: "tests", tests: outcomes.map((outcome) => outcome.key) },
      testTimeoutMs,
      timeoutMs: Math.max(1, timeoutMs),
    };
    const ran = await executor.run(command, request);
    if (ran.end !== "timed-out") return ran.report.outcomes;
    isCut = true;
    return withoutCutOff(ran.report.outcomes);
  };
  const files = groupByFile(failing.filter(({ status }) => status === "timed-out"));
  const waiting = groupByFile(failing.filter((each) => each.status !== "timed-out" && ranOutOfTime(each)));
  const left = new Set(waiting.flatMap((outcomes) => outcomes.slice(1)));
  const ended = failing.filter((each) => each.status !== "timed-out" && !left.has(each));
  const second = [...(await run(ended, limitOf(context)))];
  for (const [first, ...others] of waiting) {
    const hangs = first !== undefined && isFailing(statusFinder(second)(first.key));
    second.push(...(hangs ? others : await run(others, limitOf(context))));
  }
  for (const [first, ...others] of files.slice(0, mostSlow)) {
    const asked = first === undefined ? [] : await run([first], moreMs);
    const hangs = first !== undefined && isFailing(statusFinder(asked)(first.key));
    second.push(...asked, ...(hangs ? others : await run(others, moreMs)));
  }
  // The limit of the whole run ended these tests, not their own limit.
  const statusOf = statusFinder(second);
  const unasked = isCut
    ? failing.filter((each) => each.status === "timed-out" && statusOf(each.key) === "not-run")
    : files.slice(mostSlow).flat();
  return { result: { outcomes: second, unasked: unasked.map(({ key }) => formatTestKey(key)) }, isCut };
}

function groupByFile(outcomes: readonly TestOutcome[]): TestOutcome[][] {
  return [...Map.groupBy(outcomes, ({ key }) => formatTestKey({ ...key, name: "" })).values()];
}

/** Tests that timed out at first, and passed with more time. */
function findSlow(failing: readonly TestOutcome[], second: readonly TestOutcome[]): string[] {
  const statusOf = laterStatus(second);
  return failing
    .filter((outcome) => outcome.status === "timed-out" && statusOf(outcome) === "passed")
    .map(({ key }) => formatTestKey(key));
}

/**
 * Finds failing tests that pass in the second run on the same tree. A test without a second result counts as failing.
 */
function findFlaky(failing: readonly TestOutcome[], second: readonly TestOutcome[]): Set<string> {
  const statusOf = laterStatus(second);
  const passed = failing.filter((outcome) => statusOf(outcome) === "passed");
  return new Set(passed.map((outcome) => formatTestKey(outcome.key)));
}

/** Returns a function that gives a test's second result. A test without one counts as failing. */
function laterStatus(outcomes: readonly TestOutcome[]): (wanted: TestOutcome) => TestOutcome["status"] {
  const statusOf = statusFinder(outcomes);
  return ({ key }) => {
    const status = statusOf(key);
    return status === "not-run" ? "failed" : status;
  };
}
