/** What every strategy with a model begins with: the tests on the base, what fails there, and a view of the code. */
import { fail, type Result, succeed } from "../base/result.ts";
import { isFailing } from "../domain/test-outcome.ts";
import type { ActionContext } from "./action.ts";
import { type Baseline, measureBaseline, measureSuite, recordSignature } from "./baseline.ts";
import { measureGiven, takeGiven, withAttemptInStatement } from "./given-attempt.ts";
import type { StrategyContext } from "./strategy.ts";
import { emptyState, type ShownFault, type TaskState } from "./task-state.ts";
import { openTestBench } from "./test-bench.ts";
import { openTreeView } from "./tree-view.ts";

export interface Session {
  readonly actionContext: ActionContext;
  readonly state: TaskState;
  readonly close: () => void;
}

export async function openSession(
  context: StrategyContext,
): Promise<Result<Session, "no-model" | "no-test-command">> {
  const { models, workspace, frameworks, signal, recorder } = context;
  if (models === undefined) return fail("no-model", "The strategy needs a model: give --model.");
  recorder.append({ event: "phase-started", phase: "test", title: "find and run the tests" });
  const bench = await openTestBench(workspace, frameworks, signal);
  const signature = await recordSignature(context);
  const suite = await measureSuite(context, bench);
  if (!suite.ok) return suite;
  const failsSomewhere = suite.value.outcomes.some(({ status }) => isFailing(status));
  const baseline = failsSomewhere ? await measureBaseline(context, bench) : undefined;
  const state =
    baseline?.ok === true && baseline.value.reason.holds && baseline.value.isCertain
      ? { ...emptyState, fault: faultOf(baseline.value) }
      : emptyState;
  const view = await openTreeView(workspace, signal);
  const { switches, task: given } = context;
  const task = switches.partialPatch === "statement" ? withAttemptInStatement(given) : given;
  const actionContext = { ...context, task, models, bench, suite: suite.value, signature, view };
  const begun = await measureGiven(actionContext, await takeGiven(context, state));
  return succeed({ actionContext, state: begun, close: view.close });
}

function faultOf({ targets, runs, reason }: Baseline): ShownFault {
  return { targets: targets.map(({ key }) => key), heldBack: [], baseRuns: runs, reason };
}
