/** What the repository's tests say before anything is changed: found, run, and the failing ones run again. */

import { z } from "zod";
import { fail, type Result, succeed } from "../../base/result.ts";
import { formatDuration } from "../../base/units.ts";
import {
  findStatus,
  formatTestKey,
  isFailing,
  type TestOutcome,
  testOutcomeSchema,
} from "../../domain/test-outcome.ts";
import type { TestCommand } from "../../languages/contract.ts";
import { findFramework } from "../../languages/find-framework.ts";
import { findTestCommand, listTestCommands } from "../../workspace/test-command.ts";
import type { TestRun } from "../../workspace/test-runner.ts";
import { readSignature, type Signature, signatureSchema } from "../state/statement-signature.ts";
import { chooseTargets, type Targets } from "./choose-targets.ts";
import { cutSchema, type LimitedResult, limitedStep } from "./limited-step.ts";
import type { MeasurementContext } from "./measurement.ts";
import type { BenchRun, TestBench } from "./test-bench.ts";

/** Milliseconds for one test on the base, where nothing is known of its usual time. */
const baseTestTimeoutMs = 10_000;
/** … and on its second run where a test may itself build something: what passes then is slow, not broken. */
const slowTestTimeoutMs = 60_000;
/** … for so many of them. */
const mostSlow = 3;
/** Milliseconds for the whole suite on the base. */
const baseSuiteTimeoutMs = 30 * 60_000;

export interface Baseline {
  readonly command: TestCommand;
  /** All tests on the base, without the flaky ones. */
  readonly outcomes: readonly TestOutcome[];
  /** The failing tests' first and second run. */
  readonly runs: readonly (readonly TestOutcome[])[];
  /** The failing tests that the run is about. */
  readonly targets: readonly TestOutcome[];
  readonly reason: { readonly holds: boolean; readonly evidence: string };
  /** False where words alone speak for the targets. */
  readonly isCertain: boolean;
  /** Ids of failing tests that are not targets: failing before, and allowed to fail after. */
  readonly others: readonly string[];
  /** Why, as it follows on "Failed before and". */
  readonly othersBecause: string;
  readonly flaky: readonly string[];
  readonly durationMs: number;
  /** What the command did not load or left out, for people. */
  readonly trouble: readonly string[];
  /** For people: which command was found and how, what it did not load, which tests fail and which are flaky. */
  readonly remarks: readonly string[];
}

const shortestTestMs = 1_000;
const longestTestMs = 10_000;

/** Milliseconds for one test, from what the base needed: one that needs many times longer is taken for an endless loop. */
export function testTimeoutOf({ outcomes }: Pick<Baseline, "outcomes">): number {
  const passing = outcomes.filter((outcome) => outcome.status === "passed");
  const slowest = passing.reduce((most, outcome) => Math.max(most, outcome.durationMs), 0);
  return Math.min(Math.max(shortestTestMs, 5 * slowest), Math.max(longestTestMs, 2 * slowest));
}

const commandSchema = z.object({
  framework: z.string(),
  directory: z.string(),
  command: z.string(),
  foundBy: z.string(),
  likelihood: z.number(),
});

const firstRunSchema = z.union([
  z.object({
    ok: z.literal(true),
    command: commandSchema,
    durationMs: z.number(),
    outcomes: z.array(testOutcomeSchema),
    /** Absent in runs of older versions. */
    remarks: z.array(z.string()).default([]),
    ...cutSchema,
  }),
  z.object({ ok: z.literal(false), kind: z.literal("no-test-command"), message: z.string(), ...cutSchema }),
]);

type FirstRun = z.infer<typeof firstRunSchema>;

const secondRunSchema = z.object({ outcomes: z.array(testOutcomeSchema), ...cutSchema });
type SecondRun = z.infer<typeof secondRunSchema>;

/** What the statement says of the failure, written down before any test runs. */
export function recordSignature({
  recorder,
  task,
}: Pick<MeasurementContext, "recorder" | "task">): Promise<Signature> {
  const title = "write down what the statement says of the failure";
  return recorder.step({ key: "signature", title, schema: signatureSchema }, async () =>
    readSignature(task.statement),
  );
}

/** All tests on the base, as they ended the first time. */
export interface Suite {
  readonly command: TestCommand;
  readonly outcomes: readonly TestOutcome[];
  readonly durationMs: number;
  /** What the command did not load or left out, for people. */
  readonly remarks: readonly string[];
}

export async function measureSuite(
  context: MeasurementContext,
  bench: TestBench,
): Promise<Result<Suite, "no-test-command">> {
  const options = {
    key: "baseline",
    title: "find and run the tests",
    schema: firstRunSchema,
    large: true,
    usualMs: baseSuiteTimeoutMs,
  };
  const first = await limitedStep<FirstRun>(context, options, (timeMs) => runFirst(context, bench, timeMs));
  return first.ok ? succeed(first) : first;
}

export async function measureBaseline(
  context: MeasurementContext,
  bench: TestBench,
): Promise<Result<Baseline, "no-test-command" | "nothing-fails">> {
  const signature = await recordSignature(context);
  const suite = await measureSuite(context, bench);
  if (!suite.ok) return suite;
  const first = suite.value;
  const failing = first.outcomes.filter((outcome) => isFailing(outcome.status));
  if (failing.length === 0) {
    const passed = first.outcomes.filter((outcome) => outcome.status === "passed").length;
    return fail(
      "nothing-fails",
      `No test fails (${passed} passed), so there is nothing that shows the fault.`,
    );
  }
  const options = {
    key: "rerun-failing",
    title: "run the failing tests again",
    schema: secondRunSchema,
    large: true,
    usualMs: baseSuiteTimeoutMs,
  };
  const { outcomes: second } = await limitedStep<SecondRun>(context, options, (timeMs) =>
    runAgain(context, bench, first.command, { failing, timeMs }),
  );
  const flakyIds = findFlaky(failing, second);
  const stable = failing.filter((outcome) => !flakyIds.has(formatTestKey(outcome.key)));
  if (stable.length === 0) {
    return fail(
      "nothing-fails",
      "Each failing test passed when it was run again: they are flaky, not broken.",
    );
  }
  const { statement, failingTests: named = [] } = context.task;
  const chosen = chooseTargets({ statement, signature, named, failing: stable });
  if (!chosen.ok) return chosen;
  return succeed({
    command: first.command,
    outcomes: first.outcomes.filter((outcome) => !flakyIds.has(formatTestKey(outcome.key))),
    runs: [failing, second],
    durationMs: first.durationMs,
    flaky: [...flakyIds],
    trouble: first.remarks,
    remarks: describeBaseline(first, chosen.value, flakyIds),
    ...chosen.value,
  });
}

const mostNamed = 5;

function describeBaseline(
  { command, outcomes, durationMs, remarks }: Suite,
  { targets, others, othersBecause }: Targets,
  flaky: ReadonlySet<string>,
): string[] {
  const place = command.directory === "" ? "" : ` in ${command.directory}`;
  const ran = outcomes.filter((outcome) => outcome.status !== "not-run").length;
  return [
    `tests: \`${command.command}\`${place} (${command.foundBy}), ${ran} in ${formatDuration(durationMs)}`,
    ...remarks,
    `failing: ${nameSome(targets.map((outcome) => formatTestKey(outcome.key)))}`,
    ...(others.length === 0
      ? []
      : [`failing too, and left out, for they ${othersBecause}: ${nameSome(others)}`]),
    ...(flaky.size === 0 ? [] : [`flaky or too slow, and left out: ${nameSome([...flaky])}`]),
  ];
}

function nameSome(names: readonly string[]): string {
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  return names.slice(0, mostNamed).join(", ") + more;
}

async function runFirst(
  context: MeasurementContext,
  bench: TestBench,
  timeMs: number,
): Promise<LimitedResult<FirstRun>> {
  const { workspace, frameworks, testCommand } = context;
  const commands = listTestCommands(bench.project, frameworks, testCommand);
  let isCut = false;
  const found = await findTestCommand(
    commands,
    async (command) => {
      const ran = await bench.run(command, {
        tree: workspace.base,
        selection: { kind: "all" },
        testTimeoutMs: baseTestTimeoutMs,
        timeoutMs: Math.min(timeMs, context.limits.remainingMs()),
      });
      isCut ||= ran.end === "timed-out";
      return ran;
    },
    {
      project: bench.project,
      prefers: ({ report }) => report.outcomes.some(({ status }) => isFailing(status)),
    },
  );
  if (!found.ok) return { result: found, isCut };
  const { command, run, remarks } = found.value;
  const outcomes = [...run.report.outcomes];
  const result = { ok: true as const, command, durationMs: run.durationMs, outcomes, remarks: [...remarks] };
  return { result, isCut };
}

/**
 * The failing tests once more; of those that ran into the time limit only the first, for each costs the whole limit. In languages
 * that are compiled a few of them, with a longer one: their tests are slow more often.
 */
async function runAgain(
  context: MeasurementContext,
  bench: TestBench,
  command: TestCommand,
  { failing, timeMs }: { readonly failing: readonly TestOutcome[]; readonly timeMs: number },
): Promise<LimitedResult<SecondRun>> {
  const hanging = failing.filter((outcome) => outcome.failure?.type === "TimeoutError");
  const builds = findFramework(context.frameworks, command).builds === true;
  const slowly = builds ? hanging.slice(0, mostSlow) : [];
  const assumed = hanging.slice(builds ? mostSlow : 1);
  const again = failing.filter((outcome) => !slowly.includes(outcome) && !assumed.includes(outcome));
  const deadline = performance.now() + timeMs;
  let isCut = false;
  const run = async (outcomes: readonly TestOutcome[], testTimeoutMs: number): Promise<TestRun> => {
    const request: BenchRun = {
      tree: context.workspace.base,
      selection: { kind: "tests", tests: outcomes.map((outcome) => outcome.key) },
      testTimeoutMs,
      timeoutMs: Math.max(1, deadline - performance.now()),
    };
    const ran = await bench.run(command, request);
    isCut ||= ran.end === "timed-out";
    return ran;
  };
  const usual = again.length === 0 ? [] : (await run(again, baseTestTimeoutMs)).report.outcomes;
  const slow = slowly.length === 0 ? [] : (await run(slowly, slowTestTimeoutMs)).report.outcomes;
  const firstHangs = hanging[0] !== undefined && isFailing(statusOf([...usual, ...slow], hanging[0]));
  return { result: { outcomes: [...usual, ...slow, ...(firstHangs ? assumed : [])] }, isCut };
}

/** A failing test that passes alone on the same tree. One that was not reported again still counts as failing. */
function findFlaky(failing: readonly TestOutcome[], second: readonly TestOutcome[]): Set<string> {
  const passed = failing.filter((outcome) => statusOf(second, outcome) === "passed");
  return new Set(passed.map((outcome) => formatTestKey(outcome.key)));
}

/** A test that was not reported again counts as still failing. */
function statusOf(outcomes: readonly TestOutcome[], wanted: TestOutcome): TestOutcome["status"] {
  const status = findStatus(outcomes, wanted.key);
  return status === "not-run" ? "failed" : status;
}
