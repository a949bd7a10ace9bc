/**
 * Reruns tests that a change seems to break. A single failure does not prove that the change broke a test: suites have
 * tests that depend on the clock, on ports, or on machine load. If a test passes on the base and fails with the change,
 * Millwright reruns it with the tests of its file. The test is flaky if it then passes twice, or if it also fails
 * without the change.
 */
import {
  formatTestKey,
  isFailing,
  passedKeys,
  type TestKey,
  type TestOutcome,
  type TestStatus,
} from "../domain/test-outcome.ts";

/**
 * Maximum number of broken tests for a rerun. A change that breaks more has really broken them. Several tests break
 * together by chance: one crash ends all running tests, and on a busy machine, all tests of a time limit fail.
 */
const mostAsked = 12;
const times = 2;

export interface AskedBroken {
  readonly outcomes: readonly TestOutcome[];
  /** Ids of tests that failed but are not broken. */
  readonly unsteady: readonly string[];
}

/** Runs tests with the change, or without it. */
export type Ask = (tests: readonly TestKey[], on: "changed" | "base") => Promise<readonly TestOutcome[]>;

/**
 * Reruns broken tests, except those that timed out, together with the other tests of their files, with and without the
 * change. Counts flaky tests as passed. Reruns nothing if too many tests are broken (`mostAsked`). `passed`: the tests
 * that passed on the base. `flaky`: ids of tests with two results on one tree. If such a test passes once with the
 * change, alone, it is not broken; its whole file may take minutes.
 */
export async function askBroken(
  outcomes: readonly TestOutcome[],
  passed: readonly TestKey[],
  ask: Ask,
  flaky: ReadonlySet<string> = new Set(),
): Promise<AskedBroken> {
  const before = new Set(passed.map(formatTestKey));
  const found = outcomes.filter(
    ({ key, status }) => isFailing(status) && status !== "timed-out" && before.has(formatTestKey(key)),
  );
  if (found.length === 0 || found.length > mostAsked) return { outcomes, unsteady: [] };
  const doubted = found.flatMap(({ key }) => (flaky.has(formatTestKey(key)) ? [key] : []));
  const alone = doubted.length === 0 ? [] : passedKeys(await ask(doubted, "changed"));
  const cleared = new Set(alone.map(formatTestKey));
  const broken = found.filter(({ key }) => !cleared.has(formatTestKey(key)));
  const files = new Set(broken.map(({ key }) => fileOf(key)));
  const company = passed.filter((key) => files.has(fileOf(key)));
  const all = broken.map(({ key }) => formatTestKey(key));
  const statusOn = async (on: "changed" | "base"): Promise<ReadonlyMap<string, TestStatus>> =>
    new Map((await ask(company, on)).map(({ key, status }) => [formatTestKey(key), status]));
  let steady = all;
  for (let time = 0; time < times && steady.length > 0; time += 1) {
    const again = await statusOn("changed");
    steady = steady.filter((id) => again.get(id) === "passed");
  }
  const unsteady = new Set(steady);
  for (let time = 0; time < times && all.some((id) => !unsteady.has(id)); time += 1) {
    const without = await statusOn("base");
    for (const id of all) if (isFailing(without.get(id) ?? "passed")) unsteady.add(id);
  }
  for (const id of cleared) unsteady.add(id);
  const settled = outcomes.map((outcome): TestOutcome => {
    if (!unsteady.has(formatTestKey(outcome.key))) return outcome;
    const { failure: _, ...rest } = outcome;
    return { ...rest, status: "passed" };
  });
  return { outcomes: settled, unsteady: [...unsteady] };
}

function fileOf(key: TestKey): string {
  return formatTestKey({ ...key, name: "" });
}
