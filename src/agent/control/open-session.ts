/**
 * Starts every strategy with a model. Runs the tests on the base, reads their failures, and opens a view of the code.
 */

import { type Failure, fail, type Result, succeed } from "../../base/result.ts";
import type { Task } from "../../domain/task.ts";
import { listTestCommands } from "../../workspace/test-command.ts";
import type { ActionContext } from "../action.ts";
import { faultOf, faultyBaseline } from "../candidates/fault-of-base.ts";
import { measureGiven, takeGiven, withAttemptInStatement } from "../candidates/given-attempt.ts";
import { openTraceDesk } from "../code/trace-desk.ts";
import { openTreeView } from "../code/tree-view.ts";
import { checkTarget } from "../kinds/target.ts";
import { openBaseSuite, shareOf } from "../measure/base-suite.ts";
import { recordSignature } from "../measure/baseline.ts";
import { chooseFirstTests, subjectOf } from "../measure/first-tests.ts";
import { measureSuite, suiteWithoutTests, usualTimeOf } from "../measure/measure-suite.ts";
import { liveRegions } from "../measure/regions-of.ts";
import { openTestExecutor } from "../measure/test-executor.ts";
import { noFramework } from "../measure/without-tests.ts";
import { emptyState, type Fact, type TaskState } from "../state/task-state.ts";
import type { StrategyContext } from "../strategy.ts";
import type { Suite, TestExecutor } from "../suite.ts";
import type { TreeView } from "../views.ts";

export interface Session {
  readonly actionContext: ActionContext;
  readonly state: TaskState;
  readonly close: () => Promise<void>;
}

/**
 * The session's need for test results:
 * - `required`: the session fails if no test can run
 * - `tried`: if no test can run, the session continues, and the suite contains the reason
 * - `unrun`: a rule finds the test command, but no test runs
 * - `none`: the session needs no tests
 */
export type TestsWanted = "required" | "tried" | "unrun" | "none";

export async function openSession(
  context: StrategyContext,
  tests: TestsWanted = "tried",
): Promise<Result<Session, "no-model" | "no-test-command">> {
  const { models, workspace, frameworks, signal, recorder } = context;
  if (models === undefined) return fail("no-model", "The strategy needs a model.");
  const { base, trees } = workspace;
  await checkTarget(context.task, async (path) => (await trees.read(base, path))?.toString("utf8"));
  if (isRun(tests))
    recorder.append({ event: "phase-started", phase: "test", title: "find and run the tests" });
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(closers.splice(0).map((each) => each()));
  };
  try {
    const executor = await openTestExecutor(workspace, frameworks, signal);
    closers.push(executor.close);
    const begun = await beginOn({ ...context, models }, tests, executor, closers);
    if (!begun.ok) await close();
    return begun.ok ? succeed({ ...begun.value, close }) : begun;
  } catch (error) {
    await close();
    throw error;
  }
}

/** Begins the session, and adds everything that it opens to `closers`. The caller closes these, whatever the result. */
async function beginOn(
  context: StrategyContext & Pick<ActionContext, "models">,
  tests: TestsWanted,
  executor: TestExecutor,
  closers: (() => Promise<void>)[],
): Promise<Result<Omit<Session, "close">, "no-test-command">> {
  const signature = await recordSignature(context);
  const view = await openTreeView(context);
  closers.push(view.close);
  const measured = isRun(tests)
    ? await measureFirst(context, executor, view)
    : succeed(unrunSuite(context, executor, tests));
  if (!measured.ok && tests === "required") return measured;
  const first = measured.ok ? measured.value : suiteNotFound(measured);
  keepTimeToJudge(context, first);
  const spentMs = Math.min(first.durationMs, longestFirstMs);
  const mostMs = !isRun(tests) ? undefined : Math.max(leastAgainMs, longestFirstMs - spentMs);
  let unsteady: readonly string[] = [];
  const onFlaky = (ids: readonly string[]): void => {
    unsteady = ids;
  };
  const baseline = await faultyBaseline(context, executor, first, { mostMs, onFlaky });
  const suite: Suite = { ...first, unsteady };
  const flaky = baseline?.ok === true ? baseline.value.flaky : unsteady;
  const noted: Fact = { kind: "flaky", text: `Flaky on the base: ${flaky.join(", ")}` };
  const facts = [...(context.notes ?? []), ...(flaky.length === 0 ? [] : [noted])];
  const empty = { ...emptyState, kind: context.task.kind, facts };
  const fault = baseline?.ok === true ? faultOf(baseline.value, context.task.kind) : undefined;
  const state = fault === undefined ? empty : { ...empty, fault };
  const { regions, readAgain } = await liveRegions(context, suite);
  const traces = openTraceDesk(context);
  closers.push(traces.close);
  const { switches, task: given } = context;
  const task = withTarget(switches.partialPatch === "statement" ? withAttemptInStatement(given) : given);
  const frameworks = [...context.frameworks, noFramework];
  const baseSuite = openBaseSuite(context, executor, suite, readAgain);
  closers.push(baseSuite.close);
  const of = { executor, suite, baseSuite, regions, signature, view, traces };
  const actionContext = { ...context, frameworks, task, ...of };
  const begun = await measureGiven(actionContext, await takeGiven(context, state));
  return succeed({ actionContext, state: begun });
}

function suiteNotFound({ message, unshown }: Failure & Pick<Suite, "unshown">): Suite {
  return { ...suiteWithoutTests(message.replace(/\.$/, "")), unshown };
}

function isRun(tests: TestsWanted): boolean {
  return tests === "required" || tests === "tried";
}

function unrunSuite(
  { frameworks, testCommand }: StrategyContext,
  { project }: TestExecutor,
  tests: TestsWanted,
): Suite {
  if (tests === "none") return suiteWithoutTests(undefined);
  const [command] = listTestCommands(project, frameworks, testCommand);
  if (command === undefined) return suiteWithoutTests("no test command was found");
  const part = { files: [], of: 0, why: "time" } as const;
  return { command, outcomes: [], durationMs: 0, remarks: [], part };
}

/** The share of the total time for tests before a model is asked. */
const firstShare = 0.25;
/** Maximum milliseconds for tests before a model is asked. Results until then count, and the other tests run later. */
const longestFirstMs = 40_000;
/** Minimum milliseconds for running the failing tests again before a model is asked. */
const leastAgainMs = 10_000;

async function measureFirst(context: StrategyContext, executor: TestExecutor, view: TreeView) {
  const { frameworks, task, testCommand } = context;
  const [likeliest] = listTestCommands(executor.project, frameworks, testCommand, [], task.statement);
  const first = await chooseFirstTests(context, view, likeliest);
  // If the failing tests are the task, the agent has to know them.
  if (first === undefined && subjectOf(context.task) === "")
    return measureSuite(context, executor, { timeMs: shareOf(context.limits, firstShare) });
  const timeMs = shareOf(context.limits, firstShare, longestFirstMs);
  const longestMs = timeMs < longestFirstMs ? undefined : shareOf(context.limits, firstShare);
  return measureSuite(context, executor, { first, timeMs, longestMs });
}

/** Reserves time to judge a patch: the same tests run with the patch, and once more in a fresh sandbox. */
function keepTimeToJudge({ limits }: StrategyContext, suite: Suite): void {
  const { durationMs, part, lacks } = suite;
  const leftMs = limits.remainingMs();
  if (lacks !== undefined || !Number.isFinite(leftMs)) return;
  const most = mostKept * leftMs;
  const isUnknown = part?.why === "first" || (part !== undefined && durationMs === 0);
  limits.reserve?.(isUnknown ? most : Math.min(most, 2 * usualTimeOf(suite)));
}

const mostKept = 0.35;

/** Adds the target to the statement, because everybody who works on the task reads the statement. */
function withTarget(task: Task): Task {
  if (task.target === undefined) return task;
  return { ...task, statement: `${task.statement}\n\nThe target: \`${task.target}\``.trim() };
}
