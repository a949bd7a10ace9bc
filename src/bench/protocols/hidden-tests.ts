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
import { type RunLog, readRunLog } from "../run-log.ts";
import { readTargetText } from "../target-text.ts";
import { findTests } from "../test-ids.ts";
import type { Judged, Measured, Protocol, Subject } from "./contract.ts";
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
    if (rejected !== undefined) return judgeByLadders(rejected, measurement, task, frameworks);
    const run = await readHidden(measurement, frameworks);
    const { grader } = task;
    if (run === undefined || grader.asks !== "hidden-tests")
      throw new Error("This measurement has no hidden tests");
    const official = judgeBy(grader.judge, run, task);
    const verdict = grader.judgeOwn === undefined ? official : judgeBy(grader.judgeOwn, run, task);
    const { extra: given } = task.hidden;
    const extra = given === undefined ? undefined : await judgeExtra(measurement, given, frameworks);
    return { official, verdict, others: [], measures: { hiddenTests: shareOf(verdict) }, extra };
  },
};

/** Judges a patch that does not fit exactly: each version of the benchmark's harness has its own verdict. */
async function judgeByLadders(
  reason: string,
  { runs }: Measurement,
  task: GradedTask,
  frameworks: Parameters<typeof readRunLog>[1],
): Promise<Judged> {
  const refused = judgeRejected(reason);
  const { grader } = task;
  if (grader.asks !== "hidden-tests") return refused;
  const verdicts: { readonly name: string; readonly official: Verdict }[] = [];
  for (const { name } of grader.ladders ?? []) {
    const log = runs[name];
    const run = log && (await readRunLog(log, frameworks));
    verdicts.push({ name, official: run ? judgeBy(grader.judge, run, task) : refused.official });
  }
  const { official } = verdicts[0] ?? refused;
  const differing = verdicts.filter((each) => each.official.outcome !== official.outcome);
  const told = differing.map((each) => `; by ${each.name} it is ${each.official.outcome}`).join("");
  return { ...judgeRejected(`${reason}${told}`), official };
}

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
  const ladders = (grader.asks === "hidden-tests" ? grader.ladders : undefined) ?? [];
  const restored = new Set<string>();
  const runs: Record<string, RunLog> = {};
  const known = new Map<string, RunLog>();
  for (const ladder of ladders) {
    const tree = await climbLadder(ladder, checkout, open.trees.base, patch);
    if (tree === undefined) continue;
    const laid = await layTree(open.workspace.trees, open.trees, tree);
    for (const path of laid.restored) restored.add(path);
    const log = known.get(laid.tree) ?? (await open.run(checkout, laid.tree, await open.plan(checkout))).log;
    known.set(laid.tree, log);
    runs[ladder.name] = log;
  }
  return { measurement: { ...rejected, restored: [...restored], runs } };
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
