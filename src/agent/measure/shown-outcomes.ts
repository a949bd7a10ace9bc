import { nameFirst } from "../../base/count.ts";
import {
  formatTestKey,
  isFailing,
  type TestKey,
  type TestOutcome,
  type TestStatus,
} from "../../domain/test-outcome.ts";
import type { Suite } from "../suite.ts";

/**
 * The base's results that a model sees. A test that failed only in the first run counts as passed. On a slow machine,
 * it may fail once by chance.
 */
export function shownOutcomes({
  outcomes,
  unsteady = [],
}: Pick<Suite, "outcomes" | "unsteady">): readonly TestOutcome[] {
  const passed = new Set(unsteady);
  return outcomes.map((each) => {
    if (!passed.has(formatTestKey(each.key))) return each;
    const { failure: _, ...rest } = each;
    return { ...rest, status: "passed" };
  });
}

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

/** Maximum number of failing tests to name. */
const mostNamed = 3;

/**
 * Counts every test, and names some of those that fail: `2 of 4 pass on the base, 1 is skipped, 1 fails (a.py::x)`.
 * `known`: tests that the reader already knows by name.
 */
export function tellResults(outcomes: readonly TestOutcome[], known: readonly TestKey[] = []): string {
  const passed = outcomes.filter(({ status }) => status === "passed").length;
  const failing = outcomes.filter(({ status }) => isFailing(status)).map(({ key }) => formatTestKey(key));
  const familiar = new Set(known.map(formatTestKey));
  const unknown = failing.filter((id) => !familiar.has(id));
  const named = unknown.length === 0 ? "" : ` (${nameFirst(unknown, mostNamed)})`;
  const verb = failing.length === 1 ? "fails" : "fail";
  const failed = failing.length === 0 ? [] : [`${failing.length} ${verb}${named}`];
  return [`${passed} of ${outcomes.length} pass on the base`, ...tellOthers(outcomes), ...failed].join(", ");
}
