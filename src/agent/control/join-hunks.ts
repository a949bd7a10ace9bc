/**
 * Adds hunks of a given attempt to the best patch, if the patch does not build on the attempt. Tries the hunks one after
 * another, and keeps those that raise the score.
 */
import { countOf } from "../../base/count.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { JudgeContext } from "../action.ts";
import { descendsFrom, findGiven } from "../candidates/given-attempt.ts";
import { readHunks, singleHunk } from "../code/diff-spans.ts";
import { gateHolds } from "../kinds/repair-gate.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import { withinStep } from "../record/limits.ts";
import { keepCandidate } from "../state/keep-candidate.ts";
import { compareScores, type TaskState } from "../state/task-state.ts";
import { isOpposed } from "./choose-final.ts";
import { mostHunks, type Reduced } from "./reduce-hunks.ts";

/**
 * Returns the joined candidate. Returns `best` if there is no attempt, if `best` builds on the attempt, if its gate
 * holds, if a review's refusal stands, or if no hunk of the attempt raises its score.
 */
export async function joinGiven(
  context: JudgeContext,
  state: TaskState,
  best: Candidate | undefined,
): Promise<Reduced> {
  const same = { state, best };
  const { workspace } = context;
  const limits = withinStep(context.limits);
  const rules = rulesOf(context.task.kind);
  const given = findGiven(state);
  if (best === undefined || given === undefined || descendsFrom(state, best, given.id)) return same;
  // This change would not answer the refusal.
  if (isOpposed(state, best)) return same;
  const first = await rules.judge(context, state, best);
  if (gateHolds(first.gate) || first.row === undefined) return same;
  let { row } = first;
  let tree = best.tree;
  let added = 0;
  // A patch of code contains no tests.
  const own = readHunks(await workspace.trees.diff(workspace.base, given.tree)).filter(
    ({ file }) => !context.regions.isWhole(file),
  );
  const hunks = own.slice(0, mostHunks);
  for (const hunk of hunks) {
    const patch = limits.exhausted() === undefined ? singleHunk(hunk) : undefined;
    const joined = patch === undefined ? undefined : await workspace.trees.apply(tree, patch);
    if (joined?.ok !== true || joined.value === tree) continue;
    const judged = await rules.judge(context, state, { ...best, tree: joined.value });
    if (judged.row === undefined || judged.row.invalid !== undefined) continue;
    if (compareScores(judged.row.score, row.score) <= 0) continue;
    ({ row } = judged);
    tree = joined.value;
    added += 1;
  }
  if (added === 0) return same;
  const origin = `${best.id} with ${added} of ${countOf(hunks.length, "hunk")} of the given attempt, which improve the test results`;
  const kept = keepCandidate(context, state, { tree, kind: best.kind, parent: best.id, origin });
  const rows = [...kept.state.rows, { ...row, candidate: kept.candidate.id }];
  return { state: { ...kept.state, rows }, best: kept.candidate };
}
