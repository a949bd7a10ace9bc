/** Finds a patch's tests: the test files that it changes or adds, and the new tests in a run. */
import { type ChangedFiles, changedFiles } from "../../agent/code/changed-files.ts";
import { formatTestKey, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import { readTestRegions, type TestRegions } from "../../judging/test-regions.ts";
import { isOwnSource } from "../../languages/source-files.ts";
import type { Measurement } from "../measurement.ts";
import { type OpenTask, withCheckout } from "../open-task.ts";
import type { RunLog } from "../run-log.ts";
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

/** The test files that the gold tests change and that the base already has. */
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

/** The tests of one run that an earlier run does not have. */
export function freshTests(now: readonly TestOutcome[], before: readonly TestOutcome[]): TestOutcome[] {
  const known = new Set(before.map(({ key }) => formatTestKey(key)));
  return now.filter(({ key }) => key.name !== "" && !known.has(formatTestKey(key)));
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
