/**
 * Classifies a new test's result without the new code: it fails, it does not load or build, or it passes. A test that
 * does not load counts only if its failure names something new and the old tests load. Otherwise the run fails for
 * another reason, and shows nothing. Pure.
 */
import {
  findStatus,
  formatTestKey,
  isFailing,
  type TestFailure,
  type TestKey,
  type TestOutcome,
} from "../../domain/test-outcome.ts";

export interface WithoutCode {
  readonly outcomes: readonly TestOutcome[];
  readonly invalid: string | undefined;
}

export interface Known {
  /** All tests on the base. */
  readonly base: readonly TestOutcome[];
  /** Definitions that the code adds or changes, and the names of its new files. */
  readonly names: ReadonlySet<string>;
}

/**
 * A new test's result on the base. `unknown`: the test did not run, perhaps for a reason other than the missing code,
 * or exceeded Millwright's limit.
 */
export type Before = "fails" | "does-not-load" | "passes" | "unknown";

/** Errors of a test or test file that cannot be loaded or built. */
const unloaded =
  /(?:^|\.)(?:\w*(?:Build|Compil\w*|Import|Syntax|Collect\w*|Load)(?:Error|Failure|Exception)|ModuleNotFoundError|ReferenceError)$/;

export function sayBefore(key: TestKey, { outcomes, invalid }: WithoutCode, known: Known): Before {
  const own = outcomes.find((outcome) => formatTestKey(outcome.key) === formatTestKey(key));
  const status = own?.status ?? findStatus(outcomes, key);
  // A test that exceeds Millwright's limit has not failed.
  if (status === "timed-out") return "unknown";
  if (own !== undefined && isFailing(status) && !isUnloaded(own.failure, status)) return "fails";
  if (!isFailing(status) && status !== "not-run") return status === "passed" ? "passes" : "unknown";
  if (isBrokenOnBase(key, known.base)) return "unknown";
  const said = [
    ...outcomes
      .filter(
        ({ key: other, status: each }) => isFailing(each) && each !== "timed-out" && isBeside(key, other),
      )
      .map(({ failure }) => `${failure?.message ?? ""}\n${failure?.text ?? ""}`),
    ...(status === "not-run" ? [invalid ?? ""] : []),
  ].join("\n");
  const words = new Set(said.split(/[^\p{L}\p{N}_$]+/u));
  return [...known.names].some((name) => words.has(name)) ? "does-not-load" : "unknown";
}

function isUnloaded(failure: TestFailure | undefined, status: TestOutcome["status"]): boolean {
  return failure === undefined ? status === "errored" : unloaded.test(failure.type);
}

function isBeside(key: TestKey, other: TestKey): boolean {
  return other.package === key.package && other.target === key.target;
}

/** True if the base has tests, but none of them run, or none in this target. The missing code is then not the cause. */
function isBrokenOnBase(key: TestKey, base: readonly TestOutcome[]): boolean {
  const ran = (outcomes: readonly TestOutcome[]): boolean =>
    outcomes.length === 0 ||
    outcomes.some(({ status, failure }) => status !== "not-run" && !isUnloaded(failure, "failed"));
  return !ran(base) || !ran(base.filter((outcome) => isBeside(key, outcome.key)));
}
