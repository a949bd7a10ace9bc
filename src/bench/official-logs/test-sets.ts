/** Defines the sets of tests by result that Multi-SWE-bench's parsers collect. */

/** Names of tests by result. If a test is in two of these sets, the log does not count. */
export interface TestSets {
  readonly passed: Set<string>;
  readonly failed: Set<string>;
  readonly skipped: Set<string>;
}

/**
 * A parser that reads the tests of each result from a log. `log`: with `\n` line ends only. `number`: the pull
 * request's number. Returns undefined if the official parser would stop with an error.
 */
export type SetParser = (log: string, number: number) => TestSets | undefined;

export const openSets = (): TestSets => ({ passed: new Set(), failed: new Set(), skipped: new Set() });
