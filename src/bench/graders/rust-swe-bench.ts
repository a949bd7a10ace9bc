/**
 * Rust-SWE-bench's rule (`harness/grading.py`, `log_parsers.py`), and Millwright's. The official rule identifies a test
 * by the bare name that cargo prints. If two binaries have tests of the same name, the last result counts. An ignored
 * test counts neither as passed nor as failed. Millwright's rule identifies a test by package, target and name.
 */
import { countOf, eachOf, wordFor } from "../../base/count.ts";
import { isFailing, type TestStatus } from "../../domain/test-outcome.ts";
import { matchIds } from "../test-ids.ts";
import { defineGrader, type GradedRun, type ListVerdict } from "./contract.ts";
import { judgeLists } from "./judge-lists.ts";

const passed: ReadonlySet<TestStatus> = new Set(["passed"]);

/**
 * Returns each id's status by bare test names. An id in the form of our own keys means exactly one test, as in our own
 * rule.
 */
function readBare(run: GradedRun, ids: readonly string[]): ReadonlyMap<string, TestStatus> {
  const last = new Map(run.outcomes.map(({ key, status }) => [key.name, status]));
  const { statuses } = matchIds(run, ids, false);
  return new Map(
    ids.flatMap((id) => {
      const status = last.get(id) ?? statuses.get(id);
      return status === undefined ? [] : [[id, status] as const];
    }),
  );
}

export default defineGrader({
  name: "rust-swe-bench",
  description:
    "no listed test fails, by the bare name that cargo prints; a missing test counts as failed, for example if its target does not compile",
  own: "by package, target and name; an ignored test does not count as passed",
  judge(run, lists) {
    const flaky = new Set(lists.flaky);
    const ids = [...lists.failToPass, ...lists.passToPass].filter((id) => !flaky.has(id));
    const statuses = readBare(run, ids);
    const split = (list: readonly string[]): ListVerdict => {
      const own = list.filter((id) => !flaky.has(id));
      const fails = (id: string): boolean => {
        const status = statuses.get(id);
        return status === undefined || status === "not-run" || isFailing(status);
      };
      return { success: own.filter((id) => statuses.get(id) === "passed"), failure: own.filter(fails) };
    };
    const [failToPass, passToPass] = [split(lists.failToPass), split(lists.passToPass)];
    const [first] = [...failToPass.failure, ...passToPass.failure];
    const count = failToPass.failure.length + passToPass.failure.length;
    const objection =
      run.end === "timed-out"
        ? "the tests reached the time limit"
        : first === undefined
          ? undefined
          : `${count} of ${countOf(ids.length, "listed test")} ${wordFor(count, "does", "do")} not pass: ${first}`;
    return {
      ...{ failToPass, passToPass, ambiguous: [] },
      outcome: objection === undefined ? "resolved" : "unresolved",
      reason: objection ?? `${eachOf(ids.length, "listed test")} passes or is ignored`,
      unmatched: ids.filter((id) => !statuses.has(id)),
    };
  },
  judgeOwn: (run, lists) => judgeLists(run, lists, { failToPass: passed, passToPass: passed, cutIds: false }),
});
