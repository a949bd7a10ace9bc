/**
 * Runs all tests on the base while a model already works. At first, only a part of the results is known. The other
 * tests run in the background if the sandbox isolates them. Otherwise they run when a caller first needs their results.
 * `suite` changes only where a caller waits for more results, and at the same point in a resumed run. A model's view
 * therefore does not depend on the speed of the other tests.
 */

import { z } from "zod";
import { hashData } from "../../base/hash.ts";
import {
  formatTestKey,
  isFailing,
  statusesOf,
  type TestOutcome,
  testOutcomeSchema,
} from "../../domain/test-outcome.ts";
import { turnsIn } from "../../workspace/behind.ts";
import type { TestRun } from "../../workspace/test-runner.ts";
import { cutSchema, limitedStep, type Reached } from "../record/limited-step.ts";
import type { Recorder } from "../record/recorder.ts";
import type { BaseSuite, Suite, TestExecutor } from "../suite.ts";
import { divideBase, dividedIn } from "./divide.ts";
import { takeInTime } from "./first-tests.ts";
import {
  baseSuiteTimeoutMs,
  isOverTime,
  ownTimes,
  ownTimesSchema,
  testTimeoutOf,
  withoutCutOff,
} from "./measure-suite.ts";
import type { MeasurementContext } from "./measurement.ts";
import { containsReached, onlyReached, reachedIn } from "./reached-tests.ts";
import { openTestExecutor } from "./test-executor.ts";

/** The share of the remaining time for the base's tests. The rest is for writing and judging a patch. */
const share = 0.3;
/** Minimum milliseconds for a second run of all tests. */
const leastAgainMs = 5_000;
/** Maximum number of background failures that run again. */
const mostAskedAgain = 100;

export function shareOf(
  limits: MeasurementContext["limits"],
  part: number,
  most = baseSuiteTimeoutMs,
): number {
  const left = limits.remainingMs();
  return Number.isFinite(left) ? Math.min(most, left * part) : most;
}

const ranSchema = z.object({
  outcomes: z.array(testOutcomeSchema),
  durationMs: z.number(),
  isEnded: z.boolean(),
  /** The reason why the report cannot be trusted. */
  invalid: z.string().optional(),
  own: ownTimesSchema.optional(),
  /** See `Suite`. Absent in runs of older versions. */
  isDivided: z.boolean().optional(),
  /** Files that did not run, because their noted times exceed the time. Absent in runs of older versions. */
  left: z.array(z.string()).optional(),
  ...cutSchema,
});
type Ran = z.infer<typeof ranSchema>;

const reachedSchema = z.object({
  durationMs: z.number().nonnegative(),
  isEnded: z.boolean(),
  tests: z.unknown(),
});
const reached: Reached<Ran> = {
  of: ({ outcomes, durationMs, isEnded }) => ({
    ...{ durationMs, isEnded },
    tests: reachedIn(withoutCutOff(outcomes), !isEnded),
  }),
  only(ran, recorded) {
    const known = reachedSchema.safeParse(recorded).data;
    if (known === undefined) return ran;
    const { durationMs, isEnded, tests } = known;
    const outcomes = onlyReached(ran.outcomes, tests);
    // A run with missing results is a part, whatever the recorded run reached.
    const isWhole = outcomes.length === ran.outcomes.length;
    return { ...ran, durationMs, isEnded: isEnded && ran.isEnded && isWhole, outcomes, own: ownTimes(ran) };
  },
  contains: ({ outcomes }, recorded) =>
    containsReached(withoutCutOff(outcomes), reachedSchema.safeParse(recorded).data?.tests),
};

const wholeKey = "whole-suite";

type BaseContext = MeasurementContext & { readonly recorder: Pick<Recorder, "step" | "has"> };

/** The data that the functions below share. */
interface Growing {
  readonly context: BaseContext;
  readonly executor: TestExecutor;
  readonly suite: Suite;
  readonly behind: Behind | undefined;
  readonly onChange: () => Promise<void>;
  /** Files that ran completely. */
  readonly done: Set<string>;
}

/**
 * Opens the base suite. `suite`: the first results. Later results are written into the same object, so that all holders
 * see them. `onChange`: called after each update. `startBehind`: starts all tests in the background.
 */
export function openBaseSuite(
  context: BaseContext,
  executor: TestExecutor,
  suite: Suite,
  onChange: () => Promise<void>,
  startBehind: typeof runBehind = runBehind,
): BaseSuite {
  const { workspace, recorder, signal } = context;
  const stop = new AbortController();
  const isBehind = suite.part?.why === "first" && workspace.isolated && !recorder.has(wholeKey);
  const behind = isBehind ? startBehind(context, suite, AbortSignal.any([signal, stop.signal])) : undefined;
  const done = new Set(suite.part?.files);
  const growing: Growing = { context, executor, suite, behind, onChange, done };
  let settled: Promise<void> | undefined;
  return {
    isGrown: suite.part?.why === "first",
    whole: () => (settled ??= makeWhole(growing)),
    know: (files) => addFiles(growing, files),
    async adopt(found) {
      settled = undefined;
      done.clear();
      for (const file of found.part?.files ?? []) done.add(file);
      Object.assign(suite, { isDivided: undefined, ...found, lacks: undefined });
      await onChange();
    },
    async close() {
      stop.abort();
      await behind?.ended;
    },
  };
}

function stepOf({ limits }: BaseContext, key: string, title: string) {
  const decides = ({ outcomes }: Ran) => statusesOf(outcomes);
  const usualMs = shareOf(limits, share);
  return { key, title, schema: ranSchema, large: true, usualMs, decides, withOwn, reached };
}

/**
 * Adds this run's own end. After an unfinished run or an invalid report, the results are only a part, whatever the
 * recorded run reached.
 */
function withOwn(recorded: Ran, ran: Ran): Ran {
  const { invalid = recorded.invalid } = ran;
  const isEnded = recorded.isEnded && ran.isEnded;
  return { ...recorded, isEnded, invalid, own: ran.own ?? ownTimes(ran) };
}

async function makeWhole({ context, executor, suite, behind, onChange }: Growing): Promise<void> {
  if (suite.part?.why !== "first") return;
  const options = stepOf(context, wholeKey, "run all tests on the base");
  let inBackground = behind;
  const ran = await limitedStep<Ran>(context, options, async (timeMs) => {
    const waited = inBackground;
    inBackground = undefined; // what it did not reach needs another run
    const began = performance.now();
    const found = await waited?.within(timeMs);
    // A pause may have made the report invalid.
    const isSpoilt = found?.end === "exited" && found.report.invalid !== undefined;
    const leftMs = timeMs - (performance.now() - began);
    const usable = isSpoilt && leftMs > leastAgainMs ? undefined : found;
    const timeoutMs = found === undefined ? timeMs : leftMs;
    const first = usable ?? (await runAll(context, executor, suite, timeoutMs));
    const isEnded = usable === undefined ? !isOverTime(first, timeMs) : first.end !== "timed-out";
    const all = isEnded ? first.report.outcomes : withoutCutOff(first.report.outcomes);
    const outcomes = behind === undefined ? [...all] : await askFailing(context, executor, suite, all);
    const { invalid } = first.report;
    const said = isEnded && invalid !== undefined ? { invalid } : {};
    const result = { outcomes, durationMs: first.durationMs, isEnded, ...said, ...dividedIn(first) };
    return { result, isCut: first.end === "timed-out" };
  });
  const { files, of, nearest } = suite.part;
  const isWhole = ran.isEnded && ran.invalid === undefined;
  const fresh = ran.invalid === undefined ? ran.outcomes : [];
  const why = ran.invalid === undefined ? ("time" as const) : ("invalid" as const);
  Object.assign(suite, {
    outcomes: merge(isWhole ? [] : suite.outcomes, fresh),
    durationMs: Math.max(suite.durationMs, ran.durationMs),
    part: isWhole
      ? undefined
      : { files: filesOf(fresh, files), of, why, ...(nearest === undefined ? {} : { nearest }) },
    own: longerOwn(suite, ran),
    isDivided: ran.isDivided,
    uncollected: isWhole ? findUncollected(suite.outcomes, fresh) : [],
  } satisfies Change);
  await onChange();
}

async function addFiles(
  { context, executor, suite, onChange, done }: Growing,
  files: readonly string[],
): Promise<void> {
  const { base, trees } = context.workspace;
  if (suite.part === undefined) return;
  const isCut = suite.part.isCut === true || suite.part.why === "time";
  const known = new Set([...done, ...(isCut ? [] : suite.outcomes.map(({ key }) => key.target))]);
  const present = new Set((await trees.list(base)).map(({ path }) => path));
  // The most important file is first.
  const ranked = [...new Set(files)].filter((path) => present.has(path) && !known.has(path));
  const wanted = ranked.toSorted();
  if (wanted.length === 0) return;
  const options = stepOf(context, `base-files:${hashData(wanted)}`, "run tests on the base");
  const ran = await limitedStep<Ran>(context, options, async (timeMs) => {
    const { taken, left } = takeInTime(ranked, context.rememberedTimes, timeMs);
    const { report, end, durationMs } = await executor.run(suite.command, {
      tree: base,
      selection: { kind: "files", files: taken.toSorted() },
      testTimeoutMs: testTimeoutOf(suite),
      timeoutMs: timeMs,
    });
    const isTrusted = report.invalid === undefined || end === "timed-out";
    const outcomes = isTrusted ? [...report.outcomes] : [];
    const result = { outcomes, durationMs, isEnded: end !== "timed-out" };
    return { result: { ...result, ...(left.length > 0 && { left }) }, isCut: end === "timed-out" };
  });
  const { left = [] } = ran;
  const fresh = wanted.filter((file) => !left.includes(file));
  for (const file of fresh) done.add(file);
  const part = { ...suite.part, files: [...new Set([...suite.part.files, ...fresh])] };
  const outcomes = merge(suite.outcomes, withoutCutOff(ran.outcomes));
  Object.assign(suite, { outcomes, part, own: longerOwn(suite, ran) } satisfies Change);
  await onChange();
}

type Change = Partial<Pick<Suite, "outcomes" | "durationMs" | "part" | "own" | "isDivided" | "uncollected">>;

/** Finds tests of files that a run of all tests does not contain. Such files ran only because of their names. */
function findUncollected(first: readonly TestOutcome[], whole: readonly TestOutcome[]): string[] {
  const fileOf = ({ key }: TestOutcome): string => `${key.package}\n${key.target}`;
  const files = new Set(whole.map(fileOf));
  return first.filter((outcome) => !files.has(fileOf(outcome))).map(({ key }) => formatTestKey(key));
}

/**
 * The longer times of both runs on this machine: of the run, and for the limit of one test. Undefined if neither run
 * has its own times.
 */
function longerOwn(suite: Suite, ran: Ran): Suite["own"] {
  if (suite.own === undefined && ran.own === undefined) return undefined;
  const [known, fresh] = [suite.own ?? ownTimes(suite), ran.own ?? ownTimes(ran)];
  return {
    durationMs: Math.max(known.durationMs, fresh.durationMs),
    testMs: Math.max(known.testMs, fresh.testMs),
  };
}

function merge(known: readonly TestOutcome[], fresh: readonly TestOutcome[]): TestOutcome[] {
  const ids = new Set(fresh.map(({ key }) => formatTestKey(key)));
  return [...known.filter(({ key }) => !ids.has(formatTestKey(key))), ...fresh];
}

function filesOf(outcomes: readonly TestOutcome[], files: readonly string[]): string[] {
  return [...new Set([...files, ...outcomes.map(({ key }) => key.target)])];
}

function runAll(
  { workspace, rememberedTimes, rememberedWhole }: MeasurementContext,
  executor: TestExecutor,
  suite: Suite,
  timeoutMs: number,
): Promise<TestRun> {
  return executor.run(suite.command, {
    tree: workspace.base,
    selection: { kind: "all" },
    testTimeoutMs: testTimeoutOf(suite),
    timeoutMs,
    divided: divideBase(suite, rememberedTimes, rememberedWhole),
  });
}

/**
 * Runs the failing tests again alone, if they are few, because other background work may have caused their failures.
 */
async function askFailing(
  { workspace, limits }: MeasurementContext,
  executor: TestExecutor,
  suite: Suite,
  outcomes: readonly TestOutcome[],
): Promise<TestOutcome[]> {
  const failing = outcomes.filter(({ key, status }) => isFailing(status) && key.name !== "");
  if (failing.length === 0 || failing.length > mostAskedAgain) return [...outcomes];
  const { report } = await executor.run(suite.command, {
    tree: workspace.base,
    selection: { kind: "tests", tests: failing.map(({ key }) => key) },
    testTimeoutMs: testTimeoutOf(suite),
    timeoutMs: shareOf(limits, share),
  });
  return merge(
    outcomes,
    report.outcomes.filter(({ status }) => status !== "not-run"),
  );
}

interface Behind {
  /** Returns the run, and ends it after this many milliseconds. Undefined if the run failed. */
  within(ms: number): Promise<TestRun | undefined>;
  /** Resolves when the run ends. Never rejects. */
  readonly ended: Promise<unknown>;
}

/**
 * Runs in a separate checkout and sandbox, at low priority until a caller waits in `within`. An error occurs again
 * where a caller needs the result.
 */
function runBehind(context: MeasurementContext, suite: Suite, signal: AbortSignal): Behind {
  const { workspace, frameworks, rememberedTimes, rememberedWhole } = context;
  const tooLong = new AbortController();
  const run = async (): Promise<TestRun | undefined> => {
    const executor = await openTestExecutor(workspace, frameworks, signal);
    try {
      return await executor.run(suite.command, {
        tree: workspace.base,
        selection: { kind: "all" },
        testTimeoutMs: testTimeoutOf(suite),
        timeoutMs: baseSuiteTimeoutMs,
        isBehind: true,
        divided: divideBase(suite, rememberedTimes, rememberedWhole),
        cut: tooLong.signal,
      });
    } finally {
      await executor.close();
    }
  };
  const ended = run().catch(() => undefined);
  return {
    ended,
    async within(ms) {
      const timer = setTimeout(() => tooLong.abort(), ms);
      try {
        return await turnsIn(workspace.directory).awaited(() => ended);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
