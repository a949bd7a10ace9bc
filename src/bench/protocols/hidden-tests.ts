/** Runs the hidden tests once, on the base with the test patch and the candidate's changes to the code. */
import { openJudge } from "../../judging/judged-tree.ts";
import type { Checkout } from "../../workspace/contract.ts";
import { findDoubt } from "../doubts.ts";
import type { GradedTask } from "../graded-task.ts";
import { layPatch, layTree } from "../graded-tree.ts";
import type { GradedRun, JudgeLists, Verdict } from "../graders/contract.ts";
import type { Measurement } from "../measurement.ts";
import { climbLadder } from "../official-ladder.ts";
import { type OpenTask, whileOpening } from "../open-task.ts";
import { readRunLog } from "../run-log.ts";
import { readTargetText } from "../target-text.ts";
import { findTests } from "../test-ids.ts";
import type { Measured, Protocol, Subject } from "./contract.ts";
import { goldRun, judgeExtra, measureExtra } from "./extra-tests.ts";
import { judgeRejected, rejection, withoutLists } from "./without-runs.ts";

/** The name of the run of hidden tests. */
const hidden = "hidden-tests";

export const hiddenTests: Protocol = {
  needsLists: true,
  controls: [goldRun],
  gold: ({ goldPatch }) => goldPatch,
  measure: measureHidden,
  async judge(measurement, task, frameworks) {
    const { rejected } = measurement;
    const run = await readHidden(measurement, frameworks);
    const { grader } = task;
    if (rejected !== undefined) {
      const refused = judgeRejected(rejected);
      const isApplied = run !== undefined && grader.asks === "hidden-tests";
      return isApplied ? { ...refused, official: judgeBy(grader.judge, run, task) } : refused;
    }
    if (run === undefined || grader.asks !== "hidden-tests")
      throw new Error("This measurement has no hidden tests");
    const official = judgeBy(grader.judge, run, task);
    const verdict = grader.judgeOwn === undefined ? official : judgeBy(grader.judgeOwn, run, task);
    const { extra: given } = task.hidden;
    const extra = given === undefined ? undefined : await judgeExtra(measurement, given, frameworks);
    return { official, verdict, others: [], measures: { hiddenTests: shareOf(verdict) }, extra };
  },
};

export function judgeBy(judge: JudgeLists, run: GradedRun, { hidden }: GradedTask): Verdict {
  return hidden.lists === undefined ? withoutLists : judge(run, hidden.lists, hidden);
}

/** Returns the share of the fail-to-pass tests that pass, from 0 to 1. */
export function shareOf({ failToPass }: Verdict): number {
  const all = failToPass.success.length + failToPass.failure.length;
  return all === 0 ? 0 : failToPass.success.length / all;
}

export async function readHidden(
  { runs }: Measurement,
  frameworks: Parameters<typeof readRunLog>[1],
): Promise<GradedRun | undefined> {
  const log = runs[hidden];
  return log === undefined ? undefined : readRunLog(log, frameworks);
}

/** The tree with the patch, and the tree with the gold patch. */
interface Laid {
  readonly patched: Awaited<ReturnType<typeof layPatch>>;
  readonly gold: string;
}

export async function measureHidden({ open, task, patch }: Subject): Promise<Measured> {
  const lay = async (): Promise<Laid> => {
    const patched = await layPatch(open.workspace.trees, open.trees, patch);
    return { patched, gold: await layGold(open) };
  };
  return whileOpening(open, lay, (checkout, laid) => measureLaid({ open, task, patch }, checkout, laid));
}

/** Measures a patch that only the benchmark's harness applies. */
async function measureRejected(
  { open, task: { grader }, patch }: Subject,
  checkout: Checkout,
  message: string,
): Promise<Measured> {
  const rejected = rejection(message);
  const ladder = grader.asks === "hidden-tests" ? grader.ladder : undefined;
  const tree = ladder === undefined ? undefined : await climbLadder(ladder, checkout, open.trees.base, patch);
  if (tree === undefined) return { measurement: rejected };
  const laid = await layTree(open.workspace.trees, open.trees, tree);
  const { log } = await open.run(checkout, laid.tree, await open.plan(checkout));
  return { measurement: { ...rejected, restored: [...laid.restored], runs: { [hidden]: log } } };
}

async function measureLaid(
  { open, task, patch }: Subject,
  checkout: Checkout,
  { patched, gold }: Laid,
): Promise<Measured> {
  if (!patched.ok) return measureRejected({ open, task, patch }, checkout, patched.message);
  const { trees } = open.workspace;
  const plan = await open.plan(checkout);
  const judge = openJudge({ trees, base: gold, rules: plan.framework.judging, command: plan.command });
  const { tree, laid } = await judge.judgedTree(patched.value.tree);
  const run = await open.run(checkout, tree, plan);
  const { statement, kind, target } = task.task;
  const written =
    kind === "code-generation" && target !== undefined
      ? await readTargetText(target, async (path) => (await trees.read(tree, path))?.toString("utf8"))
      : undefined;
  const measurement = {
    ...{ restored: [...patched.value.restored, ...laid], runs: { [hidden]: run.log } },
    ...(written === undefined ? {} : { target: written }),
  };
  const { extra } = task.hidden;
  return {
    measurement,
    ...(extra === undefined ? {} : { runExtra: () => measureExtra({ open, task, patch }, extra) }),
    findDoubt({ failToPass }) {
      const tests = findTests(run, failToPass.success)
        .filter(({ status }) => status === "passed")
        .map(({ key }) => key);
      return findDoubt({ open, plan, tree, gold, tests, statement });
    },
  };
}

/** Makes the tree whose configuration judges: the gold patch's, because a fix may have to change how tests run. */
async function layGold({ workspace, trees }: OpenTask): Promise<string> {
  return (await layTree(workspace.trees, trees, trees.gold)).tree;
}
