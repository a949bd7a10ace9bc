import { formatTestKey, type TestOutcome, type TestStatus } from "../../domain/test-outcome.ts";

/**
 * Ids of tests that passed (or failed as the test itself expects) on the base, and have another status on the
 * candidate, or none.
 */
export function findRegressions(base: readonly TestOutcome[], candidate: readonly TestOutcome[]): string[] {
  const after = indexStatuses(candidate);
  return base
    .filter((outcome) => outcome.status === "passed" || outcome.status === "expected-failure")
    .filter((outcome) => after.get(formatTestKey(outcome.key)) !== outcome.status)
    .map((outcome) => formatTestKey(outcome.key));
}

export function indexStatuses(outcomes: readonly TestOutcome[]): Map<string, TestStatus> {
  return new Map(outcomes.map((outcome) => [formatTestKey(outcome.key), outcome.status]));
}
