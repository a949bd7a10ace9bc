/** Written tests that may be wrong themselves: a candidate passes all others, and none passes these. Pure. */
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import type { MatrixRow, ShownFault, TaskState } from "../state/task-state.ts";

/** Tests that the repository has are never among them, and never all that show the fault. */
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
