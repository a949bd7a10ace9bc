import { type Judge, type JudgedTree, openJudge } from "../../judging/judged-tree.ts";
import type { TestCommand, TestFramework } from "../../languages/contract.ts";
import { findFramework } from "../../languages/find-framework.ts";
import { runBatch } from "../../workspace/batch-runner.ts";
import { turnsIn } from "../../workspace/behind.ts";
import type { Checkout, Workspace } from "../../workspace/contract.ts";
import { viewChanged, viewProject } from "../../workspace/project-view.ts";
import { runTests, type TestRun } from "../../workspace/test-runner.ts";
import type { TestBench } from "../suite.ts";
import { canDivide, processes, type RunIn, runInAll } from "./divide.ts";
import { noFramework, nothingRan } from "./without-tests.ts";

/** A run is stalled if it reports nothing for this multiple of a test's limit, plus a quiet time. */
const stallFactor = 2;
/** The quiet time in milliseconds, for compilers and test collection, which report nothing. */
const quietStartMs = 60_000;
/** The quiet time in milliseconds for builds. */
const quietBuildMs = 10 * 60_000;

/** Maximum milliseconds that background work waits for other runs. */
const longestPauseMs = 10 * 60_000;

/** Opens a checkout of the base, in which tests of any tree can run. */
export async function openTestBench(
  workspace: Workspace,
  frameworks: readonly TestFramework[],
  signal: AbortSignal,
): Promise<TestBench> {
  const checkout = await workspace.openCheckout();
  const files = (await workspace.trees.list(workspace.base)).map((entry) => entry.path);
  const present = new Set(files);
  const project = viewProject(checkout, files);
  const open: [Checkout, ...Checkout[]] = [checkout];
  let used: readonly Checkout[] = open;
  const judges = new Map<string, Judge>();
  const turns = turnsIn(workspace.directory);
  const judged = async (command: TestCommand, tree: string): Promise<JudgedTree> => {
    const framework = frameworks.find(({ name }) => name === command.framework);
    if (framework === undefined) return { tree, laid: [], changed: [] };
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
      const { tree, changed } = await judged(command, request.tree);
      const laid = request.configuration === "own" ? request.tree : tree;
      const quietMs = framework.builds === true ? quietBuildMs : quietStartMs;
      const { isBehind = false } = request;
      // A paused run reports nothing meanwhile.
      const stallMs = stallFactor * request.testTimeoutMs + quietMs + (isBehind ? longestPauseMs : 0);
      const coverage = request.coverage ?? false;
      const runIn: RunIn = async (checkout, more) => {
        await checkout.lay(laid);
        const given = { ...request, ...more, stallMs, coverage, checkout, framework, command, signal };
        const run = (): Promise<TestRun> =>
          runTests({ ...given, project: viewChanged(checkout, project, present, changed) });
        return isBehind ? turns.behind(checkout, run) : turns.first(run);
      };
      const isDivided = canDivide(framework, workspace, request);
      while (isDivided && open.length < processes) open.push(await workspace.openCheckout());
      used = isDivided ? open : [checkout];
      return isDivided ? runInAll(open, request, runIn) : runIn(checkout, {});
    },
    async runBatch(command, batch, request) {
      await checkout.lay((await judged(command, request.tree)).tree);
      const stallMs = stallFactor * request.testTimeoutMs + quietBuildMs;
      // Benches already run in parallel, unless the caller has only this one.
      const { parallel = 1 } = request;
      return turns.first(() =>
        runBatch({ ...request, batch, command, checkout, project, stallMs, signal, parallel }),
      );
    },
    damaged: () => [...new Set(used.flatMap((each) => each.damaged()))],
    async close() {
      for (const each of open) await each.close();
    },
  };
}
