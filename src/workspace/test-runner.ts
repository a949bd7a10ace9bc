/** Runs a repository's tests in a checkout and reads their report; the one place that turns test runs into outcomes. */
import { withoutColours } from "../base/terminal-text.ts";
import {
  formatTestKey,
  isFailing,
  statusFinder,
  type TestKey,
  type TestOutcome,
} from "../domain/test-outcome.ts";
import type {
  ProjectView,
  Selection,
  TestCommand,
  TestFramework,
  TestReport,
} from "../languages/contract.ts";
import type { CommandEnd } from "../sandbox/contract.ts";
import { putBehind } from "./behind.ts";
import type { Checkout } from "./contract.ts";
import { executeWithReport, type ReportedExecution } from "./report-folder.ts";
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
  /** For the whole run. */
  readonly timeoutMs: number;
  /** Ends the run when nothing was reported for so long: a loop that no time limit of a framework can break. */
  readonly stallMs: number;
  readonly signal: AbortSignal;
  /** Gets all that the run left to be read, for whoever keeps it: `readExecution` says the same of it again. */
  readonly onExecuted?: (execution: ReportedExecution) => void;
  /** Ends the run as its time limit would. */
  readonly cut?: AbortSignal | undefined;
  /** Other work comes first, see `behind.ts`. */
  readonly isBehind?: boolean;
}

export interface TestRun {
  readonly report: TestReport;
  readonly end: CommandEnd;
  readonly exitCode: number | null;
  readonly durationMs: number;
  /** Head and tail of what the command printed. */
  readonly output: string;
}

/**
 * One run of the selected tests. A test that was asked for by key and is not in the report is `not-run`, so that a selection
 * always gets an answer for each of its tests. Throws only what the sandbox throws, and AbortError when the run is interrupted.
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

export interface ExecutionRead extends Pick<TestRunRequest, "framework" | "selection" | "testTimeoutMs"> {
  /** What its texts call the repository's root. */
  readonly root: string;
}

/** What an execution says, whenever it was. */
export function readExecution(
  execution: ReportedExecution,
  { framework, selection, testTimeoutMs, root }: ExecutionRead,
): TestRun {
  const { end, durationMs, ...given } = execution;
  const report = framework.parse({ ...given, root });
  const outcomes = markTimeOuts(report.outcomes.map(withPlainFailure), { testTimeoutMs, end });
  return {
    report: { ...report, outcomes: addMissing(outcomes, selection) },
    end,
    exitCode: given.exitCode,
    durationMs,
    output: [given.stdout, given.stderr].filter((text) => text !== "").join("\n"),
  };
}

/** A project's settings may ask for colours (`--color=yes`): they would be compared, and shown to models. */
function withPlainFailure(outcome: TestOutcome): TestOutcome {
  const { failure } = outcome;
  if (failure === undefined) return outcome;
  const plain = { message: withoutColours(failure.message), text: withoutColours(failure.text) };
  return { ...outcome, failure: { ...failure, ...plain } };
}

/**
 * What was asked for, what fails beside it, and tests of what was asked for as a whole: a target that could not be loaded or built has no
 * names, and passes once its tests are reported (`findStatus`).
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
