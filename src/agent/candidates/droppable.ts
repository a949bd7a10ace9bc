/**
 * Finds written tests that may be wrong: no candidate passes them, although a candidate passes other tests of the
 * fault.
 */

import { fail, type Result, succeed } from "../../base/result.ts";
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import type { ActionContext } from "../action.ts";
import { remarkOnce } from "../record/once.ts";
import { type MatrixRow, rowOf, type ShownFault, type TaskState } from "../state/task-state.ts";

/**
 * Lists written tests that may be wrong: the candidate of `row` fails them, and no other candidate passes them. Empty
 * without a fault, or if `row` is invalid. Also empty if the candidate passes no test that shows the fault, or fails a
 * test of the repository (`ownTests`).
 */
export function listDroppable(
  { fault, rows, candidates }: TaskState,
  row: MatrixRow,
  ownTests: ReadonlySet<string>,
): TestKey[] {
  if (fault === undefined || row.invalid !== undefined) return [];
  const guards = (fault.guards ?? []).map(({ key }) => key);
  const broken = guards.filter((key) => row.broken?.includes(formatTestKey(key)) === true);
  if (broken.length < (row.broken ?? []).length) return [];
  const failing = row.targets.filter(({ status }) => status !== "passed").map(({ key }) => key);
  if (failing.length === row.targets.length || failing.some((key) => ownTests.has(formatTestKey(key))))
    return [];
  const others = rows.filter(
    ({ candidate, invalid }) =>
      invalid === undefined && candidates.some(({ id, kind }) => id === candidate && kind === "code"),
  );
  const isPassed = (key: TestKey): boolean =>
    others.some(({ targets, outcomes }) =>
      [...targets, ...outcomes].some(
        (each) => formatTestKey(each.key) === formatTestKey(key) && each.status === "passed",
      ),
    );
  const wrong = failing.some(isPassed) ? failing.filter((key) => !isPassed(key)) : failing;
  return [...wrong, ...broken.filter((key) => !isPassed(key))];
}

/**
 * Finds the written tests that a planner wants to replace, by their ids or names. Fails for a test that may be correct.
 * Also fails for a guard: a guard passes without a patch, but its replacement would have to fail. Only a review can
 * drop a guard. The error message does not name held-back tests.
 */
export function findReplaced(
  { suite }: Pick<ActionContext, "suite">,
  state: TaskState,
  names: readonly string[],
): Result<readonly TestKey[], "refused"> {
  const own = new Set(suite.outcomes.map(({ key }) => formatTestKey(key)));
  const last = state.candidates.findLast(({ kind }) => kind === "code");
  const row = last === undefined ? undefined : rowOf(state, last.id);
  const { guards = [], heldBack = [] } = state.fault ?? {};
  const idsOf = (keys: readonly TestKey[]): ReadonlySet<string> => new Set(keys.map(formatTestKey));
  const [guarding, hidden] = [idsOf(guards.map(({ key }) => key)), idsOf(heldBack)];
  const all = row === undefined ? [] : listDroppable(state, row, own);
  const can = all.filter((key) => !guarding.has(formatTestKey(key)));
  const shown = can.filter((key) => !hidden.has(formatTestKey(key)));
  const found = names.map((name) => can.find((key) => [formatTestKey(key), key.name].includes(name)));
  if (!found.includes(undefined)) return succeed(found.filter((key) => key !== undefined));
  const offered = shown.length === 0 ? "none" : shown.map(formatTestKey).join(", ");
  return fail(
    "refused",
    `A written test can be replaced if no candidate passes it. The newest patch must also pass another test of the fault, and break no existing test. Replaceable: ${offered}. \`review-patch\` can drop other written tests that are wrong. To add tests without replacing any, omit \`replaces\`.`,
  );
}

/**
 * Drops the tests `replaced` from the fault, and mentions this in the state, the record and the report. `by`: the
 * reproduction with the new tests.
 */
export function replaceTests(
  { recorder }: Pick<ActionContext, "recorder">,
  state: TaskState,
  replaced: readonly TestKey[],
  by: string,
): TaskState {
  if (state.fault === undefined || replaced.length === 0) return state;
  const texts = replaced.map(
    (key) =>
      `The written test ${formatTestKey(key)} was dropped: no candidate passes it, and ${by} replaces it`,
  );
  for (const text of texts) remarkOnce(recorder, text);
  const fault = replaced.map(formatTestKey).reduce(dropTest, state.fault);
  return { ...state, fault, assumptions: [...state.assumptions, ...texts] };
}

export function dropTest(fault: ShownFault, id: string): ShownFault {
  const without = (keys: readonly TestKey[]): TestKey[] => keys.filter((key) => formatTestKey(key) !== id);
  const guards = (fault.guards ?? []).filter(({ key }) => formatTestKey(key) !== id);
  return {
    ...fault,
    targets: without(fault.targets),
    heldBack: without(fault.heldBack),
    ...(fault.guards === undefined ? {} : { guards }),
  };
}
