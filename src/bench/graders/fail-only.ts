/** SWE-bench's rule `fail_only`, for suites whose output only names failing tests. */
import type { TestStatus } from "../../domain/test-outcome.ts";
import { sweBenchLadders } from "../official-ladder.ts";
import { defineGrader } from "./contract.ts";
import { judgeLists } from "./judge-lists.ts";

/** A test that one of our limits ended counts as failed, whatever the official parsers would see. */
const notFailed: ReadonlySet<TestStatus> = new Set([
  "passed",
  "expected-failure",
  "skipped",
  "errored",
  "not-run",
]);

export default defineGrader({
  name: "fail-only",
  ladders: sweBenchLadders,
  description:
    "no listed test fails; a test with an error, or a missing test, counts as passed if any test ran",
  judge(run, lists) {
    const verdict = judgeLists(run, lists, { failToPass: notFailed, passToPass: notFailed, cutIds: false });
    const isEmpty = run.ran !== true && !run.outcomes.some(({ key }) => key.name !== "");
    if (verdict.outcome !== "resolved" || !isEmpty) return verdict;
    return {
      ...verdict,
      outcome: "unresolved",
      reason: "no test ran, so missing tests do not count as passed",
    };
  },
});
