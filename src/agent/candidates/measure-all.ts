import type { JudgeContext } from "../action.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import type { MatrixRow, TaskState } from "../state/task-state.ts";

/**
 * Measures each deliverable candidate with all tests, so that they can be compared. Does nothing for a single
 * candidate.
 */
export async function measureAll(context: JudgeContext, state: TaskState): Promise<TaskState> {
  const { delivers, measure } = rulesOf(context.task.kind);
  const candidates = state.candidates.filter(({ kind }) => kind === delivers);
  if (candidates.length < 2) return state;
  const rows: MatrixRow[] = [];
  for (const candidate of candidates) {
    const row = await measure(context, state, candidate, "all");
    if (row.ok) rows.push(row.value);
  }
  return { ...state, rows: [...state.rows, ...rows] };
}
