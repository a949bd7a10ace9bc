/**
 * Chooses one of the judged candidates. The results of all arms' tests on the candidates decide first. Among equal
 * candidates a vote decides, and among candidates with equal votes a review.
 */

import { actions } from "../../actions/index.generated.ts";
import type { Action, ActionContext } from "../../agent/action.ts";
import { offeredActions } from "../../agent/control/action-tools.ts";
import { isOpposed } from "../../agent/control/choose-final.ts";
import { beginWork, performAction } from "../../agent/control/perform-action.ts";
import { compareScores, type TaskState } from "../../agent/state/task-state.ts";
import { voteCandidates } from "../../agent/state/vote.ts";
import { countOf, wordFor } from "../../base/count.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { ModelClient } from "../../llm/contract.ts";
import { type Judged, stateBeside } from "./cross-validate.ts";
import type { ArmRun } from "./run-arms.ts";

export interface Chosen {
  readonly judged: Judged;
  /** The deciding reason, as text for people. */
  readonly because: string;
  /** The state after a review of the candidate; absent if none was needed. */
  readonly reviewed?: TaskState;
}

/** Maximum number of patches with different meanings to review. */
const mostReviewed = 3;

export async function chooseBest(
  context: ActionContext,
  runs: readonly ArmRun[],
  judged: readonly Judged[],
): Promise<Chosen | undefined> {
  const best = judged.reduce<Judged | undefined>(
    (most, each) => (most === undefined || compareScores(each.row.score, most.row.score) > 0 ? each : most),
    undefined,
  );
  if (best === undefined) return undefined;
  const equals = judged.filter((each) => compareScores(each.row.score, best.row.score) === 0);
  if (equals.length === 1)
    return { judged: best, because: "its test results are better than those of every other candidate" };
  const { groups } = await voteCandidates(
    context,
    equals.map(({ candidate }) => candidate),
  );
  const [first, second] = groups;
  const of = (id: string): Judged => equals.find(({ candidate }) => candidate.id === id) ?? best;
  if (first === undefined)
    return {
      judged: best,
      because:
        "it is the first of the candidates with the best test results, which change only comments or formatting",
    };
  const winner = of(first.candidates[0].id);
  const votes = `${first.candidates.length} of ${equals.length} candidates with equal results ${wordFor(first.candidates.length, "has", "have")} the same normal form`;
  if (second === undefined || second.candidates.length < first.candidates.length)
    return { judged: winner, because: votes };
  const tied = groups
    .filter(({ candidates }) => candidates.length === first.candidates.length)
    .map(({ candidates }) => of(candidates[0].id));
  return reviewTied(context, runs, winner, tied.slice(1, mostReviewed));
}

/**
 * Chooses the candidate in which a review finds the least. Without a review, or if reviews find no difference, chooses
 * the first.
 */
async function reviewTied(
  context: ActionContext,
  runs: readonly ArmRun[],
  first: Judged,
  equals: readonly Judged[],
): Promise<Chosen> {
  const tied = [first, ...equals];
  const offered = offeredActions(actions, context);
  const review = offered.find(({ name }) => name === "review-patch");
  if (review === undefined)
    return { judged: first, because: "it was the first of equal candidates, and no model can review them" };
  const found: {
    readonly judged: Judged;
    readonly score: readonly number[];
    readonly reviewed: TaskState;
  }[] = [];
  for (const each of tied) {
    const reviewed = await reviewOne(context, runs, each, review);
    found.push({ judged: each, score: scoreReview(reviewed, each.candidate), reviewed });
  }
  const best = found.reduce((most, each) => (compareScores(each.score, most.score) > 0 ? each : most));
  const isAlone = found.every((each) => each === best || compareScores(each.score, best.score) < 0);
  const because = isAlone
    ? `a review finds less against it than against ${countOf(tied.length - 1, "equal candidate")}`
    : "it was the first of the equal candidates in which a review finds least";
  return { judged: best.judged, because, reviewed: best.reviewed };
}

/** Reviews a candidate, and returns the state with the review. */
async function reviewOne(
  context: ActionContext,
  runs: readonly ArmRun[],
  { candidate, of, row }: Judged,
  review: Action,
): Promise<TaskState> {
  const state = { ...stateBeside(context, runs, of, candidate), rows: [row] };
  const work = beginWork(state);
  const final = { ...context, models: withReserve(context.models) };
  const input = review.input.parse({ candidate: candidate.id });
  await performAction(final, work, review, input);
  return work.state;
}

/** Scores the last review of a candidate: higher is better. An open refusal counts more than any number of doubts. */
export function scoreReview(state: TaskState, candidate: Candidate): readonly number[] {
  const findings = state.reviews.findLast((each) => each.candidate === candidate.id)?.findings ?? [];
  const count = (weight: string): number => findings.filter((each) => each.weight === weight).length;
  return [-count("refuted"), isOpposed(state, candidate) ? 0 : 1, -count("objection"), -count("doubt")];
}

/** Marks the review's calls as final, because budgets have a reserve for it. */
function withReserve(models: ModelClient): ModelClient {
  return { ...models, generate: (request) => models.generate({ ...request, final: true }) };
}
