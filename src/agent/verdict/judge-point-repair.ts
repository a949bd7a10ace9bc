/** Judges whether a patch repairs single inputs only: those of its tests. Pure. */
import type { Predicate } from "../../domain/gate.ts";

/** A deciding test with another literal, run without and with the patch. */
export interface VariedRun {
  /** The result that the test tells; see `describeOutcome`. */
  readonly without: string;
  readonly patched: string;
}

/** A literal of a deciding test, and the runs with other literals at its place. */
export interface VariedLiteral {
  readonly test: string;
  readonly text: string;
  readonly runs: readonly VariedRun[];
}

/** Fewer results say little: a test may tell only true or false. */
const leastResults = 3;

/**
 * The literal that the patch treats differently from all others: it gives the base's result for each of them. An error
 * is no result, because the other literal may not be valid.
 */
export function findPoint(literals: readonly VariedLiteral[]): VariedLiteral | undefined {
  return literals.find(({ runs }) => {
    const results = new Set(runs.flatMap(({ without }) => (without.startsWith("v") ? [without] : [])));
    return runs.every(({ without, patched }) => without === patched) && results.size >= leastResults;
  });
}

export function withPoint(given: Predicate, point: VariedLiteral | undefined): Predicate {
  if (!given.holds || point === undefined) return given;
  const { test, text, runs } = point;
  return {
    ...given,
    holds: false,
    evidence: `The patch only changes the result for ${text} in ${test}: with each of ${runs.length} other values, the code gives the same results as without the patch (a special case; if it is intended, the statement must say so).`,
  };
}
