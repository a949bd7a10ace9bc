/**
 * Runs a task's tests on the task's trees, and reads the results from Millwright's reporters in the test frameworks.
 */

import { MillwrightError } from "../base/errors.ts";
import type { Selection, TestCommand, TestFramework } from "../languages/contract.ts";
import { findFramework } from "../languages/find-framework.ts";
import { isTestFile } from "../languages/source-files.ts";
import type { Checkout, Workspace } from "../workspace/contract.ts";
import { viewProject } from "../workspace/project-view.ts";
import { findTestCommand, listTestCommands } from "../workspace/test-command.ts";
import { runTests, type TestRun } from "../workspace/test-runner.ts";
import { askAgain, moreTime } from "../workspace/time-outs.ts";
import type { GradedRun } from "./graders/contract.ts";
import { type ExecutionLog, logExecution, type RunLog } from "./run-log.ts";

export interface TestsRequest {
  readonly workspace: Workspace;
  readonly frameworks: readonly TestFramework[];
  /** The test command; undefined if Millwright has to detect it. */
  readonly command: string | undefined;
  /** The files to run. If the list is empty, the command selects them. */
  readonly files: readonly string[];
  /** Time limit for one run, in milliseconds. */
  readonly limitMs: number;
  /** Time limit for one test, in milliseconds. */
  readonly testLimitMs: number;
  readonly signal: AbortSignal;
}

/** The command, framework and selection for a task's tests. All trees of a task use the same plan. */
export interface TestPlan {
  readonly command: TestCommand;
  readonly framework: TestFramework;
  readonly selection: Selection;
  readonly variation?: RunVariation;
}

/** Changes to a test run that should not affect the results. */
export interface RunVariation {
  /** True to vary the run as far as the framework allows. */
  readonly varied?: boolean;
  /** Variables in addition to the command's own. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface TimedRun extends GradedRun {
  readonly seconds: number;
  /** The log with all output of the run. */
  readonly log: RunLog;
}

/** Folders of an environment with programs. They come first on the path, as in an activated environment. */
const programFolders = [".venv/bin", "venv/bin"];

/**
 * Finds the framework that the test command runs. Without a given command, finds the command too. `tree`: the tree with
 * the tests. Throws MillwrightError if no framework fits, or no command works.
 */
export async function planTests(request: TestsRequest, checkout: Checkout, tree: string): Promise<TestPlan> {
  const { frameworks, files } = request;
  await checkout.lay(tree);
  const project = viewProject(checkout, await listPaths(request, tree));
  const commands = listTestCommands(project, frameworks, request.command);
  const selection: Selection = files.length === 0 ? { kind: "all" } : { kind: "files", files };
  const plan = (command: TestCommand): TestPlan => {
    return { command, framework: findFramework(frameworks, command), selection };
  };
  const [first] = commands;
  if (request.command !== undefined) {
    if (first !== undefined) return plan(first);
    const names = frameworks.map((framework) => framework.name).join(", ");
    throw new MillwrightError(
      "repository",
      `\`${request.command}\` starts no test framework whose report Millwright can parse (known frameworks: ${names})`,
    );
  }
  const found = await findTestCommand(commands, (command) => runPlan(request, checkout, tree, plan(command)));
  if (found.ok) return plan(found.value.command);
  throw new MillwrightError("repository", found.message);
}

export async function runPlanned(
  request: TestsRequest,
  checkout: Checkout,
  tree: string,
  plan: TestPlan,
): Promise<TimedRun> {
  const executions: ExecutionLog[] = [];
  const onExecuted = (log: ExecutionLog): void => void executions.push(log);
  const run = await runPlan(request, checkout, tree, plan, onExecuted);
  const { report, end, durationMs } = run;
  const { invalid } = report;
  const more = { ...request, testLimitMs: moreTime * request.testLimitMs };
  const outcomes = await askAgain(
    report.outcomes,
    () => end === "exited",
    (test) => {
      const alone: TestPlan = { ...plan, selection: { kind: "tests", tests: [test] } };
      return runPlan(more, checkout, tree, alone, onExecuted);
    },
  );
  const { name } = plan.framework;
  const { root } = checkout.names;
  const log = { framework: name, command: plan.command.command, executions };
  return { framework: name, outcomes, invalid, end, root, seconds: durationMs / 1000, log };
}

async function runPlan(
  request: TestsRequest,
  checkout: Checkout,
  tree: string,
  { framework, command, selection, variation = {} }: TestPlan,
  onExecuted?: (log: ExecutionLog) => void,
): Promise<TestRun> {
  await checkout.lay(tree);
  const testTimeoutMs = Math.min(request.testLimitMs, request.limitMs);
  const { root } = checkout.names;
  return runTests({
    checkout: withVariables(activate(checkout), variation.env ?? {}),
    varied: variation.varied ?? false,
    framework,
    command,
    project: viewProject(checkout, await listPaths(request, tree)),
    selection,
    coverage: false,
    testTimeoutMs,
    timeoutMs: request.limitMs,
    stallMs: request.limitMs, // compilers may stay silent for any length of time
    signal: request.signal,
    ...(onExecuted === undefined
      ? {}
      : {
          onExecuted: (execution) => onExecuted(logExecution(execution, { selection, testTimeoutMs, root })),
        }),
  });
}

async function listPaths({ workspace }: TestsRequest, tree: string): Promise<string[]> {
  return (await workspace.trees.list(tree)).map((entry) => entry.path);
}

/**
 * Returns the test files that differ between two trees and exist in the second. Millwright runs them if the task names
 * neither test files nor a test command.
 */
export async function findTouchedTests(workspace: Workspace, from: string, to: string): Promise<string[]> {
  const changed = await workspace.trees.stat(from, to);
  const present = new Set((await workspace.trees.list(to)).map((entry) => entry.path));
  return changed.map(({ path }) => path).filter((path) => present.has(path) && isTestFile(path));
}

/** Wraps the workspace so that commands in each checkout find the environment's own programs (`.venv/bin`) first. */
export function activateWorkspace(workspace: Workspace): Workspace {
  return {
    ...workspace,
    openCheckout: async (options) => activate(await workspace.openCheckout(options)),
  };
}

/** Makes a checkout in which the environment's installed programs come first on the path. */
function activate(checkout: Checkout): Checkout {
  const folders = programFolders.filter((folder) => checkout.exists(folder));
  if (folders.length === 0) return checkout;
  const front = folders.map((folder) => `${checkout.root}/${folder}`).join(":");
  const script = `PATH="$0:$PATH"; export PATH; exec "$@"`;
  return {
    ...checkout,
    execute(command) {
      const run = typeof command.run === "string" ? ["/bin/sh", "-c", command.run] : command.run;
      return checkout.execute({ ...command, run: ["/bin/sh", "-c", script, front, ...run] });
    },
  };
}

function withVariables(checkout: Checkout, env: Readonly<Record<string, string>>): Checkout {
  return {
    ...checkout,
    execute: (command) => checkout.execute({ ...command, env: { ...command.env, ...env } }),
  };
}
