/** Reviews patches for strategies in which no model chooses the actions. */
import type { AskReview } from "../agent/control/judge-work.ts";
import type { TaskState } from "../agent/state/task-state.ts";
import type { StrategyContext } from "../agent/strategy.ts";
import reviewPatch from "./review-patch.ts";

/**
 * Returns the function that reviews patches; undefined if reviews are disabled. The function reuses an earlier review
 * of the same tree, if neither the claims about wrong tests nor the evidence for the fault changed.
 */
export function openReview({ switches }: Pick<StrategyContext, "switches">): AskReview | undefined {
  if (switches.without.includes(reviewPatch.name)) return undefined;
  const known = new Map<string, TaskState>();
  return async (context, state, candidate) => {
    const key = JSON.stringify([candidate.tree, state.saysWrong, state.fault?.reason]);
    const reviewed =
      known.get(key) ?? (await reviewPatch.run(context, state, { candidate: candidate.id })).state;
    known.set(key, reviewed);
    return reviewed;
  };
}
