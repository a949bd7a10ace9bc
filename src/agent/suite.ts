/**
 * Describes the results of the base's tests, the means to get further results, and the checkout in which tests of any
 * tree run.
 */
import type { TestKey, TestOutcome } from "../domain/test-outcome.ts";
import type { JudgedTree } from "../judging/judged-tree.ts";
import type { Batch, ProjectView, Selection, TestCommand } from "../languages/contract.ts";
import type { RunnableCandidate } from "../workspace/batch-runner.ts";
import type { TestRun } from "../workspace/test-runner.ts";

/** The tests on the base, with the results known so far. */
export interface Suite {
  readonly command: TestCommand;
  readonly outcomes: readonly TestOutcome[];
  readonly testTimeoutMs?: number | undefined;
  readonly durationMs: number;
  /**
   * In a replay, this machine's times, because other durations are the recorded ones. `testMs`: the time limit of one
   * test that follows from them.
   */
  readonly own?: { readonly durationMs: number; readonly testMs: number } | undefined;
  /** Ids of tests that failed in the first run, and passed in the second. */
  readonly unsteady?: readonly string[] | undefined;
  /** Tests that the command did not load or left out, for people. */
  readonly remarks: readonly string[];
  /** Why no test can run; absent if tests can. */
  readonly lacks?: string;
  /**
   * In a replay of a run that found no tests: the tests that the replay found. Models are not shown them; the verdict
   * uses them.
   */
  readonly unshown?: Suite | undefined;
  /** Absent if all tests ran. */
  readonly part?: SuitePart | undefined;
}

/** The part of a suite that ran. */
export interface SuitePart {
  /** Test files; empty if a time limit ended the run of all tests. */
  readonly files: readonly string[];
  /** The total number of test files. */
  readonly of: number;
  /** `first`: the others run later. `time`: there is no time for them. `invalid`: a run of all cannot be trusted. */
  readonly why: "first" | "time" | "invalid";
  /** True if a limit ended a run of all tests: even files with outcomes may lack some. */
  readonly isCut?: boolean | undefined;
  /** Test files nearest to the statement, if there was no time to run them first. */
  readonly nearest?: readonly string[] | undefined;
}

export interface BaseSuite {
  /** True if only a part of the results was known at first. */
  readonly isGrown: boolean;
  /** Completes the suite as far as time allows: runs the rest, or waits for it. */
  whole(): Promise<void>;
  /** Adds the results of these test files on the base, also if there was no time for all tests. */
  know(files: readonly string[]): Promise<void>;
  /** Replaces the suite with a newly found one. */
  adopt(found: Suite): Promise<void>;
  close(): Promise<void>;
}

export interface BenchRun {
  readonly tree: string;
  readonly selection: Selection;
  readonly coverage?: boolean;
  readonly testTimeoutMs: number;
  readonly timeoutMs: number;
  readonly stopAtFirstFailure?: boolean;
  /** True to vary the run as the framework allows. */
  readonly varied?: boolean;
  /** True to run in the background of the workspace's other benches, in a sandbox that isolates it. */
  readonly isBehind?: boolean;
  /** Ends the run as its time limit would. */
  readonly cut?: AbortSignal;
  /** Whose configuration decides how tests run: the base's by default, or the tree's own. */
  readonly configuration?: "own";
}

export interface BenchBatch {
  /** The base, or a program with all candidates. */
  readonly tree: string;
  readonly tests: readonly TestKey[];
  /** The tests that are known to fail on the base. */
  readonly failing?: readonly TestKey[];
  readonly candidates: readonly RunnableCandidate[];
  readonly testTimeoutMs: number;
  readonly timeoutMs: number;
  readonly stopAtFirstFailure: boolean;
  /** How many candidates run at a time; default: 1. */
  readonly parallel?: number;
}

/** A checkout in which tests of any tree can run, one run at a time. */
export interface TestBench {
  /** The base for test frameworks. */
  readonly project: ProjectView;
  run(command: TestCommand, request: BenchRun): Promise<TestRun>;
  /** The tree's files that the last run changed, replaced or deleted, even if it restored their content. */
  damaged(): readonly string[];
  /** The tree to run for judging another one: with the base's test configuration. */
  judged(command: TestCommand, tree: string): Promise<JudgedTree>;
  /** Many candidates in one start; see `Batch`. */
  runBatch<Report>(command: TestCommand, batch: Batch<Report>, request: BenchBatch): Promise<Report>;
  /** Ends its processes and removes its checkout. */
  close(): Promise<void>;
}
