/** Makes the row of the matrix that a review of a candidate needs. */
import type { Candidate } from "../../../domain/candidate.ts";
import { formatTestKey, type TestKey, type TestOutcome } from "../../../domain/test-outcome.ts";
import type { ActionContext, JudgeContext } from "../../action.ts";
import { listDroppable } from "../../candidates/droppable.ts";
import { coversFault } from "../../candidates/measure-edit.ts";
import { rulesOf } from "../../kinds/rules-of.ts";
import { measureCandidate, rowWithAdded } from "../../measure/run-candidate.ts";
import { type MatrixRow, rowOf, type TaskState } from "../../state/task-state.ts";

/**
 * Ensures that the candidate has test results (a row of the matrix), because a review needs them. If the run's own
 * tests may be wrong, runs all tests. A review drops such a test only if the candidate passes all others.
 */
export async function measureReviewed(
  context: JudgeContext,
  state: TaskState,
  candidate: Candidate,
): Promise<TaskState> {
  const known = rowOf(state, candidate.id);
  const isKnown = known !== undefined && coversFault(known, state.fault);
  const rowed = isKnown ? state : await addRow(context, state, candidate, scopeLike(known));
  const { broken } = rowOf(rowed, candidate.id) ?? {};
  return droppableOf(context, rowed, candidate).length > 0 && broken === undefined
    ? addRow(context, rowed, candidate, "all")
    : rowed;
}

interface Added {
  /** The results of the added tests with the candidate. */
  readonly outcomes: readonly TestOutcome[];
  /** True if a test passes without the candidate and fails with it. */
  readonly breaks: boolean;
}

/**
 * Ensures that the newest row includes the added tests. If possible, only adds their results to the row of a full run
 * (`rowWithAdded`). Otherwise runs all tests if the previous row has the results of all tests, or if an added test
 * broke.
 */
export async function measureAgain(
  context: JudgeContext,
  state: TaskState,
  candidate: Candidate,
  { outcomes, breaks }: Added,
): Promise<TaskState> {
  const isPlain = rulesOf(context.task.kind).measure === measureCandidate;
  const row = isPlain ? rowWithAdded(context, state, candidate, outcomes) : undefined;
  if (row !== undefined) return { ...state, rows: [...state.rows, row] };
  return addRow(context, state, candidate, breaks ? "all" : scopeLike(rowOf(state, candidate.id)));
}

export function droppableOf(
  { suite }: Pick<ActionContext, "suite">,
  state: TaskState,
  { id }: Candidate,
): TestKey[] {
  const row = rowOf(state, id);
  const own = new Set(suite.outcomes.map(({ key }) => formatTestKey(key)));
  return row === undefined ? [] : listDroppable(state, row, own);
}

function scopeLike(row: MatrixRow | undefined): "targets" | "all" {
  return row?.broken === undefined ? "targets" : "all";
}

async function addRow(
  context: JudgeContext,
  state: TaskState,
  candidate: Candidate,
  scope: "targets" | "all",
): Promise<TaskState> {
  const row = await rulesOf(context.task.kind).measure(context, state, candidate, scope);
  return row.ok ? { ...state, rows: [...state.rows, row.value] } : state;
}
