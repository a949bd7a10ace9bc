/** Grading is a function: what the tests said, and the lists, give a verdict with its reasons. */
import { isFailing, type TestOutcome, type TestStatus } from "../domain/test-outcome.ts";
import type { CommandEnd } from "../sandbox/contract.ts";
import type { TestLists } from "./task.ts";
import { matchIds } from "./test-ids.ts";

/** What one run of a task's tests said. */
export interface GradedRun {
  readonly framework: string;
  readonly outcomes: readonly TestOutcome[];
  /** Why its report cannot be trusted, see TestReport. */
  readonly invalid: string | undefined;
  readonly end: CommandEnd;
}

export type GradeOutcome = "resolved" | "unresolved" | "agent-error" | "infrastructure-error";

export interface ListVerdict {
  readonly success: readonly string[];
  readonly failure: readonly string[];
}

export interface Verdict {
  readonly outcome: GradeOutcome;
  /** One sentence: what decided. */
  readonly reason: string;
  readonly failToPass: ListVerdict;
  readonly passToPass: ListVerdict;
  /** Ids that name no test of the run; they count as failures. */
  readonly unmatched: readonly string[];
  /** Ids that name several tests. */
  readonly ambiguous: readonly string[];
}

const noTests: ListVerdict = { success: [], failure: [] };

/** A verdict that no run of tests led to. */
export function verdictWithoutRun(outcome: GradeOutcome, reason: string): Verdict {
  return { outcome, reason, failToPass: noTests, passToPass: noTests, unmatched: [], ambiguous: [] };
}

/** A test that is not there, was skipped or was never come to does not show that the fault is gone. */
export const repaired: ReadonlySet<TestStatus> = new Set(["passed", "expected-failure"]);
/** A test may be skipped with the patch as it may be without it: nothing that worked is broken. */
const unharmed: ReadonlySet<TestStatus> = new Set(["passed", "expected-failure", "skipped"]);

/**
 * Resolved: the run can be trusted, each fail-to-pass test passes, and no pass-to-pass test fails or is missing. An id that
 * names no test fails, and so does one of whose tests any fails. Flaky tests of the lists are left out.
 */
export function gradeRun(run: GradedRun, lists: TestLists): Verdict {
  const flaky = new Set(lists.flaky);
  const failToPass = lists.failToPass.filter((id) => !flaky.has(id));
  const passToPass = lists.passToPass.filter((id) => !flaky.has(id));
  const matched = matchIds(run.framework, [...failToPass, ...passToPass], run.outcomes);
  const split = (ids: readonly string[], wanted: ReadonlySet<TestStatus>): ListVerdict => {
    const isSuccess = (id: string): boolean => wanted.has(matched.statuses.get(id) ?? "not-run");
    return { success: ids.filter(isSuccess), failure: ids.filter((id) => !isSuccess(id)) };
  };
  const verdicts = { failToPass: split(failToPass, repaired), passToPass: split(passToPass, unharmed) };
  const { unmatched, ambiguous } = matched;
  const objection = findObjection(run, verdicts, unmatched);
  const count = `${failToPass.length} fail-to-pass and ${passToPass.length} pass-to-pass tests are as they should be`;
  return {
    ...verdicts,
    outcome: objection === undefined ? "resolved" : "unresolved",
    reason: objection ?? count,
    unmatched,
    ambiguous,
  };
}

function findObjection(
  run: GradedRun,
  { failToPass, passToPass }: Pick<Verdict, "failToPass" | "passToPass">,
  unmatched: readonly string[],
): string | undefined {
  if (failToPass.success.length + failToPass.failure.length === 0) {
    return "no fail-to-pass test is left, so nothing could show that the fault is gone";
  }
  if (run.end === "timed-out") return "the tests ran into the time limit";
  if (run.end === "out-of-memory") return "the tests ran into the memory limit";
  const failing = [
    describe("fail-to-pass", "do not pass", failToPass, unmatched),
    describe("pass-to-pass", "are broken", passToPass, unmatched),
  ].filter((text) => text !== undefined);
  if (failing.length > 0) return [...failing, ...explainMissing(run, unmatched)].join("; ");
  return run.invalid === undefined ? undefined : `the report of the tests cannot be trusted: ${run.invalid}`;
}

/** Where tests are missing: the first file that could not be loaded or built, and why. */
function explainMissing({ outcomes }: GradedRun, unmatched: readonly string[]): string[] {
  const broken = outcomes.find(({ key, status }) => key.name === "" && isFailing(status));
  if (unmatched.length === 0 || broken?.failure === undefined) return [];
  const { type, message } = broken.failure;
  return [`${broken.key.target} does not load: ${type}: ${message.split("\n")[0]}`];
}

function describe(
  list: string,
  what: string,
  { success, failure }: ListVerdict,
  unmatched: readonly string[],
): string | undefined {
  const [first] = failure;
  if (first === undefined) return undefined;
  const missing = failure.filter((id) => unmatched.includes(id)).length;
  const total = success.length + failure.length;
  const absent = missing === 0 ? "" : ` (${missing} of them match no test that ran)`;
  return `${failure.length} of ${total} ${list} tests ${what}${absent}: ${first}`;
}

/** Counts by status, for people. */
export function countStatuses(outcomes: readonly TestOutcome[]): Partial<Record<TestStatus, number>> {
  const counts: Partial<Record<TestStatus, number>> = {};
  for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** True when something ran: a run without it says nothing about a patch. */
export function ranAnything(run: GradedRun): boolean {
  return run.outcomes.some(
    ({ key, status }) => key.name !== "" && (repaired.has(status) || isFailing(status)),
  );
}
