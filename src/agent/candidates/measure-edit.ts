/** A candidate that was just written, measured at once where the strategy wants it: nobody has to ask what its tests say. */
import type { Candidate } from "../../domain/candidate.ts";
import type { TaskKind } from "../../domain/task.ts";
import { formatTestKey } from "../../domain/test-outcome.ts";
import type { ActionContext, JudgeContext, RunContext } from "../action.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import { composeTree, measureCandidate, rowWithAdded, runOn } from "../measure/run-candidate.ts";
import { type MatrixRow, rowOf, type ShownFault, type TaskState } from "../state/task-state.ts";

/** Of code, what nothing shows yet says nothing; tests, and a feature's code, have their own with them. */
export function canMeasure(kind: TaskKind, { fault }: TaskState): boolean {
  return rulesOf(kind).delivers === "test" || kind === "feature" || (fault?.targets ?? []).length > 0;
}

/** By the tests that tell most; undefined where there is none to run, or nothing is measured at once. */
export async function measureEdit(
  context: JudgeContext & Pick<ActionContext, "measuresEdits">,
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
  context: JudgeContext & Pick<ActionContext, "measuresEdits">,
  state: TaskState,
  candidate: Candidate,
): Promise<MatrixRow | undefined> {
  const known = rowOf(state, candidate.id);
  const isKnown = known !== undefined && known.invalid === undefined && coversFault(known, state.fault);
  return isKnown && context.measuresEdits === true ? known : measureEdit(context, state, candidate);
}

/**
 * What tests that were just written say of the newest patch: beside what a run of all said of it, where there was one. Undefined where
 * there is no patch, or nothing is measured at once.
 */
export async function measureLatest(
  context: JudgeContext & Pick<ActionContext, "measuresEdits">,
  state: TaskState,
): Promise<{ readonly state: TaskState; readonly row: MatrixRow } | undefined> {
  const candidate = state.candidates.findLast(({ kind }) => kind === "code");
  if (candidate === undefined) return undefined;
  const row = (await addToWhole(context, state, candidate)) ?? (await measureEdit(context, state, candidate));
  return row === undefined ? undefined : { state: { ...state, rows: [...state.rows, row] }, row };
}

async function addToWhole(
  context: RunContext & Pick<ActionContext, "measuresEdits" | "task">,
  state: TaskState,
  candidate: Candidate,
): Promise<MatrixRow | undefined> {
  const isPlain = rulesOf(context.task.kind).measure === measureCandidate && context.measuresEdits === true;
  if (!isPlain || rowWithAdded(context, state, candidate, []) === undefined) return undefined;
  const composed = await composeTree(context, state, candidate);
  const { targets = [], guards = [] } = state.fault ?? {};
  const tests = [...targets, ...guards.map(({ key }) => key)];
  if (!composed.ok || tests.length === 0) return undefined;
  const { outcomes, invalid } = await runOn(context, composed.value, { kind: "tests", tests });
  return invalid === undefined ? rowWithAdded(context, state, candidate, outcomes) : undefined;
}

/** False where tests were written since. */
export function coversFault({ targets, outcomes }: MatrixRow, fault: ShownFault | undefined): boolean {
  const told = new Set([...targets, ...outcomes].map(({ key }) => formatTestKey(key)));
  return (fault?.targets ?? []).every((key) => told.has(formatTestKey(key)));
}
