/**
 * Prepares a task for test runs: finds the repository, builds the environment, opens the workspace, and creates the
 * trees.
 */
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import { makeFolders } from "../base/make-folders.ts";
import type { TestFramework } from "../languages/contract.ts";
import type { Checkout, SandboxImage, Workspace } from "../workspace/contract.ts";
import type { GradedTask } from "./graded-task.ts";
import { buildTaskTrees, type TaskTrees } from "./graded-tree.ts";
import type { LogStore } from "./log-store.ts";
import { type EnvironmentRules, findEnvironment } from "./rules.ts";
import { limitOf } from "./run-log.ts";
import { withTargetTexts } from "./target-text.ts";
import type { HiddenPart } from "./task.ts";
import { holdCheckouts, type TaskCheckouts } from "./task-checkouts.ts";
import { type EnvironmentOptions, type HeldEnvironment, holdEnvironment } from "./task-environment.ts";
import { findTouchedTests, planTests, runPlanned, type TestPlan, type TimedRun } from "./task-tests.ts";

export interface GradingOptions extends EnvironmentOptions {
  readonly rules: EnvironmentRules;
  readonly frameworks: readonly TestFramework[];
  /** Opens a private copy of an environment in an empty folder. */
  readonly openWorkspace: (place: OpenPlace) => Promise<Workspace>;
  /** Time limit for one test, in milliseconds. */
  readonly testLimitMs: number;
  /** Maximum size of a patch in bytes. A larger patch counts as an agent error. */
  readonly patchLimit: number;
  /** The store for the measurements of patches; absent: Millwright keeps none. */
  readonly logs?: LogStore;
  /** Millwright's version, for the logs. */
  readonly version?: string;
}

export interface OpenPlace {
  readonly repository: string;
  readonly directory: string;
  /** The image of the task's own sandbox; undefined: the session's sandbox. */
  readonly image: SandboxImage | undefined;
}

export interface OpenTask {
  /** A workspace whose trees also accept patches given as a function's text. */
  readonly workspace: Workspace;
  readonly options: GradingOptions;
  /** Time limits for one run and for one test, in milliseconds. */
  readonly limits: { readonly limitMs: number; readonly testLimitMs: number };
  readonly trees: TaskTrees;
  readonly notes: readonly string[];
  /** Determines from one tree how the tests run on all trees. `tree`: this tree; default: the tree with the tests. */
  plan(checkout: Checkout, tree?: string): Promise<TestPlan>;
  run(checkout: Checkout, tree: string, plan: TestPlan): Promise<TimedRun>;
  readonly checkouts: TaskCheckouts;
  close(): Promise<void>;
}

/** Opens a task for grading. Throws MillwrightError for every failure that the candidate did not cause. */
export async function openTask(graded: GradedTask, options: GradingOptions): Promise<OpenTask> {
  const { task, hidden } = graded;
  const { testCommand, limitMs, ...made } = findEnvironment(graded, options.rules);
  const environment = await holdEnvironment(task, made, options);
  // Tests can read the folder's name in their mount table, so it does not contain the task's id.
  const directory = join(options.directory, "work", randomBytes(6).toString("hex"));
  const opened = await copyEnvironment(environment, directory, options);
  const workspace = { ...opened, trees: withTargetTexts(opened.trees) };
  const checkouts = holdCheckouts(() => workspace.openCheckout());
  const close = async (): Promise<void> => {
    try {
      await checkouts.close();
    } finally {
      await closeTask(opened, directory, environment);
    }
  };
  try {
    const trees = await buildTaskTrees(workspace.trees, workspace.base, hidden);
    if (!trees.ok) throw new MillwrightError("repository", trees.message);
    const { command, files } = await chooseTests(hidden, workspace, trees.value, testCommand);
    const { frameworks, testLimitMs, signal } = options;
    const limits = { limitMs: limitMs ?? options.limitMs, testLimitMs };
    const request = { workspace, frameworks, command, files, signal, ...limits };
    return {
      ...{ workspace, options, limits, checkouts },
      trees: trees.value,
      notes: [...environment.notes, ...workspace.notices()],
      plan: (checkout, tree = trees.value.tests) => planTests(request, checkout, tree),
      run: (checkout, tree, plan) => runPlanned(request, checkout, tree, plan),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function copyEnvironment(
  environment: HeldEnvironment,
  directory: string,
  { openWorkspace }: GradingOptions,
): Promise<Workspace> {
  try {
    await rm(directory, { recursive: true, force: true });
    await makeFolders(directory);
    return await openWorkspace({ repository: environment.repository, directory, image: environment.image });
  } catch (error) {
    await environment.release();
    throw error;
  }
}

async function chooseTests(
  { tests: { files, all } }: HiddenPart,
  workspace: Workspace,
  trees: TaskTrees,
  command: string | undefined,
): Promise<{ command: string | undefined; files: readonly string[] }> {
  if (files.length > 0 || command !== undefined || all === true) return { command, files };
  return { command, files: await findTouchedTests(workspace, trees.base, trees.tests) };
}

/** Opens a checkout for `work`, and closes it afterwards. */
export function withCheckout<T>(open: OpenTask, work: (checkout: Checkout) => Promise<T>): Promise<T> {
  return whileOpening(open, async () => {}, work);
}

/** Opens a checkout for `work`, and runs `prepare` at the same time. */
export async function whileOpening<P, T>(
  open: OpenTask,
  prepare: () => Promise<P>,
  work: (checkout: Checkout, prepared: P) => Promise<T>,
): Promise<T> {
  const [opened, prepared] = await Promise.allSettled([open.checkouts.open(), prepare()]);
  if (opened.status === "rejected") throw opened.reason;
  const checkout = opened.value;
  try {
    if (prepared.status === "rejected") throw prepared.reason;
    return await work(checkout, prepared.value);
  } finally {
    await open.checkouts.leave(checkout);
  }
}

/**
 * Runs tests that ended within their limits before. Repeats a run that reaches a limit: a busy machine is no sign against
 * a patch.
 */
export async function runInLimits(
  { run }: Pick<OpenTask, "run">,
  ...asked: Parameters<OpenTask["run"]>
): Promise<TimedRun> {
  const first = await run(...asked);
  return limitOf(first) === undefined ? first : run(...asked);
}

async function closeTask(
  workspace: Workspace,
  directory: string,
  environment: HeldEnvironment,
): Promise<void> {
  await workspace.close();
  await rm(directory, { recursive: true, force: true });
  await environment.release();
}
