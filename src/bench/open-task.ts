/** From a task to what its tests are run in: repository found, environment made, workspace opened, trees built. */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import { hashData } from "../base/hash.ts";
import type { TestFramework } from "../languages/contract.ts";
import type { Checkout, Workspace, WorkspaceSandbox } from "../workspace/contract.ts";
import type { HostEnvironment } from "../workspace/environment.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";
import { findTaskRepository, type RepositoryPlace } from "./find-repository.ts";
import { buildTaskTrees, type TaskTrees } from "./graded-tree.ts";
import { type PreparedEnvironment, prepareEnvironment } from "./prepare-environment.ts";
import { type EnvironmentRules, findEnvironment } from "./rules.ts";
import type { GradedTask } from "./task.ts";
import { findTouchedTests, planTests, runPlanned, type TestPlan, type TimedRun } from "./task-tests.ts";

export interface GradingOptions {
  readonly place: RepositoryPlace;
  readonly rules: EnvironmentRules;
  /** Holds `environments/` and `work/`. */
  readonly directory: string;
  readonly frameworks: readonly TestFramework[];
  readonly runtimeDirectory: string;
  readonly sandbox: WorkspaceSandbox;
  readonly hostEnvironment: HostEnvironment;
  /** Names of the host's variables that a setup may see. */
  readonly setupVariables: readonly string[];
  /** Milliseconds for one run of the tests, and for one setup, where no rule and no task says. */
  readonly limitMs: number;
  /** Milliseconds for one test. */
  readonly testLimitMs: number;
  /** Take each environment away once its task is done. */
  readonly dropEnvironments: boolean;
  readonly signal: AbortSignal;
}

export interface OpenTask {
  readonly workspace: Workspace;
  readonly trees: TaskTrees;
  readonly notes: readonly string[];
  /** Finds how the tests are run, once for all trees. */
  plan(checkout: Checkout): Promise<TestPlan>;
  run(checkout: Checkout, tree: string, plan: TestPlan): Promise<TimedRun>;
  close(): Promise<void>;
}

/** Throws MillwrightError for all that is no fault of a candidate. */
export async function openTask(task: GradedTask, options: GradingOptions): Promise<OpenTask> {
  const environment = findEnvironment(task, options.rules);
  const prepared = await makeEnvironment(task, environment.setup, options);
  const directory = join(options.directory, "work", task.id);
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const { runtimeDirectory, sandbox, hostEnvironment, signal } = options;
  const { repository } = prepared;
  const workspace = await openWorkspace({
    repository,
    directory,
    runtimeDirectory,
    sandbox,
    hostEnvironment,
    signal,
  });
  try {
    const trees = await buildTaskTrees(workspace.trees, workspace.base, task.hidden);
    if (!trees.ok) throw new MillwrightError("repository", trees.message);
    const { command, files } = await chooseTests(task, workspace, trees.value, environment.testCommand);
    const request = {
      workspace,
      frameworks: options.frameworks,
      command,
      files,
      limitMs: environment.limitMs ?? options.limitMs,
      testLimitMs: options.testLimitMs,
      signal,
    };
    return {
      workspace,
      trees: trees.value,
      notes: [...prepared.notes, ...workspace.notices()],
      plan: (checkout) => planTests(request, checkout, trees.value.tests),
      run: (checkout, tree, plan) => runPlanned(request, checkout, tree, plan),
      close: () => closeTask(workspace, directory, prepared, options),
    };
  } catch (error) {
    await closeTask(workspace, directory, prepared, options);
    throw error;
  }
}

async function chooseTests(
  task: GradedTask,
  workspace: Workspace,
  trees: TaskTrees,
  command: string | undefined,
): Promise<{ command: string | undefined; files: readonly string[] }> {
  const { files } = task.hidden.tests;
  if (files.length > 0 || command !== undefined) return { command, files };
  return { command, files: await findTouchedTests(workspace, trees.base, trees.tests) };
}

/** Environments that are being made, so that two tasks at once do not make the same one. */
const making = new Map<string, Promise<PreparedEnvironment>>();

async function makeEnvironment(task: GradedTask, setup: string | undefined, options: GradingOptions) {
  const { baseCommit, repository, version } = task;
  const source = await findTaskRepository(options.place, repository, baseCommit);
  const name = repository.split("/").at(-1) || "repository";
  const { sandbox } = options;
  const made = { repository, baseCommit, version, setup, image: sandbox.image ?? null };
  const hash = hashData({ ...made, sandbox: sandbox.provider.name }).slice(0, 12);
  const folder = join(options.directory, "environments", `${name}-${baseCommit.slice(0, 8)}-${hash}`);
  const running = making.get(folder);
  if (running !== undefined) return running;
  const work = prepareEnvironment({
    source,
    commit: baseCommit,
    folder,
    name,
    setup,
    limitMs: options.limitMs,
    variables: setupVariables(task, options),
    sandbox,
    hostEnvironment: options.hostEnvironment,
    signal: options.signal,
  });
  making.set(folder, work);
  try {
    return await work;
  } finally {
    making.delete(folder);
  }
}

function setupVariables(task: GradedTask, options: GradingOptions): Record<string, string> {
  const taken = options.setupVariables.flatMap((name) => {
    const value = options.hostEnvironment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(taken),
    MILLWRIGHT_TASK: task.id,
    MILLWRIGHT_REPOSITORY: task.repository,
    MILLWRIGHT_COMMIT: task.baseCommit,
    MILLWRIGHT_VERSION: task.version,
  };
}

async function closeTask(
  workspace: Workspace,
  directory: string,
  { repository }: PreparedEnvironment,
  options: GradingOptions,
): Promise<void> {
  await workspace.close();
  await rm(directory, { recursive: true, force: true });
  if (options.dropEnvironments) await rm(join(repository, ".."), { recursive: true, force: true });
}
