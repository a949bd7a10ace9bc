/** Defines an opened task for checks that run its tests, and the functions that several checks share. */

import { type GradingOptions, type OpenTask, withCheckout } from "../../bench/open-task.ts";
import type { TestPlan, TimedRun } from "../../bench/task-tests.ts";
import {
  formatTestKey,
  isUnbuilt,
  statusFinder,
  type TestKey,
  type TestOutcome,
} from "../../domain/test-outcome.ts";
import type { Change, Finding, Split, Validation } from "../contract.ts";

export interface AskedTests {
  readonly change: Change;
  readonly split: Split;
  readonly validation: Validation;
  readonly version: string;
  readonly options: GradingOptions;
}

export interface Place {
  readonly asked: AskedTests;
  readonly open: OpenTask;
  readonly plan: TestPlan;
  /** The tree of tests and fix, with its test results. */
  readonly gold: string;
  readonly run: TimedRun;
}

/**
 * Makes a finding: bad if there is a reason against the task, otherwise good. `holds`: the reason of a good finding.
 */
export function decide(check: string, against: string | undefined, holds: string): Finding {
  const isBad = against !== undefined;
  return { check, score: isBad ? 0 : 1, isBad, reason: against ?? holds };
}

const mostTests = 200;

export interface ChosenTests {
  readonly failToPass: readonly TestKey[];
  readonly passToPass: readonly TestKey[];
}

/** Chooses at most `mostTests` tests in total, the fail-to-pass tests first. */
export function chooseTests({ lists }: Validation, { outcomes }: TimedRun): ChosenTests {
  const keys = new Map(outcomes.map(({ key }) => [formatTestKey(key), key]));
  const find = (ids: readonly string[], most: number): TestKey[] =>
    ids.flatMap((id) => keys.get(id) ?? []).slice(0, most);
  const failToPass = find(lists.failToPass, mostTests);
  return { failToPass, passToPass: find(lists.passToPass, mostTests - failToPass.length) };
}

/**
 * Returns fail-to-pass tests that fail in both of two runs with an equivalent variant of the fix. `mustBuild`: true to
 * ignore targets in which no test ran, because a variant that does not build is not equivalent.
 */
export async function failingWith(
  { asked, open, plan, gold, run }: Place,
  tree: string,
  { mustBuild = false } = {},
): Promise<string[]> {
  if (tree === gold) return [];
  const before = statusFinder(run.outcomes);
  const keys = new Map(run.outcomes.map(({ key }) => [formatTestKey(key), key]));
  let failing = asked.validation.lists.failToPass;
  for (let runs = 0; runs < 2 && failing.length > 0; runs += 1) {
    const again = await withCheckout(open, (checkout) => open.run(checkout, tree, plan));
    const after = statusFinder(again.outcomes);
    failing = failing.filter((id) => {
      const key = keys.get(id);
      if (key === undefined || before(key) !== "passed" || after(key) === "passed") return false;
      return !mustBuild || runsTarget(again.outcomes, key);
    });
  }
  return failing;
}

/** Returns true if a test of the key's target ran; false if the target does not build or load. */
export function runsTarget(outcomes: readonly TestOutcome[], { package: owner, target }: TestKey): boolean {
  return outcomes.some(
    (outcome) =>
      outcome.key.package === owner &&
      outcome.key.target === target &&
      !["errored", "not-run", "skipped"].includes(outcome.status) &&
      !isUnbuilt(outcome),
  );
}
