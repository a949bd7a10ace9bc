/** Measures a new candidate at once if the strategy requests it. No action then has to request its test results. */
import type { Candidate } from "../../domain/candidate.ts";
import type { TaskKind } from "../../domain/task.ts";
import { formatTestKey } from "../../domain/test-outcome.ts";
import type { ActionContext, JudgeContext, RunContext } from "../action.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import { composeTree, measureCandidate, rowWithAdded, runOn } from "../measure/run-candidate.ts";
import { type MatrixRow, rowOf, type ShownFault, type TaskState } from "../state/task-state.ts";

/**
 * True if a candidate can be measured because a test shows the fault. Always true for features and for kinds that
 * deliver tests: their candidates contain tests.
 */
export function canMeasure(kind: TaskKind, { fault }: TaskState): boolean {
  return rulesOf(kind).delivers === "test" || kind === "feature" || (fault?.targets ?? []).length > 0;
}

/**
 * Runs the most informative tests on a candidate, and returns the row. If the task delivers tests and the candidate is
 * a fix, measures the newest tests instead. Undefined in these cases:
 * - measuring is off
 * - there is no candidate to measure
 * - no test shows the fault, and the kind of task needs one (`canMeasure`)
 * - the candidate does not apply
 */
export async function measureEdit(
  context: JudgeContext & Pick<ActionContext, "measuresEdits">,
  state: TaskState,
  candidate: Candidate,
): Promise<MatrixRow | undefined> {
  const { measure } = rulesOf(context.task.kind);
  const measured = deliveredBy(context.task.kind, state, candidate);
  if (context.measuresEdits !== true || measured === undefined) return undefined;
  if (!canMeasure(context.task.kind, state)) return undefined;
  const row = await measure(context, state, measured, "targets");
  return row.ok ? row.value : undefined;
}

/**
 * Returns the candidate to measure:
 * - `candidate` itself, if the task delivers this type of candidate
 * - the newest tests, if the task delivers tests and `candidate` is a fix, which may make them pass
 * - otherwise undefined
 */
export function deliveredBy(
  kind: TaskKind,
  { candidates }: Pick<TaskState, "candidates">,
  candidate: Candidate,
): Candidate | undefined {
  const { delivers } = rulesOf(kind);
  if (candidate.kind === delivers) return candidate;
  const isFix = delivers === "test" && candidate.kind === "code";
  return isFix ? candidates.findLast((each) => each.kind === "test") : undefined;
}

/**
 * Returns the candidate's newest row if this row is valid and covers all tests that show the fault. This row may
 * contain more results than a new run of only these tests. Otherwise measures the candidate as `measureEdit` does.
 * Undefined in the cases of `measureEdit`.
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
 * Runs the tests that show the fault on the newest patch, after an author added tests. Adds the new row to the state.
 * If all tests already ran on this patch, the row also contains their results. Undefined without a patch, and in the
 * cases of `measureEdit`.
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

/** True if the row has a result for each test that shows the fault. False if such a test was written after the row. */
export function coversFault({ targets, outcomes }: MatrixRow, fault: ShownFault | undefined): boolean {
  const told = new Set([...targets, ...outcomes].map(({ key }) => formatTestKey(key)));
  return (fault?.targets ?? []).every((key) => told.has(formatTestKey(key)));
}
