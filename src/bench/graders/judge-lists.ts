/** Compares one run of the tests with a task's lists. All rules that use lists share this module. */
import { countOf, wordFor } from "../../base/count.ts";
import { isFailing, type TestStatus } from "../../domain/test-outcome.ts";
import type { TestLists } from "../task.ts";
import { matchIds } from "../test-ids.ts";
import type { GradedRun, ListVerdict, Verdict } from "./contract.ts";

/** The statuses that each list accepts. */
interface Accepted {
  readonly failToPass: ReadonlySet<TestStatus>;
  readonly passToPass: ReadonlySet<TestStatus>;
  /** False if an id matches only the test with exactly this name, even if the dataset cut the id. */
  readonly cutIds?: boolean;
}

/**
 * Judges a patch as resolved under three conditions: a trusted run within its limits, at least one listed fail-to-pass
 * test, and an accepted status of each listed test. An id that matches no test fails. An id that matches several tests
 * fails if one of them fails. Ignores flaky tests in the lists.
 */
export function judgeLists(run: GradedRun, lists: TestLists, accepted: Accepted): Verdict {
  const flaky = new Set(lists.flaky);
  const failToPass = lists.failToPass.filter((id) => !flaky.has(id));
  const passToPass = lists.passToPass.filter((id) => !flaky.has(id));
  const matched = matchIds(run, [...failToPass, ...passToPass], accepted.cutIds);
  const split = (ids: readonly string[], wanted: ReadonlySet<TestStatus>): ListVerdict => {
    const isSuccess = (id: string): boolean => wanted.has(matched.statuses.get(id) ?? "not-run");
    return { success: ids.filter(isSuccess), failure: ids.filter((id) => !isSuccess(id)) };
  };
  const verdicts = {
    failToPass: split(failToPass, accepted.failToPass),
    passToPass: split(passToPass, accepted.passToPass),
  };
  const { unmatched, ambiguous } = matched;
  const objection = findObjection(run, verdicts, unmatched);
  const count = `${countOf(failToPass.length, "fail-to-pass test")} and ${countOf(passToPass.length, "pass-to-pass test")} meet the rule`;
  return {
    ...verdicts,
    outcome: objection === undefined ? "resolved" : "unresolved",
    reason: objection ?? count,
    unmatched,
    ambiguous,
  };
}

function findObjection(
  run: GradedRun,
  { failToPass, passToPass }: Pick<Verdict, "failToPass" | "passToPass">,
  unmatched: readonly string[],
): string | undefined {
  if (failToPass.success.length + failToPass.failure.length === 0) {
    return "no fail-to-pass test is left, so no test can show the repair";
  }
  if (run.end === "timed-out") return "the tests reached the time limit";
  if (run.end === "out-of-memory") return "the tests reached the memory limit";
  const failing = [
    describeFailures("fail-to-pass", ["does not pass", "do not pass"], failToPass, unmatched),
    describeFailures("pass-to-pass", ["is broken", "are broken"], passToPass, unmatched),
  ].filter((text) => text !== undefined);
  if (failing.length > 0) return [...failing, ...explainMissing(run, unmatched)].join("; ");
  return run.invalid === undefined ? undefined : `the report of the tests cannot be trusted: ${run.invalid}`;
}

/** If tests are missing, names the first file that did not load or build, and the reason. */
function explainMissing({ outcomes }: GradedRun, unmatched: readonly string[]): string[] {
  const broken = outcomes.find(({ key, status }) => key.name === "" && isFailing(status));
  if (unmatched.length === 0 || broken?.failure === undefined) return [];
  const { type, message } = broken.failure;
  return [`${broken.key.target} does not load: ${type}: ${message.split("\n")[0]}`];
}

function describeFailures(
  list: string,
  what: readonly [one: string, many: string],
  { success, failure }: ListVerdict,
  unmatched: readonly string[],
): string | undefined {
  const [first] = failure;
  if (first === undefined) return undefined;
  const missing = failure.filter((id) => unmatched.includes(id)).length;
  const total = success.length + failure.length;
  const absent =
    missing === 0 ? "" : ` (${missing} of them ${wordFor(missing, "matches", "match")} no test that ran)`;
  return `${failure.length} of ${countOf(total, `${list} test`)} ${wordFor(failure.length, ...what)}${absent}: ${first}`;
}
