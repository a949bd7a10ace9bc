/** A candidate that was just written, measured at once where the strategy wants it: nobody has to ask what its tests say. */
import type { Candidate } from "../../domain/candidate.ts";
import type { ActionContext } from "../action.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import type { MatrixRow, TaskState } from "../state/task-state.ts";

/** By the tests that tell most; undefined where there is none to run, or nothing is measured at once. */
export async function measureEdit(
  context: ActionContext,
  state: TaskState,
  candidate: Candidate,
): Promise<MatrixRow | undefined> {
  const { delivers, measure } = rulesOf(context.task.kind);
  if (context.measuresEdits !== true || candidate.kind !== delivers) return undefined;
  // Of code, what nothing shows yet says nothing; a feature's code has its tests with it.
  const hasTests = delivers === "test" || context.task.kind === "feature";
  if (!hasTests && (state.fault?.targets ?? []).length === 0) return undefined;
  const row = await measure(context, state, candidate, "targets");
  return row.ok ? row.value : undefined;
}
