/**
 * Judges a change by test runs of three states: the base, the base with the new tests, and the base with tests and fix.
 */
import type { z } from "zod";
import { countOf, wordFor } from "../base/count.ts";
import type { GradedRun } from "../bench/graders/contract.ts";
import { ranAnything, repaired } from "../bench/graders/statuses.ts";
import type { TestLists } from "../bench/task.ts";
import {
  formatTestKey,
  isFailing,
  isUnbuilt,
  type TestOutcome,
  type TestStatus,
} from "../domain/test-outcome.ts";
import { drop, type failureKindSchema, keep, type Outcome } from "./contract.ts";

type FailureKind = z.infer<typeof failureKindSchema>;

/**
 * The test runs of a change in three states: the base, the base with the new tests, and the base with tests and fix.
 * Each state has one run per repeat.
 */
export interface StateRuns {
  readonly base: readonly GradedRun[];
  readonly tests: readonly GradedRun[];
  readonly gold: readonly GradedRun[];
}

export interface JudgedStates {
  readonly lists: TestLists;
  /** The kind of failure of each fail-to-pass test. */
  readonly failures: Readonly<Record<string, FailureKind>>;
  readonly notes: readonly string[];
}

/**
 * A test's result in one state. `absent`: the run did not report or reach the test. Neither `absent` nor `skipped`
 * counts as a pass or a failure.
 */
export type TestState = "passes" | "fails" | "skipped" | "absent";

export function stateOf(status: TestStatus | undefined): TestState {
  if (status === undefined || status === "not-run") return "absent";
  if (repaired.has(status)) return "passes";
  return isFailing(status) ? "fails" : "skipped";
}

type States = ReadonlyMap<string, TestState>;

/**
 * Judges a change by the test runs of its states. `isUnstable`: true for a test whose name contains a line number of
 * the code. Another fix may change this name.
 */
export function judgeStates(
  runs: StateRuns,
  isUnstable: (test: TestOutcome) => boolean,
): Outcome<JudgedStates> {
  const broken = findBroken(runs);
  if (broken !== undefined) return broken;
  const [base, tests, gold] = [runs.base, runs.tests, runs.gold].map((each) => each.map(readStates));
  if (base === undefined || tests === undefined || gold === undefined)
    throw new Error("one of the three states has no result");
  const outcomes = new Map(
    [...runs.tests, ...runs.gold].flatMap(({ outcomes: each }) =>
      each.filter(({ key }) => key.name !== "").map((outcome) => [formatTestKey(outcome.key), outcome]),
    ),
  );
  const lists: TestLists = { failToPass: [], passToPass: [], flaky: [] };
  const failures: Record<string, FailureKind> = {};
  const [regressed, own, unstable]: [string[], string[], string[]] = [[], [], []];
  for (const [id, outcome] of [...outcomes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [was, then, now] = [base, tests, gold].map((states) => agree(states, id));
    if (was === "differs" || then === "differs" || now === "differs") lists.flaky.push(id);
    else if (now !== "passes") {
      if (was === "passes" && (then === "passes" || now === "fails")) regressed.push(id);
    } else if (isUnstable(outcome)) unstable.push(id);
    else if (then === "passes") lists.passToPass.push(id);
    else {
      const failure = explainFailure(runs.tests, outcome);
      if (failure === undefined) own.push(id);
      else {
        lists.failToPass.push(id);
        failures[id] = failure;
      }
    }
  }
  const [first] = regressed;
  if (first !== undefined)
    return drop("regression", `the fix breaks ${countOf(regressed.length, "test")} that passed: ${first}`);
  if (lists.failToPass.length === 0)
    return findWrongEnvironment(runs) ?? drop(...explainNone(lists, own, unstable));
  return keep({ lists, failures, notes: describeLeftOut(own, unstable) });
}

const baseless = new Set(["no-fail-to-pass", "wrong-environment"]);

/**
 * Judges a change before the tests ran on the base. Returns the verdict if runs on the base cannot change it; else
 * undefined.
 */
export function judgeWithoutBase(
  { tests, gold }: { readonly tests: GradedRun; readonly gold: GradedRun },
  isUnstable: (test: TestOutcome) => boolean,
): Exclude<Outcome<never>, { readonly verdict: "kept" }> | undefined {
  const judged = judgeStates({ base: [tests], tests: [tests], gold: [gold] }, isUnstable);
  return judged.verdict !== "kept" && baseless.has(judged.cause) ? judged : undefined;
}

/** Drops a change whose runs with the fix give no trustworthy result, or whose base runs no test. With the tests but without the fix, a failed build is a result. */
function findBroken({ base, gold }: StateRuns): Outcome<never> | undefined {
  for (const run of gold) {
    if (run.end !== "exited") return drop("never-ends", `Millwright ended the run with the fix: ${run.end}`);
    if (!ranAnything(run)) return drop("never-built", `no test runs with the fix${explain(run)}`);
    if (run.invalid !== undefined)
      return drop("unparsed", `the results with the fix are unreliable: ${run.invalid}`);
  }
  if (!base.some(ranAnything)) return drop("never-built", `no test runs on the base${explain(base[0])}`);
  return undefined;
}

/**
 * Drops a change if most tests fail even with the fix. Such a change is rare, but a toolchain is often newer than the
 * commit.
 */
function findWrongEnvironment({ gold: [run] }: StateRuns): Outcome<never> | undefined {
  const tests = run?.outcomes.filter(({ key }) => key.name !== "") ?? [];
  const failing = tests.filter(({ status }) => isFailing(status)).length;
  if (failing * 2 <= tests.length) return undefined;
  const told = `${failing} of ${countOf(tests.length, "test")} ${wordFor(failing, "fails", "fail")} even with the fix${explain(run)}`;
  return drop("wrong-environment", told);
}

function explain(run: GradedRun | undefined): string {
  const failure = run?.outcomes.find((outcome) => outcome.failure !== undefined)?.failure;
  if (failure !== undefined) return `: ${failure.type}: ${failure.message.slice(0, 300)}`;
  return run?.invalid === undefined ? "" : `: ${run.invalid.slice(0, 300)}`;
}

function readStates({ outcomes }: GradedRun): States {
  const tests = outcomes.filter(({ key }) => key.name !== "");
  return new Map(tests.map(({ key, status }) => [formatTestKey(key), stateOf(status)]));
}

/**
 * Returns the test's state if all runs agree, otherwise `differs`. A run that does not report the test counts as
 * `absent`.
 */
function agree(runs: readonly States[], id: string): TestState | "differs" {
  const found = new Set(runs.map((states) => states.get(id) ?? "absent"));
  const [only] = found;
  return found.size === 1 && only !== undefined ? only : "differs";
}

/**
 * Returns the kind of a test's failure. Undefined for a test that exists only with the fix, although its file loads
 * without the fix.
 */
function explainFailure(runs: readonly GradedRun[], { key }: TestOutcome): FailureKind | undefined {
  const id = formatTestKey(key);
  for (const { outcomes } of runs) {
    const own = outcomes.find((outcome) => formatTestKey(outcome.key) === id);
    if (own !== undefined && isFailing(own.status)) {
      if (isUnbuilt(own)) return "does-not-build";
      return own.status === "failed" && isAssertion(own) ? "asserts" : "errors";
    }
  }
  const isBuilt = runs.some(({ outcomes }) => isTargetBuilt(outcomes, key));
  return isBuilt ? undefined : "does-not-build";
}

function isAssertion({ failure }: TestOutcome): boolean {
  if (failure === undefined) return true;
  return /assert|expect|fail|mismatch|difference/i.test(`${failure.type} ${failure.message} ${failure.text}`);
}

/** True if tests of the test's target ran, and neither the target nor a surrounding group failed. */
function isTargetBuilt(outcomes: readonly TestOutcome[], key: TestOutcome["key"]): boolean {
  const beside = outcomes.filter(
    (each) => each.key.target === key.target && each.key.package === key.package,
  );
  const isOver = beside.some(
    ({ key: other, status }) => isFailing(status) && (other.name === "" || key.name.startsWith(other.name)),
  );
  return !isOver && beside.some(({ key: other, status }) => other.name !== "" && status !== "not-run");
}

function explainNone(
  { flaky }: TestLists,
  own: readonly string[],
  unstable: readonly string[],
): readonly [string, string] {
  if (flaky.length > 0)
    return [
      "flaky",
      `no test fails without the fix and passes with it in every run; the results of ${flaky[0]} differ between runs`,
    ];
  const [left] = [...own, ...unstable];
  return [
    "no-fail-to-pass",
    left === undefined
      ? "no test fails without the fix and passes with it"
      : `only tests that the fix adds, or with line numbers of the code in their names, fail without the fix and pass with it: ${left}`,
  ];
}

function describeLeftOut(own: readonly string[], unstable: readonly string[]): string[] {
  return [
    ...(own.length === 0
      ? []
      : [`the lists omit ${countOf(own.length, "test")} that the fix adds: ${own[0]}`]),
    ...(unstable.length === 0
      ? []
      : [
          `the lists omit ${countOf(unstable.length, "test")} with a line number of the code in the name: ${unstable[0]}`,
        ]),
  ];
}
