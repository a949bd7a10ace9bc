import { type Judge, type JudgedTree, openJudge } from "../../judging/judged-tree.ts";
import type { TestCommand, TestFramework } from "../../languages/contract.ts";
import { findFramework } from "../../languages/find-framework.ts";
import { runBatch } from "../../workspace/batch-runner.ts";
import { turnsIn } from "../../workspace/behind.ts";
import type { Checkout, Workspace } from "../../workspace/contract.ts";
import { viewChanged, viewProject } from "../../workspace/project-view.ts";
import { runRest } from "../../workspace/run-rest.ts";
import { runTests, type TestRun } from "../../workspace/test-runner.ts";
import type { TestExecutor } from "../suite.ts";
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
export async function openTestExecutor(
  workspace: Workspace,
  frameworks: readonly TestFramework[],
  signal: AbortSignal,
): Promise<TestExecutor> {
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
        const seen = viewChanged(checkout, project, present, changed);
        const given = { ...request, stallMs, coverage, checkout, framework, command, signal, project: seen };
        const run = (asked: typeof more): Promise<TestRun> => {
          const once = (): Promise<TestRun> => runTests({ ...given, ...asked });
          return isBehind ? turns.behind(checkout, once) : turns.first(once);
        };
        const { timeoutMs = request.timeoutMs } = more;
        const began = performance.now();
        const first = await run(more);
        if (coverage) return first;
        return runRest(first, async (tests) => {
          await checkout.lay(laid);
          const leftMs = Math.max(1, timeoutMs - (performance.now() - began));
          return run({ selection: { kind: "tests", tests }, timeoutMs: leftMs });
        });
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
