/** What a judgement begins with: all tests on the base, and the fault that they show where nothing else showed it. */
import type { ActionContext, JudgeContext } from "../action.ts";
import { matchTextsOf } from "../measure/match-failing.ts";
import { testsOf } from "../measure/text-of-tests.ts";
import type { TaskState } from "../state/task-state.ts";
import { faultOf, faultyBaseline, likelyFaultOf } from "./fault-of-base.ts";

/** `byWords`: also a fault of which only words of the statement speak. */
export async function settleBase(
  context: JudgeContext & Pick<ActionContext, "testCommand" | "rememberedCommand" | "testTimeoutMs">,
  state: TaskState,
  { byWords = true }: { readonly byWords?: boolean } = {},
): Promise<TaskState> {
  const { suite, baseSuite, bench, task } = context;
  await baseSuite.whole();
  if (state.fault !== undefined) return state;
  // What failed at first was asked again in a hurry.
  const baseline = await faultyBaseline(context, bench, suite, {
    key: baseSuite.isGrown ? ":whole" : ":again",
    matchTexts: (_, failing, signature) =>
      matchTextsOf(testsOf(context, context.workspace.base), failing, signature),
  });
  if (baseline?.ok !== true) return state;
  const likely = byWords ? likelyFaultOf(baseline.value, task.kind) : undefined;
  const fault = faultOf(baseline.value, task.kind) ?? likely;
  return fault === undefined ? state : { ...state, fault };
}
