import { expect, test } from "vitest";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { emptyState, type MatrixRow, type TaskState } from "../state/task-state.ts";
import { rowWithAdded, wholeRow } from "./run-candidate.ts";

const outcome = (name: string, status: TestOutcome["status"] = "passed"): TestOutcome => ({
  key: { package: "", target: "tests/test_a.py", name },
  status,
  durationMs: 1,
});
const candidate = { id: "c1", tree: "t", kind: "code" as const, origin: "" };
const [old, shows, added, guard] = ["old", "shows", "added", "guard"].map((name) => outcome(name)) as [
  TestOutcome,
  TestOutcome,
  TestOutcome,
  TestOutcome,
];
const row: MatrixRow = {
  candidate: "c1",
  outcomes: [old, shows],
  targets: [shows],
  broken: [],
  invalid: undefined,
  score: [],
};
const withRow = (one: MatrixRow, targets: TestOutcome[], guards: TestOutcome[] = []): TaskState => ({
  ...emptyState,
  rows: [one],
  fault: {
    targets: targets.map(({ key }) => key),
    heldBack: [],
    guards,
    baseRuns: [],
    reason: { holds: true, evidence: "" },
  },
});
const context = { suite: { outcomes: [old] } } as unknown as Parameters<typeof rowWithAdded>[0];

test("a run of all tests stands until tests are written that it has not heard", () => {
  expect(wholeRow(withRow(row, [shows]), candidate)).toBe(row);
  expect(wholeRow(withRow(row, [shows, added]), candidate)).toBeUndefined();
  expect(wholeRow(withRow(row, [shows], [guard]), candidate)).toBeUndefined();
  const late = { ...row, outcomes: [old, outcome("shows", "not-run")] };
  for (const no of [late, { ...row, broken: undefined }, { ...row, invalid: "killed" }])
    expect(wholeRow(withRow(no, [shows]), candidate)).toBeUndefined();
});

test("what added tests say is added to what all have said; without a run of all there is nothing to add to", () => {
  const state = withRow(row, [shows, added], [guard]);
  const said = [added, outcome("guard", "failed"), outcome("old", "skipped")];
  const next = rowWithAdded(context, state, candidate, said);
  expect(next?.targets.map(({ status }) => status)).toEqual(["passed", "passed"]);
  expect(next?.broken).toEqual(["tests/test_a.py::guard"]);
  expect(wholeRow({ ...state, rows: [...state.rows, next ?? row] }, candidate)).toBe(next);
  expect(
    rowWithAdded(context, withRow({ ...row, broken: undefined }, [shows]), candidate, []),
  ).toBeUndefined();
});
