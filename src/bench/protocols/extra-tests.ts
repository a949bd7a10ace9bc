/** Runs a task's extra tests on a patch that resolves the task, and judges whether the patch is overfitted. */

import { countOf, wordFor } from "../../base/count.ts";
import { formatTestKey } from "../../domain/test-outcome.ts";
import { openJudge } from "../../judging/judged-tree.ts";
import type { Selection, TestFramework } from "../../languages/contract.ts";
import { layPatch } from "../graded-tree.ts";
import type { GradedRun } from "../graders/contract.ts";
import { judgeLists } from "../graders/judge-lists.ts";
import { repaired } from "../graders/statuses.ts";
import type { Measurement } from "../measurement.ts";
import { type OpenTask, withCheckout } from "../open-task.ts";
import { type RunLog, readRunLog } from "../run-log.ts";
import type { ExtraTests } from "../task.ts";
import { findTouchedTests } from "../task-tests.ts";
import type { ExtraVerdict, Subject } from "./contract.ts";

/** The name of the run of extra tests. */
export const extraRun = "extra-tests";
/** The name of the run of extra tests with the gold patch. */
export const goldRun = "extra-tests-gold";

/**
 * Runs the extra tests with the patch. As with the hidden tests, the patch cannot change the tests or their
 * configuration. Throws MillwrightError if the infrastructure fails, and AbortError if interrupted.
 */
export async function runExtraTests({ open, patch, task }: Subject, extra: ExtraTests): Promise<RunLog> {
  const { trees } = open.workspace;
  const own = { ...open.trees, tests: open.trees.extra };
  const [laid, gold] = [await layPatch(trees, own, patch), await layPatch(trees, own, task.hidden.goldPatch)];
  if (!laid.ok) throw new Error(`the patch no longer applies: ${laid.message}`);
  return withCheckout(open, async (checkout) => {
    const plan = await open.plan(checkout, open.trees.extra);
    const rules = plan.framework.judging;
    const base = gold.ok ? gold.value.tree : own.tests;
    const judge = openJudge({ trees, base, rules, command: plan.command });
    const { tree } = await judge.judgedTree(laid.value.tree);
    return (await open.run(checkout, tree, { ...plan, selection: await selectExtra(open, extra) })).log;
  });
}

/**
 * Makes the runs that judge the patch. If the task gives no ids, also runs the gold patch, because the tests that pass
 * with it decide.
 */
export async function measureExtra(subject: Subject, extra: ExtraTests): Promise<Record<string, RunLog>> {
  const own = { [extraRun]: await runExtraTests(subject, extra) };
  if (extra.ids !== undefined) return own;
  const { goldPatch } = subject.task.hidden;
  return { ...own, [goldRun]: await runExtraTests({ ...subject, patch: goldPatch }, extra) };
}

async function selectExtra({ workspace, trees }: OpenTask, { files }: ExtraTests): Promise<Selection> {
  const chosen = files ?? (await findTouchedTests(workspace, trees.tests, trees.extra));
  return chosen.length === 0 ? { kind: "all" } : { kind: "files", files: chosen };
}

/**
 * Judges the run of the extra tests. The patch is overfitted if a deciding test does not pass, if there is none, or if
 * the run cannot be trusted. Undefined if the extra tests did not run.
 */
export async function judgeExtra(
  { runs }: Pick<Measurement, "runs">,
  { ids }: Pick<ExtraTests, "ids">,
  frameworks: readonly TestFramework[],
): Promise<ExtraVerdict | undefined> {
  const log = runs[extraRun];
  if (log === undefined) return undefined;
  const run = await readRunLog(log, frameworks);
  const gold = runs[goldRun];
  const decide =
    ids ?? decidingTests(run, gold === undefined ? undefined : await readRunLog(gold, frameworks));
  const lists = { failToPass: decide, passToPass: [], flaky: [] };
  const { outcome, reason, failToPass } = judgeLists(run, lists, {
    failToPass: repaired,
    passToPass: repaired,
  });
  const { success, failure } = failToPass;
  const all = success.length + failure.length;
  const told =
    all === 0
      ? "no extra test ran"
      : failure.length > 0
        ? `${failure.length} of ${countOf(all, "extra test")} ${wordFor(failure.length, "does", "do")} not pass: ${failure[0]}`
        : outcome === "resolved"
          ? `${success.length} of ${countOf(all, "extra test")} ${wordFor(success.length, "passes", "pass")}`
          : reason;
  return { isOverfitted: outcome !== "resolved", reason: told, success: [...success], failure: [...failure] };
}

/**
 * Finds the deciding tests of a task that gives no ids: the tests that pass with the gold patch. A patch itself may
 * skip or lose tests. If no test is known to pass with the gold patch, returns the tests that were not skipped with the
 * patch.
 */
export function decidingTests(
  run: Pick<GradedRun, "outcomes">,
  gold: Pick<GradedRun, "outcomes"> | undefined,
): string[] {
  const good = gold?.outcomes.filter(({ status }) => repaired.has(status)) ?? [];
  const ran = good.length > 0 ? good : run.outcomes.filter(({ status }) => status !== "skipped");
  return ran.map(({ key }) => formatTestKey(key));
}
