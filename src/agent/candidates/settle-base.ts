/** The start of a judgement: all tests on the base, and the fault that they show if nothing else showed it. */
import type { ActionContext, JudgeContext } from "../action.ts";
import { matchTextsOf } from "../measure/match-failing.ts";
import { testsOf } from "../measure/text-of-tests.ts";
import type { TaskState } from "../state/task-state.ts";
import { faultOf, faultyBaseline, likelyFaultOf } from "./fault-of-base.ts";

/** `byWords`: also accepts a fault that shares only words with the statement. */
export async function settleBase(
  context: JudgeContext & Pick<ActionContext, "testCommand" | "rememberedCommand" | "testTimeoutMs">,
  state: TaskState,
  { byWords = true }: { readonly byWords?: boolean } = {},
): Promise<TaskState> {
  const { suite, baseSuite, bench, task } = context;
  await baseSuite.whole();
  if (state.fault !== undefined) return state;
  // The first failures were repeated only briefly.
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
