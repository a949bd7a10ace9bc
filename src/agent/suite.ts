/**
 * Describes the results of the base's tests, and the means to get further results. Also describes the checkout in which
 * tests of any tree run.
 */
import type { TestKey, TestOutcome } from "../domain/test-outcome.ts";
import type { JudgedTree } from "../judging/judged-tree.ts";
import type { Batch, ProjectView, Selection, TestCommand } from "../languages/contract.ts";
import type { RunnableCandidate } from "../workspace/batch-runner.ts";
import type { Surroundings } from "../workspace/surroundings.ts";
import type { TestRun } from "../workspace/test-runner.ts";

/** The base's tests, with the results known so far. */
export interface Suite {
  readonly command: TestCommand;
  readonly outcomes: readonly TestOutcome[];
  readonly testTimeoutMs?: number | undefined;
  readonly durationMs: number;
  /**
   * This machine's times in a replay. All other durations come from the record. `testMs`: the resulting time limit of
   * one test.
   */
  readonly own?: { readonly durationMs: number; readonly testMs: number } | undefined;
  /**
   * True if several processes ran all tests on the base. False if a test failed only beside other processes, so that
   * one process must run all tests. Undefined if nothing is known.
   */
  readonly isDivided?: boolean | undefined;
  /** Ids of flaky tests: they failed in one run and passed in another, of the base or of a candidate. */
  readonly unsteady?: readonly string[] | undefined;
  /**
   * Ids of tests that the first results contain, but whose files the run of all tests does not contain. They are not
   * part of the suite.
   */
  readonly uncollected?: readonly string[] | undefined;
  /** A text for people about tests that the command did not load or run. */
  readonly remarks: readonly string[];
  /** The reason why no test can run; absent if tests can run. */
  readonly lacks?: string;
  /**
   * In a replay of a run without tests: the tests that the replay found. Only the verdict uses them; models do not see
   * them.
   */
  readonly unshown?: Suite | undefined;
  /** The part of the suite that ran; absent if all tests ran. */
  readonly part?: SuitePart | undefined;
}

/** The part of a suite that ran. */
export interface SuitePart {
  /** Test files; empty if a time limit ended the run of all tests. */
  readonly files: readonly string[];
  /** The total number of test files. */
  readonly of: number;
  /**
   * The reason why only a part ran. `first`: the other tests run later. `time`: no time is left for them. `invalid`: a
   * run of all tests is unreliable.
   */
  readonly why: "first" | "time" | "invalid";
  /** True if a limit ended a run of all tests. Even files with outcomes may then lack results. */
  readonly isCut?: boolean | undefined;
  /** Test files nearest to the statement, if no time was left to run them first. */
  readonly nearest?: readonly string[] | undefined;
}

export interface BaseSuite {
  /** True if Millwright first knew only a part of the results. */
  readonly isGrown: boolean;
  /** Completes the suite as far as time allows: runs the rest, or waits for it. */
  whole(): Promise<void>;
  /** Adds the results of these test files on the base, even if there was no time for all tests. */
  know(files: readonly string[]): Promise<void>;
  /** Replaces the suite with a newly found one. */
  adopt(found: Suite): Promise<void>;
  close(): Promise<void>;
}

export interface ExecutorRequest {
  readonly tree: string;
  readonly selection: Selection;
  readonly coverage?: boolean;
  readonly testTimeoutMs: number;
  readonly timeoutMs: number;
  readonly stopAtFirstFailure?: boolean;
  /** True: vary the run, as far as the framework supports variation. */
  readonly varied?: boolean;
  /** The environment variables and standard input of the run. Default: a bare environment and a closed standard input. */
  readonly surroundings?: Surroundings | undefined;
  /** True: run in the background of the workspace's other executors, in an isolated sandbox. */
  readonly isBehind?: boolean;
  /**
   * Present if several processes may run the tests, each in its own checkout, as far as framework and sandbox allow.
   * `times`: known milliseconds of each file's tests.
   */
  readonly divided?: { readonly times: Readonly<Record<string, number>> } | undefined;
  /** Ends the run early, in the same way as its time limit does. */
  readonly cut?: AbortSignal;
  /** The source of the test configuration: the base (default), or the tree itself. */
  readonly configuration?: "own";
}

export interface BenchBatch {
  /** The base, or a program with all candidates. */
  readonly tree: string;
  readonly tests: readonly TestKey[];
  /** The known failing tests on the base. */
  readonly failing?: readonly TestKey[];
  readonly candidates: readonly RunnableCandidate[];
  readonly testTimeoutMs: number;
  readonly timeoutMs: number;
  readonly stopAtFirstFailure: boolean;
  /** Number of simultaneous candidates; default: 1. */
  readonly parallel?: number;
}

/** A checkout in which tests of any tree can run, one run at a time. */
export interface TestExecutor {
  /** The base's files, as test frameworks read them. */
  readonly project: ProjectView;
  run(command: TestCommand, request: ExecutorRequest): Promise<TestRun>;
  /** The tree's files that the last run changed, replaced or deleted, even if it restored their content. */
  damaged(): readonly string[];
  /** Returns the tree to run when judging another tree: that tree with the base's test configuration. */
  judged(command: TestCommand, tree: string): Promise<JudgedTree>;
  /** Runs many candidates in one program start; see `Batch`. */
  runBatch<Report>(command: TestCommand, batch: Batch<Report>, request: BenchBatch): Promise<Report>;
  /** Ends the executor's processes and removes its checkout. */
  close(): Promise<void>;
}
