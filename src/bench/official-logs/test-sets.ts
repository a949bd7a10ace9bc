/** Tests by result, as Multi-SWE-bench's parsers collect them. */

/** Tests by result. A test in two of these sets voids the log. */
export interface TestSets {
  readonly passed: Set<string>;
  readonly failed: Set<string>;
  readonly skipped: Set<string>;
}

/**
 * Reads the tests by result from a log. `log` has `\n` line ends only. `number`: the number of the pull request.
 * Undefined if the official parser would stop with an error.
 */
export type SetParser = (log: string, number: number) => TestSets | undefined;

export const openSets = (): TestSets => ({ passed: new Set(), failed: new Set(), skipped: new Set() });
