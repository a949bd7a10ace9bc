/** Describes results other than passes and failures. */
import type { TestOutcome, TestStatus } from "../../domain/test-outcome.ts";

/** The statuses of tests that neither pass nor fail, with their predicates for one test and for several. */
const others: readonly (readonly [TestStatus, string, string])[] = [
  ["skipped", "is skipped", "are skipped"],
  ["expected-failure", "fails as expected", "fail as expected"],
  ["not-run", "did not run", "did not run"],
];

/** Describes tests that neither pass nor fail: `2 are skipped`. Empty if there are none. */
export function tellOthers(outcomes: readonly TestOutcome[]): string[] {
  return others.flatMap(([status, one, many]) => {
    const count = outcomes.filter((each) => each.status === status).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
}
