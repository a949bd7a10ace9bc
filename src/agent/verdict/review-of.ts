import type { Candidate } from "../../domain/candidate.ts";
import type { Workspace } from "../../workspace/contract.ts";
import type { Review, TaskState } from "../state/task-state.ts";
import { formOf } from "../state/vote.ts";

/**
 * Returns the newest review of the candidate or of a candidate with the same normal form. A change without effect thus
 * does not invalidate a review. Undefined without a review.
 */
export async function reviewOf(
  workspace: Workspace,
  { id, tree }: Candidate,
  { reviews, candidates }: TaskState,
): Promise<Review | undefined> {
  const form = reviews.length === 0 ? "" : await formOf(workspace, tree);
  for (const review of reviews.toReversed()) {
    const of = candidates.find((each) => each.id === review.candidate);
    if (review.candidate === id) return review;
    if (of !== undefined && of.tree !== tree && (await formOf(workspace, of.tree)) !== form) continue;
    if (of !== undefined) return review;
  }
  return undefined;
}
