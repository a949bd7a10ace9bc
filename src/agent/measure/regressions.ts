import { formatTestKey, type TestKey, type TestOutcome, type TestStatus } from "../../domain/test-outcome.ts";
import { findOutside } from "../../workspace/ask-broken.ts";
import { pairRenumbered } from "./renumbered.ts";

/**
 * Returns ids of tests that passed on the base (or failed as the test expects), and have another result on the
 * candidate. A test that was expected to fail may also pass: the candidate may fix its fault. Adds the ids of failures
 * outside any test that the base lacks.
 */
export function findRegressions(base: readonly TestOutcome[], candidate: readonly TestOutcome[]): string[] {
  const after = indexStatuses(candidate);
  const broken = base
    .filter(({ status }) => isCompared(status))
    .filter((outcome) => !["passed", outcome.status].includes(after.get(formatTestKey(outcome.key)) ?? ""));
  return [...broken, ...findOutside(base, candidate)].map(({ key }) => formatTestKey(key));
}

/**
 * Returns the ids of the regressions, for authors and scores. Omits tests that pass under another number, because
 * minitest numbers a group's tests by their order. `known`: further tests that the base lacks. The gate counts the
 * omitted tests until they pass with the base's text.
 */
export function findBroken(
  base: readonly TestOutcome[],
  candidate: readonly TestOutcome[],
  known: readonly TestKey[] = [],
): string[] {
  const broken = findRegressions(base, candidate);
  const [wanted, after] = [new Set(broken), indexStatuses(candidate)];
  const gone = base
    .filter(({ status }) => status === "passed")
    .map(({ key }) => key)
    .filter((key) => wanted.has(formatTestKey(key)) && !after.has(formatTestKey(key)));
  if (gone.length === 0) return broken;
  const renumbered = pairRenumbered(gone, [...base.map(({ key }) => key), ...known], candidate);
  return broken.filter((id) => !renumbered.has(id));
}

/**
 * Selects a rerun's results of these tests, and its failures outside any test that the base lacks. `ids`: the tests that
 * the rerun was for.
 */
export function selectRerun(
  base: readonly TestOutcome[],
  rerun: readonly TestOutcome[],
  ids: ReadonlySet<string>,
): TestOutcome[] {
  return [...rerun.filter(({ key }) => ids.has(formatTestKey(key))), ...findOutside(base, rerun)];
}

/** Counts the tests that a candidate could break, without those in `targets`. */
export function countCompared(base: readonly TestOutcome[], targets: readonly TestKey[] = []): number {
  const own = new Set(targets.map(formatTestKey));
  return base.filter(({ key, status }) => isCompared(status) && !own.has(formatTestKey(key))).length;
}

function isCompared(status: TestStatus): boolean {
  return status === "passed" || status === "expected-failure";
}

export function indexStatuses(outcomes: readonly TestOutcome[]): Map<string, TestStatus> {
  return new Map(outcomes.map((outcome) => [formatTestKey(outcome.key), outcome.status]));
}
