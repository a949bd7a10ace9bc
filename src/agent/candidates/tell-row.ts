/**
 * Describes a candidate's test results to the next author: figures, broken tests, failures, and missing items such as
 * unexecuted lines.
 */
import { formatTestKey, isFailing, type TestOutcome } from "../../domain/test-outcome.ts";
import type { ActionContext } from "../action.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import type { Outputs } from "../record/outputs.ts";
import { mostBroken, renderFailures, renderRow, tellMore } from "../state/render-state.ts";
import { adviseClaims } from "../state/says-wrong.ts";
import { type MatrixRow, type TaskState, withoutHeldBack } from "../state/task-state.ts";
import { listDroppable } from "./droppable.ts";
import { findGiven, hasOwnPatch } from "./given-attempt.ts";

const mostListed = 10;
const mostMissing = 40;

export function tellRow(
  context: Pick<ActionContext, "recorder" | "suite" | "switches" | "task">,
  state: TaskState,
  row: MatrixRow,
): string {
  const { candidate, broken = [], missing = [] } = row;
  const { outputs } = context.recorder;
  const lacks = firstOf(missing, mostMissing, outputs);
  return [
    `${candidate}: ${renderRow(row, state.fault)}.`,
    ...(broken.length <= mostBroken ? [] : [`Broken: ${firstOf(broken, mostListed, outputs).join(", ")}`]),
    ...(missing.length === 0 ? [] : [["Missing:", ...lacks].join("\n- ")]),
    ...renderFailures(failuresOf(state, row), outputs),
    ...adviseClaims(context.task.kind, state, broken),
    ...tellDoubt(context, state, row),
  ].join("\n\n");
}

/** The first items, and a way to see the others. */
function firstOf(items: readonly string[], most: number, outputs: Outputs): string[] {
  const rest = items.slice(most);
  return [...items.slice(0, most), ...(rest.length === 0 ? [] : [`… and ${tellMore(rest, outputs)}`])];
}

/** Names written tests that may be wrong, and the actions that can replace or drop them. */
function tellDoubt(
  { suite, switches, task }: Pick<ActionContext, "suite" | "switches" | "task">,
  state: TaskState,
  row: MatrixRow,
): string[] {
  const own = new Set(suite.outcomes.map(({ key }) => formatTestKey(key)));
  // The given attempt does not solve the task, so its failures are credible.
  if (findGiven(state)?.id === row.candidate && !hasOwnPatch(state)) return [];
  const doubtful = listDroppable(state, row, own);
  if (doubtful.length === 0) return [];
  const guards = new Set((state.fault?.guards ?? []).map(({ key }) => formatTestKey(key)));
  const has = (action: string): boolean => !switches.without.includes(action);
  const isTarget = doubtful.some((key) => !guards.has(formatTestKey(key)));
  const isWritten = rulesOf(task.kind).way.some(({ action }) => action === "reproduction");
  const ways = [
    ...(isTarget && isWritten && has("reproduction") ? ["`reproduction` can replace such a test"] : []),
    ...(has("review-patch") ? ["`review-patch` of this candidate can drop it"] : []),
  ];
  return ways.length === 0 ? [] : [`${mayBeWrong}: ${ways.join(", and ")}.`];
}

const mayBeWrong =
  "At least one test that this run wrote passes with no candidate. Such a test may itself be wrong, in its expectation or its setup";

/** Failures of the target tests, or else of the broken tests. */
function failuresOf({ fault }: TaskState, { targets, outcomes, broken = [] }: MatrixRow): TestOutcome[] {
  const shown = withoutHeldBack(fault, targets).filter(({ status }) => isFailing(status));
  if (shown.length > 0) return shown;
  const ids = new Set(broken);
  return outcomes.filter(({ key }) => ids.has(formatTestKey(key)));
}
