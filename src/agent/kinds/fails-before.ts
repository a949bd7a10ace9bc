/**
 * What a new test says without the new code. It fails by itself; or it does not load or build there, which counts where the failure
 * names what is new and what there was does load: a run that broke down for any other reason shows nothing. Pure.
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
  /** What the code defines anew or changes, and the names of its new files. */
  readonly names: ReadonlySet<string>;
}

/** `unknown`: it was not run, and nothing says that the new code is what it lacks. */
export type Before = "fails" | "does-not-load" | "passes" | "unknown";

/** Errors of a test, or a file of tests, that cannot be loaded or built. */
const unloaded =
  /(?:^|\.)(?:\w*(?:Build|Compil\w*|Import|Syntax|Collect\w*|Load)(?:Error|Failure|Exception)|ModuleNotFoundError|ReferenceError)$/;

export function sayBefore(key: TestKey, { outcomes, invalid }: WithoutCode, known: Known): Before {
  const own = outcomes.find((outcome) => formatTestKey(outcome.key) === formatTestKey(key));
  const status = own?.status ?? findStatus(outcomes, key);
  if (own !== undefined && isFailing(status) && !isUnloaded(own.failure, status)) return "fails";
  if (!isFailing(status) && status !== "not-run") return status === "passed" ? "passes" : "unknown";
  if (isBrokenOnBase(key, known.base)) return "unknown";
  const said = [
    ...outcomes
      .filter(({ key: other, status: each }) => isFailing(each) && isBeside(key, other))
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

/** Nothing of the base's tests runs, or not in this target: then it is not the new code that is missing. */
function isBrokenOnBase(key: TestKey, base: readonly TestOutcome[]): boolean {
  const ran = (outcomes: readonly TestOutcome[]): boolean =>
    outcomes.length === 0 ||
    outcomes.some(({ status, failure }) => status !== "not-run" && !isUnloaded(failure, "failed"));
  return !ran(base) || !ran(base.filter((outcome) => isBeside(key, outcome.key)));
}
