/** What the repository's tests say before anything is changed: found, run, and the failing ones run again. */

import { z } from "zod";
import { fail, type Result, succeed } from "../../base/result.ts";
import { formatDuration } from "../../base/units.ts";
import {
  findStatus,
  formatTestKey,
  isFailing,
  statusesOf,
  type TestOutcome,
  testOutcomeSchema,
} from "../../domain/test-outcome.ts";
import type { Selection, TestCommand } from "../../languages/contract.ts";
import { findFramework } from "../../languages/find-framework.ts";
import { findTestCommand, listTestCommands } from "../../workspace/test-command.ts";
import type { TestRun } from "../../workspace/test-runner.ts";
import { readSignature, type Signature, signatureSchema } from "../state/statement-signature.ts";
import { chooseTargets, type Targets } from "./choose-targets.ts";
import { cutSchema, type LimitedResult, limitedStep } from "./limited-step.ts";
import type { MeasurementContext } from "./measurement.ts";
import type { BenchRun, TestBench } from "./test-bench.ts";
import { noFramework } from "./without-tests.ts";

/** Milliseconds for one test on the base, where nothing is known of its usual time. */
const baseTestTimeoutMs = 10_000;
/** How many times as long one may take that met the limit, when it is asked again alone: tests of compiled languages are slow more often. */
const moreTimeWhere = { builds: 6, else: 3 };
/** The tests of so many files are asked again. */
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
  /** The user's limit of one test in milliseconds. */
  readonly testTimeoutMs?: number | undefined;
  readonly durationMs: number;
  /** What the command did not load or left out, for people. */
  readonly trouble: readonly string[];
  /** For people: which command was found and how, what it did not load, which tests fail and which are flaky. */
  readonly remarks: readonly string[];
}

const shortestTestMs = 1_000;
const longestTestMs = 10_000;

/** Milliseconds for one test, from what the base needed, and no more than the user allows: one that needs many times longer is taken for an endless loop. */
export function testTimeoutOf({
  outcomes,
  testTimeoutMs,
  part,
}: Pick<Baseline, "outcomes" | "testTimeoutMs"> & Pick<Suite, "part">): number {
  // Of a part nobody knows how long the others take.
  if (part !== undefined) return testTimeoutMs ?? longestTestMs;
  const passing = outcomes.filter((outcome) => outcome.status === "passed");
  const slowest = passing.reduce((most, outcome) => Math.max(most, outcome.durationMs), 0);
  const usual = Math.min(Math.max(shortestTestMs, 5 * slowest), Math.max(longestTestMs, 2 * slowest));
  return Math.min(usual, testTimeoutMs ?? usual);
}

const commandSchema = z.object({
  framework: z.string(),
  directory: z.string(),
  command: z.string(),
  foundBy: z.string(),
  likelihood: z.number(),
});

const partSchema = z.object({
  files: z.array(z.string()),
  of: z.int(),
  why: z.enum(["first", "time", "invalid"]),
});

const firstRunSchema = z.union([
  z.object({
    ok: z.literal(true),
    command: commandSchema,
    durationMs: z.number(),
    outcomes: z.array(testOutcomeSchema),
    /** Absent in runs of older versions. */
    remarks: z.array(z.string()).default([]),
    part: partSchema.optional(),
    ...cutSchema,
  }),
  z.object({ ok: z.literal(false), kind: z.literal("no-test-command"), message: z.string(), ...cutSchema }),
]);

type FirstRun = z.infer<typeof firstRunSchema>;

const secondRunSchema = z.object({
  outcomes: z.array(testOutcomeSchema),
  /** Ids of tests that met our limit and were not asked again: nothing is known of them. Absent in runs of older versions. */
  unasked: z.array(z.string()).default([]),
  ...cutSchema,
});
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
  readonly testTimeoutMs?: number | undefined;
  readonly durationMs: number;
  /** What the command did not load or left out, for people. */
  readonly remarks: readonly string[];
  /** Why no test can be run; absent where tests can. */
  readonly lacks?: string;
  /** Absent where all tests were run. */
  readonly part?: SuitePart | undefined;
}

/** Of a suite, what was run of it. */
export interface SuitePart {
  /** Files of tests; none where a limit of time cut the run of all of them off. */
  readonly files: readonly string[];
  /** Of so many. */
  readonly of: number;
  /** `first`: the others are run later. `time`: there is no time for them. `invalid`: a run of all cannot be trusted. */
  readonly why: "first" | "time" | "invalid";
}

/** `why`: a sentence without its full stop; undefined where nobody asked what the tests say. */
export function suiteWithoutTests(why: string | undefined): Suite {
  return {
    command: {
      framework: noFramework.name,
      directory: "",
      command: "",
      foundBy: why ?? "nobody asked",
      likelihood: 0,
    },
    outcomes: [],
    durationMs: 0,
    remarks: why === undefined ? [] : [why],
    ...(why === undefined ? {} : { lacks: why }),
  };
}

export interface SuiteWanted {
  /** Of a large suite the tests that are run first. */
  readonly first?: Pick<SuitePart, "files" | "of"> | undefined;
  /** Milliseconds that the run may take, and what is there of it by then counts; undefined: a suite that takes too long is none. */
  readonly timeMs?: number;
  /** Of the recorded step; default: the run's first look. */
  readonly key?: string;
}

export async function measureSuite(
  context: MeasurementContext,
  bench: TestBench,
  wanted: SuiteWanted = {},
): Promise<Result<Suite, "no-test-command">> {
  const options = {
    key: wanted.key ?? "baseline",
    title: "find and run the tests",
    schema: firstRunSchema,
    large: true,
    usualMs: wanted.timeMs ?? baseSuiteTimeoutMs,
    // What a part says may depend on time; a run of all of them is still to come.
    decides: (ran: FirstRun) =>
      ran.ok ? [ran.command, ran.part === undefined ? statusesOf(ran.outcomes) : ran.part] : ran,
  };
  const first = await limitedStep<FirstRun>(context, options, (timeMs) =>
    runFirst(context, bench, timeMs, wanted),
  );
  return first.ok ? succeed({ ...first, testTimeoutMs: context.testTimeoutMs }) : first;
}

export async function measureBaseline(
  context: MeasurementContext,
  bench: TestBench,
): Promise<Result<Baseline, "no-test-command" | "nothing-fails">> {
  const suite = await measureSuite(context, bench);
  return suite.ok ? baselineOf(context, bench, suite.value) : suite;
}

/** `again`: of a suite that is known better than the first time. */
export async function baselineOf(
  context: MeasurementContext,
  bench: TestBench,
  first: Suite,
  again = "",
): Promise<Result<Baseline, "nothing-fails">> {
  const signature = await recordSignature(context);
  const failing = first.outcomes.filter((outcome) => isFailing(outcome.status));
  if (failing.length === 0) {
    const passed = first.outcomes.filter((outcome) => outcome.status === "passed").length;
    return fail(
      "nothing-fails",
      `No test fails (${passed} passed), so there is nothing that shows the fault.`,
    );
  }
  const options = {
    key: `rerun-failing${again}`,
    title: "run the failing tests again",
    schema: secondRunSchema,
    large: true,
    usualMs: baseSuiteTimeoutMs,
    decides: ({ outcomes }: SecondRun) => statusesOf(outcomes),
  };
  const { outcomes: second, unasked } = await limitedStep<SecondRun>(context, options, (timeMs) =>
    runAgain(context, bench, first.command, { failing, timeMs }),
  );
  const slow = new Set([...findSlow(failing, second), ...unasked]);
  const flakyIds = new Set([...findFlaky(failing, second), ...slow]);
  const stable = failing.filter((outcome) => !flakyIds.has(formatTestKey(outcome.key)));
  if (stable.length === 0) {
    return fail(
      "nothing-fails",
      slow.size === flakyIds.size
        ? `No test fails; ${nameSome([...slow])} met our limit of ${formatDuration(limitOf(context))} for one test: --test-timeout gives more.`
        : "Each failing test passed when it was run again: they are flaky, not broken.",
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
    testTimeoutMs: first.testTimeoutMs,
    flaky: [...flakyIds],
    trouble: first.remarks,
    remarks: describeBaseline(first, chosen.value, { flaky: flakyIds, slow, limitMs: limitOf(context) }),
    ...chosen.value,
  });
}

const mostNamed = 5;

function describeBaseline(
  { command, outcomes, durationMs, remarks }: Suite,
  { targets, others, othersBecause }: Targets,
  left: { readonly flaky: ReadonlySet<string>; readonly slow: ReadonlySet<string>; readonly limitMs: number },
): string[] {
  const flaky = [...left.flaky].filter((id) => !left.slow.has(id));
  const hanging = targets.filter(({ status }) => status === "timed-out").map(({ key }) => formatTestKey(key));
  const limit = `slower than our limit of ${formatDuration(left.limitMs)} for one test (--test-timeout), and left out`;
  const place = command.directory === "" ? "" : ` in ${command.directory}`;
  const ran = outcomes.filter((outcome) => outcome.status !== "not-run").length;
  return [
    `tests: \`${command.command}\`${place} (${command.foundBy}), ${ran} in ${formatDuration(durationMs)}`,
    ...remarks,
    `failing: ${nameSome(targets.map((outcome) => formatTestKey(outcome.key)))}`,
    ...(hanging.length === 0
      ? []
      : [`of them hang (our limit for one test, and then more time, was met): ${nameSome(hanging)}`]),
    ...(others.length === 0
      ? []
      : [`failing too, and left out, for they ${othersBecause}: ${nameSome(others)}`]),
    ...(flaky.length === 0 ? [] : [`flaky, and left out: ${nameSome(flaky)}`]),
    ...(left.slow.size === 0 ? [] : [`${limit}: ${nameSome([...left.slow])}`]),
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
  { first, timeMs: share }: SuiteWanted,
): Promise<LimitedResult<FirstRun>> {
  const { workspace, frameworks, testCommand, limits } = context;
  const detected = listTestCommands(bench.project, frameworks, testCommand);
  const commands = [...detected, ...rememberedIn(context, bench)];
  const deadline = performance.now() + timeMs;
  let isCut = false;
  const cut = new Set<TestRun>();
  const look = (selection: Selection) =>
    findTestCommand(
      commands,
      async (command) => {
        const leftMs = share === undefined ? timeMs : Math.max(leastTrialMs, deadline - performance.now());
        const timeoutMs = Math.min(leftMs, limits.remainingMs());
        const request = { tree: workspace.base, selection, testTimeoutMs: limitOf(context), timeoutMs };
        const ran = await bench.run(command, request);
        isCut ||= ran.end === "timed-out";
        if (share !== undefined && isOverTime(ran, timeoutMs)) cut.add(ran);
        return ran;
      },
      {
        project: bench.project,
        isCut: (ran) => cut.has(ran),
        ...(selection.kind === "files" ? {} : { prefers: hasFailing }),
      },
    );
  const near = first === undefined ? undefined : await look({ kind: "files", files: [...first.files] });
  const found = near?.ok === true ? near : await look({ kind: "all" });
  if (!found.ok) return { result: found, isCut };
  const { command, run, remarks } = found.value;
  const isEnded = !cut.has(run);
  const part =
    near?.ok === true && first !== undefined
      ? { files: [...first.files], of: first.of, why: "first" as const }
      : isEnded
        ? undefined
        : { files: [], of: 0, why: "time" as const };
  const result = {
    ok: true as const,
    command,
    durationMs: run.durationMs,
    outcomes: isEnded ? [...run.report.outcomes] : withoutCutOff(run.report.outcomes),
    remarks: [...remarks],
    ...(part === undefined ? {} : { part }),
  };
  return { result, isCut };
}

/** What an earlier run found, after what the rules find. */
function rememberedIn(
  { frameworks, testCommand, rememberedCommand }: MeasurementContext,
  { project }: TestBench,
): readonly TestCommand[] {
  if (testCommand !== undefined || rememberedCommand === undefined) return [];
  const found = listTestCommands(project, frameworks, rememberedCommand);
  return found.map((command) => ({ ...command, foundBy: "an earlier run (--remember)", likelihood: 0.2 }));
}

/** Milliseconds of a trial, whatever those before it took. */
const leastTrialMs = 1_000;

function hasFailing({ report }: TestRun): boolean {
  return report.outcomes.some(({ status }) => isFailing(status));
}

/** The run's own limit ended it: one that hangs is ended sooner. */
export function isOverTime({ end, durationMs }: TestRun, timeoutMs: number): boolean {
  return end === "timed-out" && durationMs >= almost * timeoutMs;
}

const almost = 0.95;

/** Of a run that a limit ended, those that had ended by then. */
export function withoutCutOff(outcomes: readonly TestOutcome[]): TestOutcome[] {
  return outcomes.filter(({ status }) => status !== "timed-out" && status !== "not-run");
}

function limitOf({ testTimeoutMs = baseTestTimeoutMs }: Pick<MeasurementContext, "testTimeoutMs">): number {
  return testTimeoutMs;
}

/**
 * The failing tests once more. Those that met our limit are asked alone and with more time: one of each file first. Where it meets that
 * too, the others of its file are taken to hang as well, for each costs the whole limit; where it does not, they are asked too.
 */
async function runAgain(
  context: MeasurementContext,
  bench: TestBench,
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
    if (outcomes.length === 0) return [];
    const request: BenchRun = {
      tree: context.workspace.base,
      selection: { kind: "tests", tests: outcomes.map((outcome) => outcome.key) },
      testTimeoutMs,
      timeoutMs: Math.max(1, deadline - performance.now()),
    };
    const ran = await bench.run(command, request);
    isCut ||= ran.end === "timed-out";
    return ran.report.outcomes;
  };
  const files = groupByFile(failing.filter(({ status }) => status === "timed-out"));
  const second = [
    ...(await run(
      failing.filter(({ status }) => status !== "timed-out"),
      limitOf(context),
    )),
  ];
  for (const [first, ...others] of files.slice(0, mostSlow)) {
    const asked = first === undefined ? [] : await run([first], moreMs);
    const hangs = first !== undefined && isFailing(statusOf(asked, first));
    second.push(...asked, ...(hangs ? others : await run(others, moreMs)));
  }
  const unasked = files.slice(mostSlow).flatMap((outcomes) => outcomes.map(({ key }) => formatTestKey(key)));
  return { result: { outcomes: second, unasked }, isCut };
}

function groupByFile(outcomes: readonly TestOutcome[]): TestOutcome[][] {
  const groups = new Map<string, TestOutcome[]>();
  for (const outcome of outcomes) {
    const file = formatTestKey({ ...outcome.key, name: "" });
    groups.set(file, [...(groups.get(file) ?? []), outcome]);
  }
  return [...groups.values()];
}

/** Met our limit at first, and passed with more time. */
function findSlow(failing: readonly TestOutcome[], second: readonly TestOutcome[]): string[] {
  return failing
    .filter((outcome) => outcome.status === "timed-out" && statusOf(second, outcome) === "passed")
    .map(({ key }) => formatTestKey(key));
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
