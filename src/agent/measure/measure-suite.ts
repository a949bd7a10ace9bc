/**
 * Runs the repository's tests for the first time, before any change. Finds the command that runs them, and returns
 * their results.
 */

import { z } from "zod";
import { fail, type Result, succeed } from "../../base/result.ts";
import {
  isFailing,
  ranOutOfTime,
  statusesOf,
  type TestOutcome,
  type TestStatus,
  testOutcomeSchema,
} from "../../domain/test-outcome.ts";
import type { Selection, TestCommand } from "../../languages/contract.ts";
import { findFramework } from "../../languages/find-framework.ts";
import {
  type FoundTestCommand,
  findTestCommand,
  isNamed,
  listTestCommands,
} from "../../workspace/test-command.ts";
import type { TestRun } from "../../workspace/test-runner.ts";
import { cutSchema, type LimitedResult, limitedStep, type Reached } from "../record/limited-step.ts";
import type { Suite, SuitePart, TestExecutor } from "../suite.ts";
import type { MeasurementContext } from "./measurement.ts";
import { containsReached, onlyReached, reachedIn } from "./reached-tests.ts";
import { noFramework } from "./without-tests.ts";

/** Milliseconds for one test on the base, if its usual time is unknown. */
const baseTestTimeoutMs = 10_000;
/** Time limit for the whole suite on the base, in milliseconds. */
export const baseSuiteTimeoutMs = 30 * 60_000;

/**
 * Returns a suite in which no tests ran. `why`: the reason, as a sentence without its full stop; undefined if the run
 * needs no test results.
 */
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
  /** For a large suite, the tests that run first. */
  readonly first?: Pick<SuitePart, "files" | "of"> | undefined;
  /**
   * Milliseconds for the run. At this limit, the results so far count. Without it, Millwright rejects a suite that
   * takes too long.
   */
  readonly timeMs?: number;
  /**
   * Present if the other tests run later, during other work. The value limits the milliseconds until the first test
   * ends. After it, Millwright accepts only a command that still builds, because any other command may not work.
   */
  readonly longestMs?: number | undefined;
  /** The key of the recorded step; default: the run's first look. */
  readonly key?: string;
}

/** The measured suite. `unshown`: the field of this name in `Suite`. */
type Measured = Result<Suite, "no-test-command"> & Pick<Suite, "unshown">;

export async function measureSuite(
  context: MeasurementContext,
  executor: TestExecutor,
  wanted: SuiteWanted = {},
): Promise<Measured> {
  const options = {
    key: wanted.key ?? "baseline",
    title: "find and run the tests",
    schema: firstRunSchema,
    large: true,
    usualMs: wanted.longestMs ?? wanted.timeMs ?? baseSuiteTimeoutMs,
    decides: (ran: FirstRun) =>
      ran.ok ? [ran.command, ran.part ?? null, statusesOf(ran.outcomes)] : ran.message,
    withOwn: (recorded: FirstRun, ran: FirstRun): FirstRun =>
      recorded.ok && ran.ok ? { ...recorded, own: ran.own ?? ownTimes(ran) } : ran,
    reached: reachedFirst,
  };
  const first = await limitedStep<FirstRun>(context, options, (timeMs, recorded) => {
    // In a replay, the recorded tests get enough time.
    const isPatient = recorded !== undefined && (!recorded.isCut || timeMs > recorded.ms);
    return runFirst(context, executor, timeMs, isPatient ? withTime(wanted, timeMs) : wanted);
  });
  const { testTimeoutMs } = context;
  if (first.ok) return succeed({ ...first, testTimeoutMs });
  const { unshown, message } = first;
  return { ...fail("no-test-command", message), unshown: unshown && { ...unshown, testTimeoutMs } };
}

const shortestTestMs = 1_000;
const longestTestMs = 10_000;

/**
 * Returns the time limit of one test in milliseconds: a multiple of the base's slowest test, at most the user's limit.
 * If only a part of the suite ran, it is the user's or the default limit. A test that exceeds the limit counts as an
 * endless loop.
 */
export function testTimeoutOf({
  outcomes,
  testTimeoutMs,
  part,
  own,
}: Pick<Suite, "outcomes" | "testTimeoutMs" | "part" | "own">): number {
  // If only a part ran, the duration of the other tests is unknown.
  if (part !== undefined) return testTimeoutMs ?? Math.max(longestTestMs, own?.testMs ?? 0);
  const usual = withinOwn(patienceFor(outcomes), own?.testMs);
  return Math.min(usual, testTimeoutMs ?? usual);
}

function patienceFor(outcomes: Suite["outcomes"]): number {
  const slowest = slowestOf(outcomes, ["passed"]);
  const usual = Math.min(Math.max(shortestTestMs, 5 * slowest), Math.max(longestTestMs, 2 * slowest));
  // A failing test may take as long when it passes. Its time counts less, because some tests fail after a long wait.
  const ended = outcomes.filter((outcome) => !ranOutOfTime(outcome));
  const failing = Math.min(5 * slowestOf(ended, ["failed", "errored"]), longestTestMs);
  return Math.max(usual, failing);
}

/**
 * Returns this machine's times, for a replay. Limits depend on these times, and choices depend on the recorded times.
 */
export function ownTimes({ durationMs, outcomes }: Pick<Suite, "durationMs" | "outcomes">): OwnTimes {
  return { durationMs, testMs: patienceFor(outcomes) };
}

/**
 * Returns the suite's duration in milliseconds, as a base for time limits. In a replay, this is the recorded duration,
 * but at least this machine's duration and at most ten times that.
 */
export function usualTimeOf({ durationMs, own }: Pick<Suite, "durationMs" | "own">): number {
  return withinOwn(durationMs, own?.durationMs);
}

/**
 * Maximum ratio of a recorded time to this machine's time, as a base for time limits. A false recording must not block
 * a replay for years.
 */
const mostSlower = 10;

/**
 * Limits a recorded time by this machine's time. `ownMs`: this machine's time in a replay; otherwise `ms` is this
 * machine's time.
 */
function withinOwn(ms: number, ownMs = ms): number {
  return Math.max(ownMs, Math.min(ms, mostSlower * ownMs));
}

function slowestOf(outcomes: Suite["outcomes"], statuses: readonly TestStatus[]): number {
  const durations = outcomes.filter(({ status }) => statuses.includes(status));
  return durations.reduce((most, { durationMs }) => Math.max(most, durationMs), 0);
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
  isCut: z.boolean().optional(),
  nearest: z.array(z.string()).optional(),
});

export const ownTimesSchema = z.object({ durationMs: z.number(), testMs: z.number() });
type OwnTimes = z.infer<typeof ownTimesSchema>;

const foundSchema = z.object({
  ok: z.literal(true),
  command: commandSchema,
  durationMs: z.number(),
  outcomes: z.array(testOutcomeSchema),
  /** Absent in runs of older versions. */
  remarks: z.array(z.string()).default([]),
  part: partSchema.optional(),
  own: ownTimesSchema.optional(),
  ...cutSchema,
});
const noneSchema = z.object({
  ok: z.literal(false),
  kind: z.literal("no-test-command"),
  message: z.string(),
});
const firstRunSchema = z.union([
  foundSchema,
  noneSchema.extend({ unshown: foundSchema.optional(), ...cutSchema }),
]);

type FirstRun = z.infer<typeof firstRunSchema>;

const reachedSchema = z.object({
  durationMs: z.number().nonnegative(),
  part: partSchema.optional(),
  tests: z.unknown(),
});

const cutPart: z.infer<typeof partSchema> = { files: [], of: 0, why: "time", isCut: true };

/** If the recorded run found no tests, a replay shows its models no tests, in the same words. */
const reachedFirst: Reached<FirstRun> = {
  of: (ran) =>
    ran.ok
      ? {
          durationMs: ran.durationMs,
          part: ran.part,
          tests: reachedIn(ran.outcomes.filter(hasEnded), ran.part?.isCut === true),
        }
      : noneSchema.parse(ran),
  only(ran, recorded) {
    const none = noneSchema.safeParse(recorded).data;
    if (none !== undefined) return ran.ok ? { ...none, unshown: ran } : { ...ran, message: none.message };
    const reached = reachedSchema.safeParse(recorded).data;
    if (!ran.ok || reached === undefined) return ran;
    const { durationMs, tests } = reached;
    const outcomes = onlyReached(ran.outcomes, tests);
    const cut = outcomes.length < ran.outcomes.length ? cutPart : undefined;
    // A part remains a part. A run with missing results is also a part, whatever the recorded run reached.
    const part = reached.part ?? ran.part ?? cut;
    return { ...ran, durationMs, outcomes, own: ownTimes(ran), ...(part === undefined ? {} : { part }) };
  },
  contains(ran, recorded) {
    const known = reachedSchema.safeParse(recorded).data;
    if (known === undefined) return true;
    return ran.ok && containsReached(ran.outcomes.filter(hasEnded), known.tests);
  },
};

function withTime({ timeMs: share, longestMs, ...rest }: SuiteWanted, timeMs: number): SuiteWanted {
  return {
    ...rest,
    ...(share === undefined ? {} : { timeMs }),
    ...(longestMs === undefined ? {} : { longestMs: timeMs }),
  };
}

async function runFirst(
  context: MeasurementContext,
  executor: TestExecutor,
  timeMs: number,
  { first, timeMs: share, longestMs }: SuiteWanted,
): Promise<LimitedResult<FirstRun>> {
  const { workspace, frameworks, testCommand, limits, task } = context;
  const detected = listTestCommands(executor.project, frameworks, testCommand, first?.files, task.statement);
  const commands = [...detected, ...rememberedIn(context, executor)];
  let isCut = false;
  const cut = new Set<TestRun>();
  const building: { readonly command: TestCommand; readonly run: TestRun }[] = [];
  const look = (selection: Selection, deadline: number) =>
    findTestCommand(
      commands,
      async (command) => {
        const leftMs = share === undefined ? timeMs : Math.max(leastTrialMs, deadline - performance.now());
        const timeoutMs = Math.min(leftMs, limits.remainingMs());
        const request = { tree: workspace.base, selection, testTimeoutMs: limitOf(context), timeoutMs };
        const ran = await executor.run(command, request);
        isCut ||= ran.end === "timed-out";
        if (share === undefined || !isOverTime(ran, timeoutMs)) return ran;
        // A likelier command may still load its tests. With more time, Millwright tries it again first.
        const isFirst = cut.size === 0;
        cut.add(ran);
        const builds = findFramework(frameworks, command).builds === true;
        const isBuilding = isFirst && builds && !ran.report.outcomes.some(hasEnded);
        if (isBuilding) building.push({ command, run: ran });
        return ran;
      },
      {
        project: executor.project,
        isCut: (ran) => cut.has(ran),
        isBuilding: (ran) => longestMs !== undefined && building.some((each) => each.run === ran),
        ...(selection.kind === "files" ? {} : { prefers: isSubjectOf(task) }),
      },
    );
  // The first files, or else all tests, unless `waits`.
  const search = async (deadline: number, waits: () => boolean) => {
    const near =
      first === undefined ? undefined : await look({ kind: "files", files: [...first.files] }, deadline);
    if (near?.ok === true || (near !== undefined && waits())) return { found: near, isNear: true };
    return { found: await look({ kind: "all" }, deadline), isNear: false };
  };
  // A quick command may run only a part of the suite. It must not win because the limit ended a likelier one.
  const waitsForCut = (): boolean => building.length > 0 || (longestMs !== undefined && cut.size > 0);
  const soon = await search(performance.now() + (share ?? timeMs), waitsForCut);
  const [built] = building;
  if (longestMs !== undefined && built !== undefined && !soon.found.ok) {
    const { command, run } = built;
    const part = partOfCut("first", first);
    const remarks = ["the build of the tests was still running when the work began"];
    const result = { ok: true as const, command, durationMs: run.durationMs, outcomes: [], remarks, part };
    return { result, isCut };
  }
  const isTooSoon = longestMs !== undefined && !soon.found.ok && cut.size > 0;
  const { found, isNear } = isTooSoon ? await search(performance.now() + longestMs, () => false) : soon;
  if (!found.ok) return { result: found, isCut };
  const { run, isStalled = false } = found.value;
  const isEnded = !cut.has(run) && !isStalled;
  const isLater = longestMs !== undefined && !isTooSoon;
  const whenCut = isEnded ? undefined : partOfCut(isLater ? "first" : "time", first);
  const part =
    isNear && first !== undefined
      ? { files: [...first.files], of: first.of, why: "first" as const }
      : whenCut;
  return { result: resultOf(found.value, isEnded, part), isCut };
}

function resultOf(
  { command, run, remarks }: FoundTestCommand,
  isEnded: boolean,
  part: z.infer<typeof partSchema> | undefined,
): FirstRun {
  const { outcomes } = run.report;
  return {
    ...{ ok: true, command, durationMs: run.durationMs, remarks: [...remarks] },
    outcomes: isEnded ? [...outcomes] : withoutCutOff(outcomes),
    ...(part === undefined ? {} : { part }),
  };
}

/** Makes the `part` of a run that a time limit ended: no file is known to be complete. */
function partOfCut(why: "first" | "time", first: SuiteWanted["first"]): z.infer<typeof partSchema> {
  return {
    ...{ files: [], of: 0, why, isCut: true },
    ...(first === undefined ? {} : { nearest: [...first.files] }),
  };
}

/** Returns an earlier run's commands, to try after those that rules find. Empty if the user gave a command. */
function rememberedIn(
  { frameworks, testCommand, rememberedCommand }: MeasurementContext,
  { project }: TestExecutor,
): readonly TestCommand[] {
  if (testCommand !== undefined || rememberedCommand === undefined) return [];
  const found = listTestCommands(project, frameworks, rememberedCommand);
  return found.map((command) => ({ ...command, foundBy: "an earlier run (--remember)", likelihood: 0.2 }));
}

/** Minimum milliseconds of a trial, regardless of earlier trials. */
const leastTrialMs = 1_000;

/** True for the suite of a package that the statement names, and for a suite in which a test fails. */
function isSubjectOf({ statement }: Pick<MeasurementContext["task"], "statement">) {
  return (ran: TestRun, { directory }: TestCommand): boolean =>
    isNamed(directory, statement) || hasFailing(ran);
}

/** True if a test fails. A test that a time limit ended does not count. */
function hasFailing({ report }: TestRun): boolean {
  return report.outcomes.some((outcome) => isFailing(outcome.status) && hasEnded(outcome));
}

/** True if the test has a result. False if it did not run, or if a time limit ended it. */
export function hasEnded({ status }: TestOutcome): boolean {
  return status !== "timed-out" && status !== "not-run";
}

/** True if the run's own limit, `timeoutMs`, ended the run. False if a hanging test ended it earlier. */
export function isOverTime({ end, durationMs }: TestRun, timeoutMs: number): boolean {
  return end === "timed-out" && durationMs >= almost * timeoutMs;
}

const almost = 0.95;

/** Returns the tests that ended before a limit ended the run. */
export function withoutCutOff(outcomes: readonly TestOutcome[]): TestOutcome[] {
  return outcomes.filter(hasEnded);
}

/** Returns the time limit of one test on the base, in milliseconds. */
export function limitOf({
  testTimeoutMs = baseTestTimeoutMs,
}: Pick<MeasurementContext, "testTimeoutMs">): number {
  return testTimeoutMs;
}
