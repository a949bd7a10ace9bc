/** The state with which the gate judges the chosen candidate. */
import type { ActionContext } from "../../agent/action.ts";
import { addPrograms } from "../../agent/state/standalone-program.ts";
import { emptyState, type TaskState } from "../../agent/state/task-state.ts";
import { reviewOf } from "../../agent/verdict/review-of.ts";
import type { Chosen } from "./choose.ts";
import { type Judged, stateBeside } from "./cross-validate.ts";
import type { ArmRun } from "./run-arms.ts";

/**
 * Returns the state of the candidate's own arm, with the reviews that count for the candidate. If no test of this arm
 * shows the fault, takes the tests of the first arm that has some. Programs of both arms count.
 */
export async function finalState(
  context: Pick<ActionContext, "task" | "workspace">,
  runs: readonly ArmRun[],
  judged: readonly Judged[],
  chosen: Chosen | undefined,
): Promise<TaskState> {
  if (chosen === undefined) return emptyState;
  const { candidate, of } = chosen.judged;
  const { ending, ...own } = chosen.reviewed ?? stateBeside(context, runs, of, candidate);
  const isEnding = ending !== undefined && "candidate" in ending && ending.candidate === candidate.id;
  const other = own.fault === undefined ? runs.find(({ state }) => state.fault !== undefined) : undefined;
  const { fault, programs, candidates } =
    other === undefined ? own : stateBeside(context, runs, other, candidate);
  const review = await reviewOf(context.workspace, candidate, { ...own, candidates: of.candidates });
  // The candidate of a review that also counts for an equal one.
  const read = of.candidates.filter(
    ({ id }) => id === review?.candidate && !candidates.some((each) => each.id === id),
  );
  return {
    ...own,
    ...(isEnding ? { ending } : {}),
    fault,
    programs: addPrograms(programs, own.programs ?? []),
    candidates: [...read, ...candidates],
    rows: judged.map(({ row }) => row),
  };
}
