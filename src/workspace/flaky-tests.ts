/** Finds flaky tests by repetition: tests that pass in one run and fail in another of the same tree. */
import {
  formatTestKey,
  isFailing,
  type TestKey,
  type TestOutcome,
  type TestStatus,
} from "../domain/test-outcome.ts";

export interface FlakyTest {
  readonly key: TestKey;
  /** The statuses in the order of the runs; "not-run" if a run did not reach the test. */
  readonly statuses: readonly TestStatus[];
}

/**
 * Lists tests that passed in at least one of the runs and failed in another. An expected failure counts as passed.
 * Ignores "skipped" and "not-run", because a run that ended early gives no evidence about later tests.
 */
export function findFlakyTests(runs: readonly (readonly TestOutcome[])[]): FlakyTest[] {
  const keys = new Map<string, TestKey>();
  const statuses = runs.map((outcomes) => {
    for (const { key } of outcomes) keys.set(formatTestKey(key), key);
    return new Map(outcomes.map((outcome) => [formatTestKey(outcome.key), outcome.status]));
  });
  return [...keys].flatMap(([id, key]) => {
    const own = statuses.map((run) => run.get(id) ?? "not-run");
    const passed = own.some((status) => status === "passed" || status === "expected-failure");
    return passed && own.some(isFailing) ? [{ key, statuses: own }] : [];
  });
}
