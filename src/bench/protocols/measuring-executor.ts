/**
 * Opens the test executor that measures a task's coverage and injected faults. It is a separate checkout with the
 * environment's programs.
 */

import { type Covered, measureCoverage } from "../../agent/measure/covered-lines.ts";
import { openTestExecutor } from "../../agent/measure/test-executor.ts";
import type { TestExecutor } from "../../agent/suite.ts";
import type { Selection } from "../../languages/contract.ts";
import type { OpenTask } from "../open-task.ts";
import { activateWorkspace, type TestPlan } from "../task-tests.ts";

export interface ExecutorPlace extends Pick<OpenTask, "workspace" | "options"> {
  /** The tree whose test configuration judges; default: the base. */
  readonly configuration?: string;
}

/** Opens a test executor for `work`, and closes it afterwards. Rethrows errors of `work` and of the sandbox. */
export async function withTestExecutor<T>(
  { workspace, options: { frameworks, signal }, configuration = workspace.base }: ExecutorPlace,
  work: (executor: TestExecutor) => Promise<T>,
): Promise<T> {
  const judged = { ...activateWorkspace(workspace), base: configuration };
  const executor = await openTestExecutor(judged, frameworks, signal);
  try {
    return await work(executor);
  } finally {
    await executor.close();
  }
}

export interface CoverWanted {
  readonly tree: string;
  readonly selection: Selection;
  readonly files: readonly string[];
}

/** The factor by which coverage may slow a test down before the test counts as hanging. */
const slowdown = 5;

/** Measures the lines that the tests execute. `tree` must already have the judging configuration. */
export async function coverFiles(
  executor: TestExecutor,
  { workspace, limits }: OpenTask,
  { framework, command }: TestPlan,
  wanted: CoverWanted,
): Promise<Covered> {
  if (framework.coverage === "none")
    return { tests: {}, because: `${framework.name} does not report the executed lines of a test` };
  const on = {
    ...{ executor, command, trees: workspace.trees, counts: framework.coverage === "counters" },
    ...{ testTimeoutMs: slowdown * limits.testLimitMs, timeoutMs: limits.limitMs },
    configuration: "own" as const,
  };
  const { result, isCut } = await measureCoverage(on, wanted);
  return isCut ? { ...result, because: "the run with coverage reached the time limit" } : result;
}
