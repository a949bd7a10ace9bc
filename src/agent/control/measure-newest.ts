import type { JudgeContext } from "../action.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import { rowOf, type TaskState } from "../state/task-state.ts";

/**
 * Measures the newest deliverable candidate with the most informative tests, if it has no complete results and there are
 * others. A limit may have ended the work before it was measured, and it would then lose against each measured one.
 */
export async function measureNewest(context: JudgeContext, state: TaskState): Promise<TaskState> {
  const { delivers, measure } = rulesOf(context.task.kind);
  const candidates = state.candidates.filter(({ kind }) => kind === delivers);
  const newest = candidates.at(-1);
  if (newest === undefined || candidates.length < 2 || context.suite.lacks !== undefined) return state;
  const row = rowOf(state, newest.id);
  if (row !== undefined && row.isCut !== true) return state;
  const measured = await measure(context, state, newest, "targets");
  return measured.ok ? { ...state, rows: [...state.rows, measured.value] } : state;
}
