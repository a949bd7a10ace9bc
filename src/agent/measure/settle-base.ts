/** What a judgement begins with: all tests on the base, and the fault that they show where nothing else showed it. */
import type { ActionContext } from "../action.ts";
import type { TaskState } from "../state/task-state.ts";
import { faultOf, faultyBaseline, likelyFaultOf } from "./fault-of-base.ts";

export async function settleBase(context: ActionContext, state: TaskState): Promise<TaskState> {
  const { suite, baseSuite, bench, task } = context;
  await baseSuite.whole();
  if (state.fault !== undefined) return state;
  // What failed at first was asked again in a hurry.
  const baseline = await faultyBaseline(context, bench, suite, {
    key: baseSuite.isGrown ? ":whole" : ":again",
  });
  if (baseline?.ok !== true) return state;
  const fault = faultOf(baseline.value, task.kind) ?? likelyFaultOf(baseline.value, task.kind);
  return fault === undefined ? state : { ...state, fault };
}
