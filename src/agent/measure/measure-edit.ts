/** A candidate that was just written, measured at once where the strategy wants it: nobody has to ask what its tests say. */
import type { Candidate } from "../../domain/candidate.ts";
import type { TaskKind } from "../../domain/task.ts";
import { formatTestKey } from "../../domain/test-outcome.ts";
import type { ActionContext } from "../action.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import { type MatrixRow, rowOf, type ShownFault, type TaskState } from "../state/task-state.ts";

/** Of code, what nothing shows yet says nothing; tests, and a feature's code, have their own with them. */
export function canMeasure(kind: TaskKind, { fault }: TaskState): boolean {
  return rulesOf(kind).delivers === "test" || kind === "feature" || (fault?.targets ?? []).length > 0;
}

/** By the tests that tell most; undefined where there is none to run, or nothing is measured at once. */
export async function measureEdit(
  context: ActionContext,
  state: TaskState,
  candidate: Candidate,
): Promise<MatrixRow | undefined> {
  const { delivers, measure } = rulesOf(context.task.kind);
  if (context.measuresEdits !== true || candidate.kind !== delivers) return undefined;
  if (!canMeasure(context.task.kind, state)) return undefined;
  const row = await measure(context, state, candidate, "targets");
  return row.ok ? row.value : undefined;
}

/**
 * Of a candidate that stands as it was: its newest row where that has heard all tests that show the fault. A run of these alone would say
 * less than it may know.
 */
export async function measureSince(
  context: ActionContext,
  state: TaskState,
  candidate: Candidate,
): Promise<MatrixRow | undefined> {
  const known = rowOf(state, candidate.id);
  const isKnown = known !== undefined && known.invalid === undefined && coversFault(known, state.fault);
  return isKnown && context.measuresEdits === true ? known : measureEdit(context, state, candidate);
}

/** False where tests were written since. */
export function coversFault({ targets, outcomes }: MatrixRow, fault: ShownFault | undefined): boolean {
  const told = new Set([...targets, ...outcomes].map(({ key }) => formatTestKey(key)));
  return (fault?.targets ?? []).every((key) => told.has(formatTestKey(key)));
}
