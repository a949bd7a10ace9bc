import { nameFirst, wordFor } from "../../base/count.ts";
import { formatTestKey, isFailing, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import { tellOthers } from "../state/other-results.ts";
import type { Suite } from "../suite.ts";

/**
 * Returns the base's results that a model sees. A flaky test counts as passed, because it may fail by chance on a slow
 * machine.
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
  return [
    `${passed} of ${outcomes.length} ${wordFor(passed, "passes", "pass")} on the base`,
    ...tellOthers(outcomes),
    ...failed,
  ].join(", ");
}
