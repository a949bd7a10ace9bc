/** Chooses the passing tests that a change most likely breaks: those that run the changed statement. Pure. */
import {
  type CoveredLines,
  formatTestKey,
  type TestKey,
  type TestOutcome,
} from "../../domain/test-outcome.ts";

export interface ChangedPlace {
  readonly file: string;
  /** The line of the changed statement. */
  readonly statementLine: number;
}

/** Maximum number of tests for each changed statement, and in total. */
const perPlace = 4;
const most = 40;
/** Maximum total duration of the chosen tests on the base, in milliseconds. */
const budgetMs = 2000;

/**
 * Chooses passing tests that run the changed statements. Limits their number and their total time. Prefers tests that
 * run the least other code. Returns an empty list without coverage.
 */
export function chooseGuards(
  outcomes: readonly TestOutcome[],
  coverage: ReadonlyMap<string, CoveredLines>,
  changed: readonly ChangedPlace[],
): TestKey[] {
  const passing = outcomes
    .filter(({ status }) => status === "passed")
    .map(({ key, durationMs }) => ({ key, durationMs, lines: coverage.get(formatTestKey(key)) ?? {} }))
    .map((test) => ({ ...test, size: sizeOf(test.lines) }))
    .sort((a, b) => a.size - b.size || a.durationMs - b.durationMs);
  const chosen = new Set<TestKey>();
  let left = budgetMs;
  for (const { file, statementLine } of distinct(changed)) {
    let count = 0;
    for (const { key, lines, durationMs } of passing) {
      if (count === perPlace || chosen.size === most) break;
      if (!lines[file]?.includes(statementLine)) continue;
      count += 1;
      if (chosen.has(key) || durationMs > left) continue;
      left -= durationMs;
      chosen.add(key);
    }
  }
  return [...chosen];
}

function sizeOf(lines: CoveredLines): number {
  return Object.values(lines).reduce((sum, numbers) => sum + numbers.length, 0);
}

function distinct(changed: readonly ChangedPlace[]): ChangedPlace[] {
  return [...new Map(changed.map((place) => [`${place.file}:${place.statementLine}`, place])).values()];
}
