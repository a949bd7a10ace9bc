/**
 * Reruns tests that a change seems to break. A single failure does not prove that the change broke a test: suites have
 * tests that depend on the clock, on ports, or on machine load. If a test passes on the base and fails with the change,
 * Millwright reruns it with the tests of its file. The test is flaky if it then passes twice, or if it also fails
 * without the change. If it only exceeds Millwright's limit without the change, it is not.
 */
import {
  formatTestKey,
  isFailing,
  passedKeys,
  type TestKey,
  type TestOutcome,
  type TestStatus,
} from "../domain/test-outcome.ts";
import { wholeCommand } from "../languages/shell/command.ts";

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

/** True for a key that names no test: a whole file (a tear-down fails, or the file does not load), or a whole command. */
export function isOutside({ name }: TestKey): boolean {
  return name === "" || name === wholeCommand;
}

/**
 * Lists the candidate's failures outside any test that the base lacks. Omits files of which no test ran on the base,
 * because nothing is known about them, or with the candidate, because their tests are then broken. An empty target
 * stands for all files.
 */
export function findOutside(
  base: readonly TestOutcome[],
  candidate: readonly TestOutcome[],
): readonly TestOutcome[] {
  const failed = candidate.filter(({ key, status }) => isOutside(key) && isFailing(status));
  if (failed.length === 0) return [];
  const known = new Set(base.map(({ key }) => formatTestKey(key)));
  return failed.filter(
    ({ key }) =>
      !known.has(formatTestKey(key)) && [base, candidate].every((outcomes) => outcomes.some(isBeside(key))),
  );
}

/** Selects the tests that ran in the file of a failure outside any test. */
function isBeside(outside: TestKey): (outcome: TestOutcome) => boolean {
  const file = fileOf(outside);
  return ({ key, status }) =>
    !isOutside(key) && status !== "not-run" && (outside.target === "" || fileOf(key) === file);
}

/**
 * Reruns broken tests, except those that timed out, together with the other tests of their files, with and without the
 * change. Counts flaky tests as passed. Also reruns failures outside any test that the base lacks (`findOutside`), and
 * counts them as passed under the same conditions. Reruns nothing if too many are broken (`mostAsked`). `base`: the
 * base's results. `flaky`: ids of tests with two results on one tree. If such a test passes once with the change, alone,
 * it is not broken; its whole file may take minutes.
 */
export async function askBroken(
  outcomes: readonly TestOutcome[],
  base: readonly TestOutcome[],
  ask: Ask,
  flaky: ReadonlySet<string> = new Set(),
): Promise<AskedBroken> {
  const before = new Set(passedKeys(base).map(formatTestKey));
  const found = [
    ...outcomes.filter(({ key, status }) => failsItself(status) && before.has(formatTestKey(key))),
    ...findOutside(base, outcomes),
  ];
  if (found.length === 0 || found.length > mostAsked) return { outcomes, unsteady: [] };
  const doubted = found.flatMap(({ key }) => (flaky.has(formatTestKey(key)) && !isOutside(key) ? [key] : []));
  const alone = doubted.length === 0 ? [] : passedKeys(await ask(doubted, "changed"));
  const cleared = new Set(alone.map(formatTestKey));
  const suspects = found.filter(({ key }) => !cleared.has(formatTestKey(key)));
  const broken = suspects.map(({ key }) => key);
  const company = findCompany(broken, base);
  const statusesOn = async (on: "changed" | "base"): Promise<(key: TestKey) => TestStatus> => {
    const beside = company.filter(({ key }) => on === "changed" || before.has(formatTestKey(key)));
    return readAnswer(
      await ask(
        company.map(({ key }) => key),
        on,
      ),
      beside,
    );
  };
  let steady: readonly TestKey[] = broken;
  for (let time = 0; time < times && steady.length > 0; time += 1) {
    const again = await statusesOn("changed");
    steady = steady.filter((key) => again(key) === "passed");
  }
  const unsteady = new Set(steady.map(formatTestKey));
  for (let time = 0; time < times && broken.some((key) => !unsteady.has(formatTestKey(key))); time += 1) {
    const without = await statusesOn("base");
    for (const { key, status } of suspects)
      if (failsItself(without(key)) || status === without(key)) unsteady.add(formatTestKey(key));
  }
  for (const id of cleared) unsteady.add(id);
  const settled = outcomes.map((outcome): TestOutcome => {
    if (!unsteady.has(formatTestKey(outcome.key))) return outcome;
    const { failure: _, ...rest } = outcome;
    return { ...rest, status: "passed" };
  });
  return { outcomes: settled, unsteady: [...unsteady] };
}

/** False for a test that exceeded Millwright's limit: on a busy machine, this says nothing about the base. */
function failsItself(status: TestStatus): boolean {
  return isFailing(status) && status !== "timed-out";
}

/** Finds the tests of the broken keys' files: those that passed on the base or, beside a failure outside them, all. */
export function findCompany(
  broken: readonly TestKey[],
  base: readonly TestOutcome[],
): readonly TestOutcome[] {
  const passed = base.filter(({ status }) => status === "passed");
  const files = new Set(broken.map(fileOf));
  const beside = broken.filter(isOutside).flatMap((key) => {
    const own = passed.filter(isBeside(key));
    return own.length > 0 ? own : base.filter(isBeside(key));
  });
  return [...new Set([...passed.filter(({ key }) => files.has(fileOf(key))), ...beside])];
}

/**
 * Reads a rerun. Some frameworks report a failure outside any test at the file's tests. If such a failure has no result
 * of its own, the tests of its file (`company`) therefore decide.
 */
export function readAnswer(
  said: readonly TestOutcome[],
  company: readonly TestOutcome[],
): (key: TestKey) => TestStatus {
  const statuses = new Map(said.map(({ key, status }) => [formatTestKey(key), status]));
  const statusOf = (key: TestKey): TestStatus => statuses.get(formatTestKey(key)) ?? "not-run";
  return (key) => {
    const own = statusOf(key);
    if (own !== "not-run" || !isOutside(key)) return own;
    const beside = company.filter(isBeside(key)).map((outcome) => statusOf(outcome.key));
    if (beside.some(failsItself)) return "failed";
    return beside.length > 0 && beside.every((status) => status === "passed") ? "passed" : "not-run";
  };
}

function fileOf(key: TestKey): string {
  return formatTestKey({ ...key, name: "" });
}
