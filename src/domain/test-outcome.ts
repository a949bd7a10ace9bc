import { z } from "zod";

/** Identifies a test (the glossary's test key). No two tests of one run have the same key. */
export const testKeySchema = z.object({
  /** The package or workspace member that the test belongs to; empty in a repository with only one. */
  package: z.string(),
  /** The unit that the framework loads: a file, a module, a test binary. A file is relative to the repository. */
  target: z.string(),
  /** The test's own name in its target, with its groups: `Zone > finds the zone` or `TestZone::test_find[1-2]`. */
  name: z.string(),
});
export type TestKey = z.infer<typeof testKeySchema>;

export const testStatusSchema = z.enum([
  "passed",
  "failed", // an assertion, or any error in the test's body; also each test of a target that does not build
  "errored", // outside the test's body: set-up, tear-down, collection
  "timed-out", // exceeded our time limit (not the project's); says nothing until the test ran again with more time
  "skipped",
  "expected-failure",
  "not-run", // asked for and never reported: the run ended before it
]);
export type TestStatus = z.infer<typeof testStatusSchema>;

export const stackFrameSchema = z.object({
  /** Relative to the repository with `/`, or absolute if it is outside. */
  file: z.string(),
  line: z.int().positive(),
  function: z.string().optional(),
});
export type StackFrame = z.infer<typeof stackFrameSchema>;

export const testFailureSchema = z.object({
  /** The error's class: `AssertionError`, `TypeError`, `TimeoutError`. */
  type: z.string(),
  message: z.string(),
  /** The stack frames: the outermost call first, the raising frame last, in every language. */
  frames: z.array(stackFrameSchema),
  /** The framework's own text, shortened. */
  text: z.string(),
  /** True if the test hung, and only the end of its process could end it. */
  endedProcess: z.literal(true).optional(),
});
export type TestFailure = z.infer<typeof testFailureSchema>;

export const testOutcomeSchema = z.object({
  key: testKeySchema,
  status: testStatusSchema,
  durationMs: z.number().nonnegative(),
  failure: testFailureSchema.optional(),
});
export type TestOutcome = z.infer<typeof testOutcomeSchema>;

/** Executed lines of the repository's files: maps a path to its line numbers, from 1, ascending. */
export const coveredLinesSchema = z.record(z.string(), z.array(z.int().positive()));
export type CoveredLines = z.infer<typeof coveredLinesSchema>;

/**
 * Renders a key as text: `package/target::name`, without `package/` if the package is empty. Maps use this text as
 * their key, and people read it.
 */
export function formatTestKey(key: TestKey): string {
  const target = key.package === "" ? key.target : `${key.package}/${key.target}`;
  return `${target}::${key.name}`;
}

/**
 * Returns true for the statuses of a failing test, including one that exceeded Millwright's time limit. Millwright
 * first reruns such a test alone with more time (`src/workspace/time-outs.ts`). A test that exceeds even this time
 * counts as hanging.
 */
export function isFailing(status: TestStatus): boolean {
  return status === "failed" || status === "errored" || status === "timed-out";
}

/** Matches messages about a limit in the tests' own code: JUnit's `timeout`, pytest-timeout, a runner's usual limit. */
const ownLimits = /\btime[ -]?out\b|timed ?out|Timeout(?:Error|Exception)?\b|exceeded timeout/i;
/** Minimum duration of a timeout in milliseconds. A test that fails sooner only mentions a limit. */
const shortestWait = 500;

/**
 * Returns true for a failing test that Millwright's or the project's own time limit ended. The outcome's duration then
 * says nothing about the test's usual duration.
 */
export function ranOutOfTime({ status, failure, durationMs }: TestOutcome): boolean {
  if (status === "timed-out") return true;
  if (!isFailing(status) || failure === undefined || durationMs < shortestWait) return false;
  return ownLimits.test(`${failure.type} ${failure.message.slice(0, 200)}`);
}

const buildErrors = /^(?:CompileError|CompilationError|BuildError)$/;

/** Returns true if the test did not run because the program under test does not build. */
export function isUnbuilt({ failure }: Pick<TestOutcome, "failure">): boolean {
  return failure !== undefined && buildErrors.test(failure.type);
}

/**
 * Returns the status of a test in a run: that of the outcome with exactly this key. A key with the `name` "" means a
 * whole target. A target without an own outcome is `errored` if all its executed tests are errors, else `passed`. A key
 * without outcomes is `not-run`. For many tests of one run, use `statusFinder`.
 */
export function findStatus(outcomes: readonly TestOutcome[], key: TestKey): TestStatus {
  return statusFinder(outcomes)(key);
}

/**
 * Like `findStatus`, for many tests of one run. Indexes the outcomes once, because some runs have thousands of
 * failures.
 */
export function statusFinder(
  outcomes: readonly Pick<TestOutcome, "key" | "status">[],
): (key: TestKey) => TestStatus {
  const statuses = new Map<string, TestStatus>();
  const targets = new Map<string, TestStatus>();
  for (const { key, status } of outcomes) {
    const id = formatTestKey(key);
    if (!statuses.has(id)) statuses.set(id, status);
    if (status === "not-run" || targets.get(targetOf(key)) === "passed") continue;
    targets.set(targetOf(key), status === "errored" ? status : "passed");
  }
  return (key) => {
    const found = statuses.get(formatTestKey(key));
    return found ?? (key.name === "" ? targets.get(targetOf(key)) : undefined) ?? "not-run";
  };
}

/** The statuses, from the one that counts most among the results of one test. A skip says nothing about the test. */
const byWeight: readonly TestStatus[] = [
  "failed",
  "errored",
  "timed-out",
  "not-run",
  "passed",
  "expected-failure",
  "skipped",
];

/**
 * Returns one outcome per key, the worst. Several programs, or builds for several platforms, may report a test under
 * one key. The test then passes only if it passes in each of them.
 */
export function mergeOutcomes(outcomes: readonly TestOutcome[]): TestOutcome[] {
  const merged = new Map<string, TestOutcome>();
  for (const outcome of outcomes) {
    const id = formatTestKey(outcome.key);
    const known = merged.get(id);
    if (known === undefined || byWeight.indexOf(outcome.status) < byWeight.indexOf(known.status))
      merged.set(id, outcome);
  }
  return [...merged.values()];
}

function targetOf(key: TestKey): string {
  return `${key.package}\0${key.target}`;
}

export function passedKeys(outcomes: readonly Pick<TestOutcome, "key" | "status">[]): TestKey[] {
  return outcomes.filter(({ status }) => status === "passed").map(({ key }) => key);
}

/** Lists each test's key and status as a text, sorted, so that callers can compare two runs. */
export function statusesOf(outcomes: readonly TestOutcome[]): readonly string[] {
  return outcomes.map(({ key, status }) => `${formatTestKey(key)} ${status}`).sort();
}
