/** Reviews patches for strategies in which no model chooses the actions. */
import type { Action } from "../agent/action.ts";
import type { AskReview } from "../agent/control/judge-work.ts";
import type { TaskState } from "../agent/state/task-state.ts";
import type { StrategyContext } from "../agent/strategy.ts";
import reviewPatch from "./review-patch.ts";

/**
 * Returns the function that reviews patches; undefined if reviews are disabled. The function reuses an earlier review
 * of the same tree, if neither the claims about wrong tests nor the evidence for the fault changed. A review that ended
 * after a limit does not count: the final judgement has reserved time, and repeats it. `act`: the action that reviews.
 */
export function openReview(
  { switches }: Pick<StrategyContext, "switches">,
  act: Pick<Action, "run"> = reviewPatch,
): AskReview | undefined {
  if (switches.without.includes(reviewPatch.name)) return undefined;
  const known = new Map<string, TaskState>();
  return async (context, state, candidate) => {
    const key = JSON.stringify([candidate.tree, state.saysWrong, state.fault?.reason]);
    const earlier = known.get(key);
    if (earlier !== undefined) return earlier;
    const { state: reviewed } = await act.run(context, state, { candidate: candidate.id });
    if (context.limits.exhausted() === undefined) known.set(key, reviewed);
    return reviewed;
  };
}
