/** Finds a patch's tests: the test files that it changes or adds, and the new tests in a run. */
import { type ChangedFiles, changedFiles } from "../../agent/code/changed-files.ts";
import { isNamedAsTest } from "../../agent/code/collected-tests.ts";
import { formatTestKey, isFailing, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import { readTestRegions, type TestRegions } from "../../judging/test-regions.ts";
import { isOwnSource, languageOf } from "../../languages/source-files.ts";
import type { GradedRun } from "../graders/contract.ts";
import type { Measurement } from "../measurement.ts";
import { type OpenTask, runInLimits, withCheckout } from "../open-task.ts";
import { limitOf, type RunLog, readRunLog } from "../run-log.ts";
import type { TestPlan } from "../task-tests.ts";

export interface TestsOfPatch {
  readonly changed: ChangedFiles;
  /** Test files that the patch changes or adds. */
  readonly files: readonly string[];
  readonly regions: TestRegions;
}

/** Finds the test files that a patch changes or adds. `tree`: the base with the patch. */
export async function findTestsOfPatch(open: OpenTask, plan: TestPlan, tree: string): Promise<TestsOfPatch> {
  const { trees, base } = open.workspace;
  const regions = await readTestRegions({
    files: (await trees.list(base)).map(({ path }) => path),
    read: async (path) => (await trees.read(base, path))?.toString("utf8"),
    outcomes: [],
    framework: plan.framework,
  });
  const changed = await changedFiles(trees, regions, base, tree);
  const wanted = [...changed.tests.filter(isOwnSource), ...changed.inside];
  return { changed, files: await presentIn(open, tree, wanted), regions };
}

/** Returns the test files that the gold tests change and the base already has. */
export async function findBaseTests(open: OpenTask, plan: TestPlan): Promise<string[]> {
  const { files } = await findTestsOfPatch(open, plan, open.trees.tests);
  return presentIn(open, open.trees.base, files);
}

export async function presentIn(
  { workspace: { trees } }: OpenTask,
  tree: string,
  files: readonly string[],
): Promise<string[]> {
  const present = new Set((await trees.list(tree)).map(({ path }) => path));
  return files.filter((file) => present.has(file));
}

/** Returns the reason why the results of a run's tests do not count; undefined if they do. */
export function objectToReport(run: GradedRun | undefined): string | undefined {
  const limit = limitOf(run);
  if (limit !== undefined) return `the tests reached the ${limit} limit`;
  return run?.invalid === undefined ? undefined : `the report of the tests cannot be trusted: ${run.invalid}`;
}

/** Returns the tests of a run that an earlier run lacks. */
export function freshTests(now: readonly TestOutcome[], before: readonly TestOutcome[]): TestOutcome[] {
  const known = new Set(before.map(({ key }) => formatTestKey(key)));
  return now.filter(({ key }) => key.name !== "" && !known.has(formatTestKey(key)));
}

/**
 * Names the first test file that does not load, although it loads or is absent in an earlier run; undefined if there is
 * none. A file of another name may be the tests' data, or a helper that cannot run alone.
 */
export function findUnloaded(
  now: readonly TestOutcome[],
  before: readonly TestOutcome[],
): string | undefined {
  const failedBefore = new Set(before.filter(isUnloaded).map(({ key }) => formatTestKey(key)));
  const found = now.find((outcome) => isUnloaded(outcome) && !failedBefore.has(formatTestKey(outcome.key)));
  if (found === undefined) return undefined;
  const { type, message } = found.failure ?? { type: "error", message: "no message" };
  return `${found.key.target} does not load: ${type}: ${message.split("\n")[0]}`;
}

function isUnloaded({ key: { name, target }, status }: TestOutcome): boolean {
  return name === "" && isFailing(status) && (languageOf(target) === undefined || isNamedAsTest(target));
}

export function keysOf(outcomes: readonly TestOutcome[]): TestKey[] {
  return outcomes.map(({ key }) => key);
}

export function copyChanged({ tests, code, inside }: ChangedFiles): NonNullable<Measurement["changed"]> {
  return { tests: [...tests], code: [...code], inside: [...inside] };
}

/** Runs the test files on the tree, in a fresh checkout. Returns the run's log. */
export async function runFiles(
  open: OpenTask,
  plan: TestPlan,
  tree: string,
  files: readonly string[],
): Promise<RunLog> {
  const selection = { kind: "files", files } as const;
  const run = await withCheckout(open, (checkout) => open.run(checkout, tree, { ...plan, selection }));
  return run.log;
}

/** Returns the keys of the run's tests that match the ids. */
export async function readKeys(
  { options: { frameworks } }: OpenTask,
  log: RunLog | undefined,
  ids: readonly string[],
): Promise<TestKey[]> {
  if (log === undefined) return [];
  const wanted = new Set(ids);
  const { outcomes } = await readRunLog(log, frameworks);
  return keysOf(outcomes).filter((key) => wanted.has(formatTestKey(key)));
}

interface Again {
  readonly tree: string;
  readonly tests: readonly TestKey[];
  readonly wanted: "fails" | "passes";
}

/**
 * Runs the tests alone in a fresh checkout, and compares the result with `wanted`. `fails`: true if at least one test
 * does not pass. `passes`: true if all pass.
 */
export async function isSame(
  open: OpenTask,
  plan: TestPlan,
  { tree, tests, wanted }: Again,
): Promise<boolean> {
  const selection = { kind: "tests", tests } as const;
  const run = await withCheckout(open, (checkout) =>
    runInLimits(open, checkout, tree, { ...plan, selection }),
  );
  const ids = new Set(tests.map(formatTestKey));
  const passed = run.outcomes.filter(
    ({ key, status }) => status === "passed" && ids.has(formatTestKey(key)),
  ).length;
  return wanted === "passes" ? passed === ids.size : passed < ids.size;
}
