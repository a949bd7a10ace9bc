/** Checks the tests by execution: whether they pass with wrong variants of the fix, or fail with correct ones. */

import { layPatch } from "../../bench/graded-tree.ts";
import { openTask, withCheckout } from "../../bench/open-task.ts";
import type { TestPlan } from "../../bench/task-tests.ts";
import type { Finding } from "../contract.ts";
import { taskOf } from "../validate.ts";
import { judgeCheats } from "./judge-cheats.ts";
import { judgeEnvironment } from "./leaked-environment.ts";
import type { AskedTests } from "./place.ts";
import { judgeLists, judgeSteadiness } from "./steady-tests.ts";
import { judgeStrictness } from "./strict-tests.ts";
import { judgeWeakness } from "./weak-tests.ts";

/**
 * Judges a task by running its tests. Throws MillwrightError for an infrastructure error, and AbortError if the signal
 * stops it.
 */
export async function askTests(asked: AskedTests): Promise<Finding[]> {
  const { split, validation, options } = asked;
  const open = await openTask(taskOf(asked, validation), options);
  try {
    const laid = await layPatch(open.workspace.trees, open.trees, split.goldPatch);
    if (!laid.ok)
      throw new Error(`the fix no longer applies, although it applied in the validation: ${laid.message}`);
    const gold = laid.value.tree;
    const whole = await withCheckout(open, (checkout) => open.plan(checkout, gold));
    const { runFiles } = validation;
    const plan: TestPlan =
      runFiles.length === 0 ? whole : { ...whole, selection: { kind: "files", files: runFiles } };
    const environment = await judgeEnvironment(open, split, asked.change);
    if (environment.isBad) return [environment];
    const run = await withCheckout(open, (checkout) => open.run(checkout, gold, plan));
    const place = { asked, open, plan, gold, run };
    const found = [environment];
    for (const judge of [judgeLists, judgeCheats, judgeSteadiness, judgeWeakness]) {
      found.push(await judge(place));
      if (found.at(-1)?.isBad === true) return found;
    }
    return [...found, ...(await judgeStrictness(place))];
  } finally {
    await open.close();
  }
}
