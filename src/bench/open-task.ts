/** From a task to what its tests are run in: repository found, environment made, workspace opened, trees built. */
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
import { withTargetTexts } from "./target-text.ts";
import type { HiddenPart } from "./task.ts";
import { type EnvironmentOptions, type HeldEnvironment, holdEnvironment } from "./task-environment.ts";
import { findTouchedTests, planTests, runPlanned, type TestPlan, type TimedRun } from "./task-tests.ts";

export interface GradingOptions extends EnvironmentOptions {
  readonly rules: EnvironmentRules;
  readonly frameworks: readonly TestFramework[];
  /** A private copy of an environment, in an empty folder. */
  readonly openWorkspace: (place: OpenPlace) => Promise<Workspace>;
  /** Milliseconds for one test. */
  readonly testLimitMs: number;
  /** Bytes of a patch: what is larger is no repair. */
  readonly patchLimit: number;
  /** Where what was measured of patches is kept. */
  readonly logs?: LogStore;
  /** Ours, for the logs. */
  readonly version?: string;
}

export interface OpenPlace {
  readonly repository: string;
  readonly directory: string;
  /** The task's own; default: the session's. */
  readonly image: SandboxImage | undefined;
}

export interface OpenTask {
  /** Its trees take patches that are a function's text, too. */
  readonly workspace: Workspace;
  readonly options: GradingOptions;
  /** Milliseconds for one run and for one test. */
  readonly limits: { readonly limitMs: number; readonly testLimitMs: number };
  readonly trees: TaskTrees;
  readonly notes: readonly string[];
  /** Finds how the tests are run, once for all trees, on that with the tests unless another is given. */
  plan(checkout: Checkout, tree?: string): Promise<TestPlan>;
  run(checkout: Checkout, tree: string, plan: TestPlan): Promise<TimedRun>;
  close(): Promise<void>;
}

/** Throws MillwrightError for all that is no fault of a candidate. */
export async function openTask(graded: GradedTask, options: GradingOptions): Promise<OpenTask> {
  const { task, hidden } = graded;
  const { testCommand, limitMs, ...made } = findEnvironment(graded, options.rules);
  const environment = await holdEnvironment(task, made, options);
  const directory = join(options.directory, "work", `${task.id}-${randomBytes(4).toString("hex")}`);
  const opened = await copyEnvironment(environment, directory, options);
  const workspace = { ...opened, trees: withTargetTexts(opened.trees) };
  const close = () => closeTask(opened, directory, environment);
  try {
    const trees = await buildTaskTrees(workspace.trees, workspace.base, hidden);
    if (!trees.ok) throw new MillwrightError("repository", trees.message);
    const { command, files } = await chooseTests(hidden, workspace, trees.value, testCommand);
    const { frameworks, testLimitMs, signal } = options;
    const limits = { limitMs: limitMs ?? options.limitMs, testLimitMs };
    const request = { workspace, frameworks, command, files, signal, ...limits };
    return {
      ...{ workspace, options, limits },
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

/** A checkout for `work` alone. */
export async function withCheckout<T>(open: OpenTask, work: (checkout: Checkout) => Promise<T>): Promise<T> {
  const checkout = await open.workspace.openCheckout();
  try {
    return await work(checkout);
  } finally {
    await checkout.close();
  }
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
