/** Runs a repository's tests in a checkout, and reads their report. Only this module turns test runs into outcomes. */
import { withoutColours } from "../base/terminal-text.ts";
import {
  formatTestKey,
  isFailing,
  mergeOutcomes,
  statusFinder,
  type TestKey,
  type TestOutcome,
} from "../domain/test-outcome.ts";
import type {
  ProjectView,
  ReportRequest,
  Selection,
  Share,
  TestCommand,
  TestFramework,
  TestReport,
} from "../languages/contract.ts";
import type { CommandEnd } from "../sandbox/contract.ts";
import { putBehind } from "./behind.ts";
import type { Checkout } from "./contract.ts";
import { executeWithReport, type ReportedExecution } from "./report-folder.ts";
import type { Surroundings } from "./surroundings.ts";
import { markTimeOuts } from "./time-outs.ts";

export interface TestRunRequest {
  readonly checkout: Checkout;
  readonly framework: TestFramework;
  readonly command: TestCommand;
  readonly project: ProjectView;
  readonly selection: Selection;
  readonly coverage: boolean;
  readonly testTimeoutMs: number;
  readonly stopAtFirstFailure?: boolean;
  readonly varied?: boolean;
  /** Time limit of the whole run, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Milliseconds without a report after which the run ends. Frameworks' own time limits cannot stop an endless loop.
   */
  readonly stallMs: number;
  readonly signal: AbortSignal;
  /** Receives the raw results of the run, to store them. `readExecution` derives the same outcomes from them again. */
  readonly onExecuted?: (execution: ReportedExecution) => void;
  /** Aborting ends the run as its time limit does. */
  readonly cut?: AbortSignal | undefined;
  readonly surroundings?: Surroundings | undefined;
  /** True if other work has priority; see `behind.ts`. */
  readonly isBehind?: boolean;
  /** The part of the selected tests to run; absent for all of them. */
  readonly share?: Share;
}

export interface TestRun {
  readonly report: TestReport;
  readonly end: CommandEnd;
  readonly exitCode: number | null;
  readonly durationMs: number;
  /** The beginning and end of the command's output. */
  readonly output: string;
  /**
   * True if several processes ran the tests; false if several processes gave unreliable results. See `divided-run.ts`.
   */
  readonly isDivided?: boolean;
  /** Ids of hanging tests that ended their process; the others ran without them. See `run-rest.ts`. */
  readonly stuck?: readonly string[];
  /** Ids of tests that failed in one of several processes, and passed in one alone. */
  readonly onlyTogether?: readonly string[];
}

/**
 * Runs the selected tests once. Without a share, every test that the selection names has a result: `not-run` if the
 * report does not contain it. Throws only the sandbox's errors, and AbortError if the run is interrupted.
 */
export async function runTests(request: TestRunRequest): Promise<TestRun> {
  const { checkout, framework, command } = request;
  const execution = await executeWithReport(request, (report) => {
    const invocation = framework.invoke({
      command,
      selection: request.selection,
      coverage: request.coverage,
      testTimeoutMs: request.testTimeoutMs,
      stopAtFirstFailure: request.stopAtFirstFailure ?? false,
      varied: request.varied ?? false,
      ...(request.share && { share: request.share }),
      paths: {
        root: checkout.root,
        runtime: checkout.runtime,
        report: report.inside,
        channel: report.channel,
      },
      project: request.project,
    });
    return request.isBehind === true ? putBehind(invocation, checkout) : invocation;
  });
  request.onExecuted?.(execution);
  return readExecution(execution, { ...request, root: checkout.names.root });
}

export interface ExecutionRead
  extends Pick<TestRunRequest, "framework" | "selection" | "testTimeoutMs" | "share"> {
  /** The repository's root, as the execution's texts name it. */
  readonly root: string;
}

/** Derives the test outcomes from an execution: a new one, or one that an earlier process stored. */
export function readExecution(
  execution: ReportedExecution,
  { framework, selection, testTimeoutMs, share, root }: ExecutionRead,
): TestRun {
  const { end, durationMs, ...given } = execution;
  const report = parseReport(framework, { ...given, root });
  const outcomes = markTimeOuts(mergeOutcomes(report.outcomes).map(withPlainFailure), { testTimeoutMs, end });
  return {
    // In a share, another process may run the missing tests.
    report: { ...report, outcomes: share === undefined ? addMissing(outcomes, selection) : outcomes },
    end,
    exitCode: given.exitCode,
    durationMs,
    output: [given.stdout, given.stderr].filter((text) => text !== "").join("\n"),
  };
}

/** Parses the report. A report that the parser cannot read is invalid, because the code under test writes parts of it. */
function parseReport(framework: TestRunRequest["framework"], request: ReportRequest): TestReport {
  try {
    return framework.parse(request);
  } catch (error) {
    const invalid = `the report cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    return { outcomes: [], coverage: new Map(), invalid };
  }
}

/**
 * Removes colours from a failure. A project's settings may ask for colours (`--color=yes`), which would disturb
 * comparisons and models.
 */
function withPlainFailure(outcome: TestOutcome): TestOutcome {
  const { failure } = outcome;
  if (failure === undefined) return outcome;
  const plain = { message: withoutColours(failure.message), text: withoutColours(failure.text) };
  return { ...outcome, failure: { ...failure, ...plain } };
}

/**
 * Selects the outcomes of the requested tests and targets, and all failures. Adds each requested test without an
 * outcome as `not-run`. A target that did not load or build is requested without the names of tests; it counts as
 * passed once its tests are reported (`findStatus`). Returns all outcomes for a selection of a kind other than `tests`.
 */
export function addMissing(outcomes: readonly TestOutcome[], selection: Selection): readonly TestOutcome[] {
  if (selection.kind !== "tests") return outcomes;
  const wanted = new Map(selection.tests.map((key) => [formatTestKey(key), key]));
  const isOfWhole = ({ key }: TestOutcome): boolean => wanted.has(formatTestKey({ ...key, name: "" }));
  const selected = outcomes.filter(
    (outcome) => wanted.has(formatTestKey(outcome.key)) || isFailing(outcome.status) || isOfWhole(outcome),
  );
  const statusOf = statusFinder(outcomes);
  const seen = new Set(outcomes.map((outcome) => formatTestKey(outcome.key)));
  const missing = [...wanted].filter(([id, key]) => !seen.has(id) && statusOf(key) === "not-run");
  return [...selected, ...missing.map(([, key]) => notRun(key))];
}

function notRun(key: TestKey): TestOutcome {
  return { key, status: "not-run", durationMs: 0 };
}
