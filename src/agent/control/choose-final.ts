/**
 * Chooses the candidate that a run delivers if nobody has chosen one. The matrix decides first. Among equal candidates,
 * those with the fewest failing standalone programs come first, then those without an objection of a review, then those
 * with the most votes, then those that a review approved, then the newest. Asks no model.
 */
import type { Candidate } from "../../domain/candidate.ts";
import type { ActionContext } from "../action.ts";
import { countFailing } from "../candidates/run-programs.ts";
import { compareScores, rowOf, type TaskState } from "../state/task-state.ts";
import { voteCandidates } from "../state/vote.ts";
import { listRefusals } from "../verdict/standing-objection.ts";

export async function chooseFinal(
  { workspace }: Pick<ActionContext, "workspace">,
  state: TaskState,
  kind: Candidate["kind"],
): Promise<Candidate | undefined> {
  const all = state.candidates.filter((candidate) => candidate.kind === kind);
  const best = equalsOf(all, ({ id }) => {
    const row = rowOf(state, id);
    return row === undefined || row.invalid !== undefined ? [] : row.score;
  });
  const passing = equalsOf(best, ({ id }) => [-countFailing(state, id)]);
  const open = equalsOf(passing, (candidate) => [isOpposed(state, candidate) ? 0 : 1]);
  if (open.length < 2) return open[0];
  const { groups } = await voteCandidates({ workspace }, open);
  const votesOf = ({ id }: Candidate): number =>
    groups.find(({ candidates }) => candidates.some((each) => each.id === id))?.candidates.length ?? 0;
  const voted = equalsOf(open, (candidate) => [votesOf(candidate)]);
  return equalsOf(voted, ({ id }) => [reviewOf(state, id)?.isApproved === true ? 1 : 0]).at(-1);
}

/** The candidates with the highest score, in their order. */
function equalsOf(
  candidates: readonly Candidate[],
  scoreOf: (candidate: Candidate) => readonly number[],
): Candidate[] {
  const scored = candidates.map((candidate) => ({ candidate, score: scoreOf(candidate) }));
  return scored
    .filter(({ score }) => scored.every((other) => compareScores(score, other.score) >= 0))
    .map(({ candidate }) => candidate);
}

function reviewOf({ reviews }: Pick<TaskState, "reviews">, id: string) {
  return reviews.findLast(({ candidate }) => candidate === id);
}

/** True if a refusal of the last review stands. Without a review, only the gate decides. */
export function isOpposed(state: TaskState, candidate: Pick<Candidate, "id">): boolean {
  const review = reviewOf(state, candidate.id);
  return review !== undefined && listRefusals(review, candidate, state).length > 0;
}
