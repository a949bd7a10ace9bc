/** Handles the tests that ended in a recorded run's time, and their durations there, for a replay. Pure. */

import { z } from "zod";
import { formatTestKey, type TestOutcome } from "../../domain/test-outcome.ts";

const reachedSchema = z.object({
  isCut: z.boolean(),
  /** Milliseconds by the test's id. */
  tests: z.record(z.string(), z.number()),
});
export type ReachedTests = z.infer<typeof reachedSchema>;

/** Returns the data to record. `outcomes`: the results of tests that ended in time. */
export function reachedIn(outcomes: readonly TestOutcome[], isCut: boolean): ReachedTests {
  const tests = outcomes.map(({ key, durationMs }) => [formatTestKey(key), durationMs] as const);
  return { isCut, tests: Object.fromEntries(tests) };
}

/**
 * Returns the outcomes with the recorded durations, because later choices depend on these. If a limit ended the
 * recorded run, keeps only its tests.
 */
export function onlyReached(outcomes: readonly TestOutcome[], recorded: unknown): TestOutcome[] {
  const reached = reachedSchema.safeParse(recorded).data;
  if (reached === undefined) return [...outcomes];
  return outcomes.flatMap((outcome) => {
    const durationMs = reached.tests[formatTestKey(outcome.key)];
    if (durationMs === undefined) return reached.isCut ? [] : [outcome];
    return [{ ...outcome, durationMs }];
  });
}

/** True if these outcomes contain each recorded test. */
export function containsReached(outcomes: readonly TestOutcome[], recorded: unknown): boolean {
  const ids = new Set(outcomes.map(({ key }) => formatTestKey(key)));
  const { tests = {} } = reachedSchema.safeParse(recorded).data ?? {};
  return Object.keys(tests).every((id) => ids.has(id));
}
