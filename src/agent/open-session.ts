/** What every strategy with a model begins with: the tests on the base, what fails there, and a view of the code. */
import { fail, type Result, succeed } from "../base/result.ts";
import { isFailing } from "../domain/test-outcome.ts";
import type { ActionContext } from "./action.ts";
import { type Baseline, measureBaseline, measureSuite, recordSignature } from "./baseline.ts";
import { keepCandidate } from "./keep-candidate.ts";
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
  const begun = await takeAttempt(context, state);
  const actionContext = { ...context, models, bench, suite: suite.value, signature, view };
  return succeed({ actionContext, state: begun, close: view.close });
}

function faultOf({ targets, runs, reason }: Baseline): ShownFault {
  return { targets: targets.map(({ key }) => key), heldBack: [], baseRuns: runs, reason };
}

/** The attempt that a `partial-fix` task gives is a candidate like any other: measured, and trusted no more. */
async function takeAttempt(context: StrategyContext, state: TaskState): Promise<TaskState> {
  const { task, workspace, recorder } = context;
  if (task.partialPatch === undefined || task.partialPatch.trim() === "") return state;
  const applied = await workspace.trees.apply(workspace.base, task.partialPatch);
  if (applied.ok)
    return keepCandidate(context, state, {
      tree: applied.value,
      kind: "code",
      origin: "the attempt that was given",
    }).state;
  const text = `The attempt that was given does not apply, and is left out: ${applied.message}`;
  recorder.append({ event: "remark-made", level: "warning", text });
  return state;
}
