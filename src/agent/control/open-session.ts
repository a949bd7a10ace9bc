/** What every strategy with a model begins with: the tests on the base, what fails there, and a view of the code. */
import { fail, type Result, succeed } from "../../base/result.ts";
import type { Task, TaskKind } from "../../domain/task.ts";
import { isFailing } from "../../domain/test-outcome.ts";
import type { ActionContext } from "../action.ts";
import { openTraceDesk } from "../code/trace-desk.ts";
import { openTreeView } from "../code/tree-view.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import { checkTarget } from "../kinds/target.ts";
import { type Baseline, measureBaseline, measureSuite, recordSignature } from "../measure/baseline.ts";
import { regionsOf } from "../measure/regions-of.ts";
import { openTestBench, type TestBench } from "../measure/test-bench.ts";
import { noFramework, suiteWithoutTests } from "../measure/without-tests.ts";
import { emptyState, type ShownFault, type TaskState } from "../state/task-state.ts";
import type { StrategyContext } from "../strategy.ts";
import { measureGiven, takeGiven, withAttemptInStatement } from "./given-attempt.ts";

export interface Session {
  readonly actionContext: ActionContext;
  readonly state: TaskState;
  readonly close: () => Promise<void>;
}

/** `tried`: where none can be run, the suite says why. `none`: nobody asks what they say. */
export type TestsWanted = "required" | "tried" | "none";

export async function openSession(
  context: StrategyContext,
  tests: TestsWanted = "tried",
): Promise<Result<Session, "no-model" | "no-test-command">> {
  const { models, workspace, frameworks, signal, recorder } = context;
  if (models === undefined) return fail("no-model", "The strategy needs a model: give --model.");
  const { base, trees } = workspace;
  await checkTarget(context.task, async (path) => (await trees.read(base, path))?.toString("utf8"));
  if (tests !== "none")
    recorder.append({ event: "phase-started", phase: "test", title: "find and run the tests" });
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(closers.splice(0).map((each) => each()));
  };
  try {
    const bench = await openTestBench(workspace, frameworks, signal);
    closers.push(bench.close);
    const begun = await beginOn({ ...context, models }, tests, bench, closers);
    if (!begun.ok) await close();
    return begun.ok ? succeed({ ...begun.value, close }) : begun;
  } catch (error) {
    await close();
    throw error;
  }
}

/** What it opens is closed by the caller, whatever comes of it. */
async function beginOn(
  context: StrategyContext & Pick<ActionContext, "models">,
  tests: TestsWanted,
  bench: TestBench,
  closers: (() => Promise<void>)[],
): Promise<Result<Omit<Session, "close">, "no-test-command">> {
  const signature = await recordSignature(context);
  const measured =
    tests === "none" ? succeed(suiteWithoutTests(undefined)) : await measureSuite(context, bench);
  if (!measured.ok && tests === "required") return measured;
  const suite = measured.ok ? measured.value : suiteWithoutTests(measured.message.replace(/\.$/, ""));
  const failsSomewhere = suite.outcomes.some(({ status }) => isFailing(status));
  // Where tests are handed over, those that fail already are not what the run is about.
  const isOfInterest = failsSomewhere && rulesOf(context.task.kind).delivers === "code";
  const baseline = isOfInterest ? await measureBaseline(context, bench) : undefined;
  const flaky = baseline?.ok === true ? baseline.value.flaky : [];
  const facts = [
    ...(context.notes ?? []),
    ...(flaky.length === 0 ? [] : [`Flaky on the base: ${flaky.join(", ")}`]),
  ];
  const empty = { ...emptyState, kind: context.task.kind, facts };
  const state =
    baseline?.ok === true && baseline.value.reason.holds && baseline.value.isCertain
      ? { ...empty, fault: faultOf(baseline.value, context.task.kind) }
      : empty;
  const view = await openTreeView(context);
  const regions = await regionsOf(context, suite);
  const traces = openTraceDesk(context);
  closers.push(view.close, traces.close);
  const { switches, task: given } = context;
  const task = withTarget(switches.partialPatch === "statement" ? withAttemptInStatement(given) : given);
  const frameworks = [...context.frameworks, noFramework];
  const actionContext = { ...context, frameworks, task, bench, suite, regions, signature, view, traces };
  const begun = await measureGiven(actionContext, await takeGiven(context, state));
  return succeed({ actionContext, state: begun });
}

/** Everybody who works on the task reads its statement. */
function withTarget(task: Task): Task {
  if (task.target === undefined) return task;
  return { ...task, statement: `${task.statement}\n\nThe target: \`${task.target}\``.trim() };
}

function faultOf({ targets, runs, reason: found }: Baseline, kind: TaskKind): ShownFault {
  const reason = kind === "code-generation" ? { ...found, evidence: "the target is not written" } : found;
  return { targets: targets.map(({ key }) => key), heldBack: [], baseRuns: runs, reason };
}
