/** What is known of the tests on the base, how more is learned of them, and where tests of any tree are run. */
import type { TestKey, TestOutcome } from "../domain/test-outcome.ts";
import type { JudgedTree } from "../judging/judged-tree.ts";
import type { Batch, ProjectView, Selection, TestCommand } from "../languages/contract.ts";
import type { RunnableCandidate } from "../workspace/batch-runner.ts";
import type { TestRun } from "../workspace/test-runner.ts";

/** All tests on the base, as they ended the first time. */
export interface Suite {
  readonly command: TestCommand;
  readonly outcomes: readonly TestOutcome[];
  readonly testTimeoutMs?: number | undefined;
  readonly durationMs: number;
  /** What the command did not load or left out, for people. */
  readonly remarks: readonly string[];
  /** Why no test can be run; absent where tests can. */
  readonly lacks?: string;
  /** Absent where all tests were run. */
  readonly part?: SuitePart | undefined;
}

/** Of a suite, what was run of it. */
export interface SuitePart {
  /** Files of tests; none where a limit of time cut the run of all of them off. */
  readonly files: readonly string[];
  /** Of so many. */
  readonly of: number;
  /** `first`: the others are run later. `time`: there is no time for them. `invalid`: a run of all cannot be trusted. */
  readonly why: "first" | "time" | "invalid";
  /** A run of all of them was cut off: of a file with outcomes others may be missing. */
  readonly isCut?: boolean | undefined;
}

export interface BaseSuite {
  /** Only a part was known at first. */
  readonly isGrown: boolean;
  /** Makes the suite whole, as far as there is time: runs the rest, or waits until it has run. */
  whole(): Promise<void>;
  /** Adds what tests of these files of the base say. */
  know(files: readonly string[]): Promise<void>;
  /** Takes another suite in its place: where there was none, and one was found. */
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
  /** As the framework can vary a run. */
  readonly varied?: boolean;
  /** Behind the work of the workspace's other benches, in a sandbox that keeps it apart. */
  readonly isBehind?: boolean;
  /** Ends the run as its time limit would. */
  readonly cut?: AbortSignal;
  /** Whose configuration decides how tests run: the base's, unless the tree's own is asked for. */
  readonly configuration?: "own";
}

export interface BenchBatch {
  /** The base, or a program with all candidates. */
  readonly tree: string;
  readonly tests: readonly TestKey[];
  /** Of them, those that are known to fail on the base. */
  readonly failing?: readonly TestKey[];
  readonly candidates: readonly RunnableCandidate[];
  readonly testTimeoutMs: number;
  readonly timeoutMs: number;
  readonly stopAtFirstFailure: boolean;
}

/** A checkout in which tests of any tree can be run, one run after the other. */
export interface TestBench {
  /** The base as test frameworks look at it. */
  readonly project: ProjectView;
  run(command: TestCommand, request: BenchRun): Promise<TestRun>;
  /** The tree that judges another: with the base's configuration of the tests. */
  judged(command: TestCommand, tree: string): Promise<JudgedTree>;
  /** Many candidates in one start; see `Batch`. */
  runBatch<Report>(command: TestCommand, batch: Batch<Report>, request: BenchBatch): Promise<Report>;
  /** Ends its processes and takes its checkout away. */
  close(): Promise<void>;
}
