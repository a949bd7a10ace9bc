import { formatTestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import type { Suite } from "../suite.ts";

/**
 * The base's results that a model sees. A test that failed once and passed in the second run counts as passed: on a
 * slow machine, other tests fail once.
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
