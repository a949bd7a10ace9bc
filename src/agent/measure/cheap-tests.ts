/** Chooses tests that may run once more: as many as are cheap. Pure. */
import type { TestKey, TestOutcome } from "../../domain/test-outcome.ts";

/** Limits: milliseconds on the base, and number of tests. */
const most = { ms: 20_000, tests: 200 };

/** Takes tests from the start of the list, up to these limits. */
export function takeCheap(outcomes: readonly TestOutcome[]): TestKey[] {
  let left = most.ms;
  const taken = outcomes.filter(({ durationMs }) => {
    left -= durationMs;
    return left >= 0;
  });
  return taken.slice(0, most.tests).map(({ key }) => key);
}
