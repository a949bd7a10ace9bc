/**
 * Removes unnecessary hunks of a given attempt from the best patch. Tries the hunks one after another, without those
 * that it has already removed.
 */
import { countOf, wordFor } from "../../base/count.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { JudgeContext } from "../action.ts";
import { descendsFrom, findGiven } from "../candidates/given-attempt.ts";
import { readHunks, reverseHunk } from "../code/diff-spans.ts";
import { gateHolds } from "../kinds/repair-gate.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import { withinStep } from "../record/limits.ts";
import { keepCandidate } from "../state/keep-candidate.ts";
import { compareScores, type MatrixRow, type TaskState } from "../state/task-state.ts";
import { isOpposed } from "./choose-final.ts";

/** Maximum number of hunks to try, because each costs a run of all tests. */
export const mostHunks = 8;

/** The candidate to deliver, and the state with this candidate. */
export interface Reduced {
  readonly state: TaskState;
  readonly best: Candidate | undefined;
}

/**
 * Adds a smaller candidate, without the given attempt's hunks that the best candidate does not need. Its test results
 * are at least as good as the best candidate's. It passes the gate if the best candidate does. Returns the best
 * candidate itself if it needs all hunks, does not build on the attempt, or if no test that shows the fault passes with it:
 * the tests then cannot tell which hunks it needs. Also returns it if a review's refusal stands.
 */
export async function reduceGiven(
  context: JudgeContext,
  state: TaskState,
  best: Candidate | undefined,
): Promise<Reduced> {
  const same = { state, best };
  const { workspace } = context;
  // The step limit may be used up; only the time limit counts here.
  const limits = withinStep(context.limits);
  const rules = rulesOf(context.task.kind);
  const given = findGiven(state);
  if (best === undefined || given === undefined || !descendsFrom(state, best, given.id)) return same;
  // This change would not answer the refusal.
  if (isOpposed(state, best)) return same;
  const { gate, row } = await rules.judge(context, state, best);
  if (row === undefined || !isShown(row)) return same;
  let tree = best.tree;
  let measured = row;
  let dropped = 0;
  const hunks = readHunks(await workspace.trees.diff(workspace.base, given.tree)).slice(0, mostHunks);
  for (const hunk of hunks.reverse()) {
    const patch = limits.exhausted() === undefined ? reverseHunk(hunk) : undefined;
    const without = patch === undefined ? undefined : await workspace.trees.apply(tree, patch);
    if (without?.ok !== true || without.value === workspace.base) continue;
    const judged = await rules.judge(context, state, { ...best, tree: without.value });
    if (gateHolds(gate) && !gateHolds(judged.gate)) continue;
    if (judged.row?.invalid !== undefined) continue;
    if (judged.row === undefined || compareScores(judged.row.score, measured.score) < 0) continue;
    tree = without.value;
    measured = judged.row;
    dropped += 1;
  }
  if (dropped === 0) return same;
  const origin = `${best.id} without ${dropped} of ${countOf(hunks.length, "hunk")} of the given attempt: the test results are not worse without ${wordFor(dropped, "it", "them")}`;
  const kept = keepCandidate(context, state, { tree, kind: best.kind, parent: best.id, origin });
  const rows = [...kept.state.rows, { ...measured, candidate: kept.candidate.id }];
  return { state: { ...kept.state, rows }, best: kept.candidate };
}

/** True if one of the tests that show the fault passes. */
function isShown({ targets, invalid }: MatrixRow): boolean {
  return invalid === undefined && targets.some(({ status }) => status === "passed");
}
