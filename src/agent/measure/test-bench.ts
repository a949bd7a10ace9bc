import type { TestKey } from "../../domain/test-outcome.ts";
import { type Judge, type JudgedTree, openJudge } from "../../judging/judged-tree.ts";
import type { Batch, ProjectView, Selection, TestCommand, TestFramework } from "../../languages/contract.ts";
import { findFramework } from "../../languages/find-framework.ts";
import { type RunnableCandidate, runBatch } from "../../workspace/batch-runner.ts";
import { turnsIn } from "../../workspace/behind.ts";
import type { Workspace } from "../../workspace/contract.ts";
import { viewProject } from "../../workspace/project-view.ts";
import { runTests, type TestRun } from "../../workspace/test-runner.ts";
import { noFramework, nothingRan } from "./without-tests.ts";

export interface BenchRun {
  readonly tree: string;
  readonly selection: Selection;
  readonly coverage?: boolean;
  readonly testTimeoutMs: number;
  readonly timeoutMs: number;
  readonly stopAtFirstFailure?: boolean;
  /** As the framework can vary a run. */
  readonly varied?: boolean;
  /** Behind the work of the workspace's other benches, in a sandbox that keeps it apart. */
  readonly isBehind?: boolean;
  /** Ends the run as its time limit would. */
  readonly cut?: AbortSignal;
  /** Whose configuration decides how tests run: the base's, unless the tree's own is asked for. */
  readonly configuration?: "own";
}

export interface BenchBatch {
  /** The base, or a program with all candidates. */
  readonly tree: string;
  readonly tests: readonly TestKey[];
  /** Of them, those that are known to fail on the base. */
  readonly failing?: readonly TestKey[];
  readonly candidates: readonly RunnableCandidate[];
  readonly testTimeoutMs: number;
  readonly timeoutMs: number;
  readonly stopAtFirstFailure: boolean;
}

/** A checkout in which tests of any tree can be run, one run after the other. */
export interface TestBench {
  /** The base as test frameworks look at it. */
  readonly project: ProjectView;
  run(command: TestCommand, request: BenchRun): Promise<TestRun>;
  /** The tree that judges another: with the base's configuration of the tests. */
  judged(command: TestCommand, tree: string): Promise<JudgedTree>;
  /** Many candidates in one start; see `Batch`. */
  runBatch<Report>(command: TestCommand, batch: Batch<Report>, request: BenchBatch): Promise<Report>;
  /** Ends its processes and takes its checkout away. */
  close(): Promise<void>;
}

/** A run is stalled when nothing was reported for so many times a test's limit … */
const stallFactor = 2;
/** … and for so long beside it: compilers and collection are quiet, in milliseconds. */
const quietStartMs = 60_000;
/** Builds are quiet for longer, in milliseconds. */
const quietBuildMs = 10 * 60_000;

/** What is behind other runs waits so long for them, in milliseconds. */
const longestPauseMs = 10 * 60_000;

/** Opens a checkout with the base laid in it. */
export async function openTestBench(
  workspace: Workspace,
  frameworks: readonly TestFramework[],
  signal: AbortSignal,
): Promise<TestBench> {
  const checkout = await workspace.openCheckout();
  const files = (await workspace.trees.list(workspace.base)).map((entry) => entry.path);
  const project = viewProject(checkout, files);
  const judges = new Map<string, Judge>();
  const turns = turnsIn(workspace.directory);
  const judged = async (command: TestCommand, tree: string): Promise<JudgedTree> => {
    const framework = frameworks.find(({ name }) => name === command.framework);
    if (framework === undefined) return { tree, laid: [] };
    const key = JSON.stringify([command.framework, command.directory, command.command]);
    const { judging: rules } = framework;
    const { trees, base } = workspace;
    const judge = judges.get(key) ?? openJudge({ trees, base, rules, command });
    judges.set(key, judge);
    return judge.judgedTree(tree);
  };
  return {
    project,
    judged,
    async run(command, request) {
      if (command.framework === noFramework.name) return nothingRan(command.foundBy);
      const framework = findFramework(frameworks, command);
      const isOwn = request.configuration === "own";
      await checkout.lay(isOwn ? request.tree : (await judged(command, request.tree)).tree);
      const quietMs = framework.builds === true ? quietBuildMs : quietStartMs;
      const { isBehind = false } = request;
      // One that is stopped reports nothing meanwhile.
      const stallMs = stallFactor * request.testTimeoutMs + quietMs + (isBehind ? longestPauseMs : 0);
      const coverage = request.coverage ?? false;
      const run = (): Promise<TestRun> =>
        runTests({ ...request, stallMs, coverage, checkout, framework, command, project, signal });
      return isBehind ? turns.behind(checkout, run) : turns.first(run);
    },
    async runBatch(command, batch, request) {
      await checkout.lay((await judged(command, request.tree)).tree);
      const stallMs = stallFactor * request.testTimeoutMs + quietBuildMs;
      // Benches work side by side already.
      return turns.first(() =>
        runBatch({ ...request, batch, command, checkout, project, stallMs, signal, parallel: 1 }),
      );
    },
    close: () => checkout.close(),
  };
}
