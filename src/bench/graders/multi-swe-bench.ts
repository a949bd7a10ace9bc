/**
 * Multi-SWE-bench's rule (`harness/report.py` and `gen_report.py`): each listed test passes, and no test that passed
 * before the fix, listed or not, fails with it.
 */
import { isFailing } from "../../domain/test-outcome.ts";
import type { HiddenPart, TestLists } from "../task.ts";
import { matchIds } from "../test-ids.ts";
import { defineGrader, type GradedRun } from "./contract.ts";
import { judgeLists } from "./judge-lists.ts";
import { repaired } from "./statuses.ts";

/**
 * Finds the first test that the patch breaks: the test passed with the test patch alone. If it could not run with the
 * test patch, its result without the test patch counts.
 */
function findBroken(run: GradedRun, lists: TestLists, hidden: HiddenPart): string | undefined {
  const { earlier = {} } = hidden;
  const flaky = new Set(lists.flaky);
  const ids = Object.keys(earlier).filter((id) => !flaky.has(id));
  const { statuses } = matchIds(run, ids, false);
  return ids.find((id) => {
    const before = earlier[id];
    const now = statuses.get(id);
    if (before === undefined || now === undefined || !isFailing(now)) return false;
    const ran = before.tests === "passed" || before.tests === "failed";
    return (ran ? before.tests : before.base) === "passed";
  });
}

export default defineGrader({
  name: "multi-swe-bench",
  description: "every listed test passes (skipped is not enough), and no other test that passed before fails",
  judge(run, lists, hidden) {
    const verdict = judgeLists(run, lists, { failToPass: repaired, passToPass: repaired, cutIds: false });
    if (verdict.outcome !== "resolved") return verdict;
    const broken = findBroken(run, lists, hidden);
    const reason =
      broken === undefined ? hidden.contradiction : `${broken} passed without the patch and fails with it`;
    return reason === undefined ? verdict : { ...verdict, outcome: "unresolved", reason };
  },
});
