/** Grades one candidate patch of one task, in a checkout that nothing ran in before. */
import { z } from "zod";
import { hashData } from "../base/hash.ts";
import { openJudge } from "../judging/judged-tree.ts";
import { findDoubt } from "./doubts.ts";
import type { GradedTask } from "./graded-task.ts";
import { layPatch } from "./graded-tree.ts";
import { gradeOutcomeSchema, type Verdict, verdictWithoutRun } from "./graders/contract.ts";
import type { Job } from "./job.ts";
import { type GradingOptions, type OpenTask, openTask, withCheckout } from "./open-task.ts";
import type { ResultKind } from "./result-store.ts";
import { identifyTask } from "./rules.ts";
import type { TestLists } from "./task.ts";
import { findTests } from "./test-ids.ts";

const listVerdictSchema = z.object({ success: z.array(z.string()), failure: z.array(z.string()) });

const gradeResultSchema = z.object({
  id: z.string(),
  outcome: gradeOutcomeSchema,
  reason: z.string(),
  failToPass: listVerdictSchema,
  passToPass: listVerdictSchema,
  unmatched: z.array(z.string()),
  ambiguous: z.array(z.string()),
  /** Files of tests, and of how they are run, whose change by the patch was not taken. */
  restored: z.array(z.string()),
  /** By the dataset's rule alone: it says resolved too of a patch that forges what its tests say. */
  byTests: gradeOutcomeSchema,
  seconds: z.number(),
});
export type GradeResult = z.infer<typeof gradeResultSchema>;

const gradeResult: ResultKind<GradeResult> = {
  schema: "millwright.bench-grade-task/2",
  type: gradeResultSchema,
};

/**
 * A verdict is kept by the patch, the task with its rule, its environment and the conditions: a change of any of them is another job.
 * `patch` is undefined where the agent gave none.
 */
export function gradeJob(
  task: GradedTask,
  patch: string | undefined,
  options: GradingOptions,
  conditions: unknown,
): Job<GradeResult> {
  return {
    key: hashData(["grade", identifyTask(task, options.rules), conditions, patch ?? null]),
    kind: gradeResult,
    execute: () => gradeTask(task, patch, options),
    isFinal: ({ outcome }) => outcome !== "infrastructure-error",
    onError: (reason) => ungradable(task.task.id, reason),
  };
}

/** Throws MillwrightError for infrastructure, and AbortError. */
async function gradeTask(
  task: GradedTask,
  patch: string | undefined,
  options: GradingOptions,
): Promise<GradeResult> {
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1000;
  const { lists } = task.hidden;
  const { id } = task.task;
  if (patch === undefined) return makeResult(id, verdictWithoutRun("agent-error", "there is no prediction"));
  if (patch.trim() === "") return makeResult(id, verdictWithoutRun("unresolved", "the patch is empty"));
  if (lists === undefined) {
    const reason = "no list says which tests decide: `bench check --write-lists` makes one, --lists takes it";
    return makeResult(id, verdictWithoutRun("infrastructure-error", reason));
  }
  const { verdict, restored, byTests } = await runPatch(task, patch, lists, options);
  return { ...makeResult(id, verdict, restored, seconds()), byTests };
}

interface Graded {
  readonly verdict: Verdict;
  readonly restored: readonly string[];
  readonly byTests: Verdict["outcome"];
}

async function runPatch(
  task: GradedTask,
  patch: string,
  lists: TestLists,
  options: GradingOptions,
): Promise<Graded> {
  const open = await openTask(task, options);
  const { trees } = open.workspace;
  try {
    const patched = await layPatch(trees, open.trees, patch);
    if (!patched.ok) {
      const reason = `the patch does not apply to the base: ${patched.message}`;
      return { verdict: verdictWithoutRun("agent-error", reason), restored: [], byTests: "agent-error" };
    }
    const plan = await withCheckout(open, (checkout) => open.plan(checkout));
    const gold = await layGold(open, task.hidden.goldPatch);
    const judge = openJudge({ trees, base: gold, rules: plan.framework.judging, command: plan.command });
    const { tree, laid } = await judge.judgedTree(patched.value.tree);
    const restored = [...patched.value.restored, ...laid];
    const run = await withCheckout(open, (checkout) => open.run(checkout, tree, plan));
    const verdict = task.grader.judge(run, lists, task.hidden);
    const { outcome: byTests } = verdict;
    if (byTests !== "resolved") return { verdict, restored, byTests };
    const tests = findTests(run.framework, lists.failToPass, run.outcomes)
      .filter(({ status }) => status === "passed")
      .map(({ key }) => key);
    const { statement } = task.task;
    const doubt = await findDoubt({ open, plan, tree, gold, tests, statement });
    if (doubt === undefined) return { verdict, restored, byTests };
    return { verdict: { ...verdict, outcome: "unresolved", reason: doubt }, restored, byTests };
  } finally {
    await open.close();
  }
}

/** The tree whose configuration judges: a fix may have to change how tests are run. */
async function layGold({ workspace, trees }: OpenTask, patch: string): Promise<string> {
  const laid = await layPatch(workspace.trees, trees, patch);
  return laid.ok ? laid.value.tree : trees.tests;
}

function makeResult(
  id: string,
  verdict: Verdict,
  restored: readonly string[] = [],
  seconds = 0,
): GradeResult {
  const { outcome, reason, failToPass, passToPass, unmatched, ambiguous } = verdict;
  const copy = (list: Verdict["failToPass"]) => ({ success: [...list.success], failure: [...list.failure] });
  return {
    id,
    outcome,
    reason,
    failToPass: copy(failToPass),
    passToPass: copy(passToPass),
    unmatched: [...unmatched],
    ambiguous: [...ambiguous],
    restored: [...restored],
    byTests: outcome,
    seconds,
  };
}

/** The result of a task that could not be graded, for no fault of the patch. */
function ungradable(id: string, reason: string): GradeResult {
  return makeResult(id, verdictWithoutRun("infrastructure-error", reason));
}
