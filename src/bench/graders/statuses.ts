/** Interprets test statuses for grading. */
import { isFailing, type TestOutcome, type TestStatus } from "../../domain/test-outcome.ts";
import type { GradedRun } from "./contract.ts";

/**
 * The statuses of a test that show a repaired fault. A missing, skipped or unexecuted test does not show that the fault
 * is gone.
 */
export const repaired: ReadonlySet<TestStatus> = new Set(["passed", "expected-failure"]);

/** Counts the tests of each status, for display. */
export function countStatuses(outcomes: readonly TestOutcome[]): Partial<Record<TestStatus, number>> {
  const counts: Partial<Record<TestStatus, number>> = {};
  for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** True if any test ran. Otherwise the run is not evidence for or against a patch. */
export function ranAnything(run: GradedRun): boolean {
  return run.outcomes.some(
    ({ key, status }) => key.name !== "" && (repaired.has(status) || isFailing(status)),
  );
}
