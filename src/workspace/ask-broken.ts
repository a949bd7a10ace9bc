/**
 * Reruns tests that a change seems to break. A single failure does not prove that the change broke a test: suites have
 * tests that depend on the clock, on ports, or on machine load. If a test passes on the base and fails with the change,
 * Millwright reruns it with the tests of its file. It may be flaky if it then passes twice, or if it also fails without
 * the change. If it only exceeds Millwright's limit without the change, it is not. A change of global state breaks tests
 * only in the company of other tests. Unless each file has its own process, the failure therefore counts until a
 * repetition of the whole run clears it: the test passes there with the change, or it fails there without the change.
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
 * Maximum number of broken tests for a rerun. Of more, Millwright reruns a sample of this size: either all of them fail
 * by chance, for example because of a crash or a busy machine, or the change broke them.
 */
const mostAsked = 12;
const times = 2;

export interface AskedBroken {
  readonly outcomes: readonly TestOutcome[];
  /** Ids of tests that failed but are not broken. */
  readonly unsteady: readonly string[];
  /** Ids of tests that a time limit left undecided. They did not run, and failures outside any test remain. */
  readonly open: readonly string[];
}

/** Runs tests with the change, or without it. */
export type Ask = (tests: readonly TestKey[], on: "changed" | "base") => Promise<readonly TestOutcome[]>;

/** Repeats the whole run in which the tests failed. `isCut`: true if a time limit ended it. */
export type Repeat = (on: "changed" | "base") => Promise<Repeated>;
export interface Repeated {
  readonly outcomes: readonly TestOutcome[];
  readonly isCut: boolean;
}

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

interface Reruns {
  readonly ask: Ask;
  readonly repeat: Repeat;
  /** See `TestFramework`. */
  readonly isolates?: boolean | undefined;
}

interface Known {
  readonly flaky?: ReadonlySet<string>;
  readonly late?: readonly TestOutcome[];
}

/**
 * Reruns broken tests, except those that timed out, together with the other tests of their files, with and without the
 * change. If they may be flaky, repeats the whole run, and counts those that it clears as passed; a few tests of an
 * isolating framework need no repetition. Handles failures outside any test that the base lacks (`findOutside`) in the
 * same way. `base`: the base's results. `flaky`: ids of tests with two results on one tree. If such a test passes once
 * with the change, alone, it may be flaky; its whole file may take minutes. `late`: the first results of tests that
 * exceeded Millwright's limit and then passed alone.
 */
export async function askBroken(
  outcomes: readonly TestOutcome[],
  base: readonly TestOutcome[],
  { ask, repeat, isolates = false }: Reruns,
  { flaky = new Set(), late: exceeded = [] }: Known = {},
): Promise<AskedBroken> {
  const before = new Set(passedKeys(base).map(formatTestKey));
  const found = [
    ...outcomes.filter(({ key, status }) => failsItself(status) && before.has(formatTestKey(key))),
    ...findOutside(base, outcomes),
  ];
  const step = Math.ceil(found.length / mostAsked);
  const sample = found.filter((_, at) => at % step === 0);
  const isSample = sample.length < found.length;
  const apart = sample.length === 0 ? [] : await clearApart(sample, base, { ask, isSample }, flaky);
  const isAll = apart.length === sample.length;
  const late = isolates ? [] : exceeded.filter(({ key }) => before.has(formatTestKey(key)));
  const doubted = [...(isSample ? (isAll ? found : []) : apart), ...late];
  if (doubted.length === 0) return { outcomes, unsteady: [], open: [] };
  const { cleared, open } =
    isolates && !isSample
      ? { cleared: idsOf(doubted), open: new Set<string>() }
      : await clearTogether(doubted, base, repeat);
  const first = new Map(late.map((outcome) => [formatTestKey(outcome.key), outcome]));
  const settled = outcomes.map((outcome): TestOutcome => {
    const id = formatTestKey(outcome.key);
    const isOpen = open.has(id) && !isOutside(outcome.key);
    if (!cleared.has(id) && !isOpen) return first.get(id) ?? outcome;
    const { failure: _, ...rest } = outcome;
    return { ...rest, status: isOpen ? "not-run" : "passed" };
  });
  return { outcomes: settled, unsteady: [...cleared].filter((id) => !first.has(id)), open: [...open] };
}

/** Selects the broken tests that may be flaky: other results with their files, or the same ones without the change. */
async function clearApart(
  found: readonly TestOutcome[],
  base: readonly TestOutcome[],
  { ask, isSample }: { readonly ask: Ask; readonly isSample: boolean },
  flaky: ReadonlySet<string>,
): Promise<readonly TestOutcome[]> {
  const before = new Set(passedKeys(base).map(formatTestKey));
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
  for (const key of steady) cleared.add(formatTestKey(key));
  const isLeft = (): boolean => broken.some((key) => !cleared.has(formatTestKey(key)));
  for (let time = 0; time < times && !isSample && isLeft(); time += 1) {
    const without = await statusesOn("base");
    for (const { key, status } of suspects)
      if (failsItself(without(key)) || status === without(key)) cleared.add(formatTestKey(key));
  }
  return found.filter(({ key }) => cleared.has(formatTestKey(key)));
}

function idsOf(outcomes: readonly TestOutcome[]): ReadonlySet<string> {
  return new Set(outcomes.map(({ key }) => formatTestKey(key)));
}

/** Clears tests that pass in a repetition of the whole run, or else have the same result there without the change. */
async function clearTogether(
  doubted: readonly TestOutcome[],
  base: readonly TestOutcome[],
  repeat: Repeat,
): Promise<{ readonly cleared: ReadonlySet<string>; readonly open: ReadonlySet<string> }> {
  const company = findCompany(
    doubted.map(({ key }) => key),
    base,
  );
  const again = await repeat("changed");
  const statusOf = readAnswer(again.outcomes, company);
  const failing = doubted.filter(({ key }) => statusOf(key) !== "passed");
  const cleared = idsOf(doubted.filter((outcome) => !failing.includes(outcome)));
  if (again.isCut) return { cleared, open: idsOf(failing.filter(({ key }) => !failsItself(statusOf(key)))) };
  if (failing.length === 0) return { cleared, open: new Set() };
  const passed = company.filter(({ status }) => status === "passed");
  const without = readAnswer((await repeat("base")).outcomes, passed);
  const same = failing.filter(({ key, status }) => failsItself(without(key)) || status === without(key));
  return { cleared: new Set([...cleared, ...idsOf(same)]), open: new Set() };
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
