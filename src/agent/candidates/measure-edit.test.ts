import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import type { ActionContext } from "../action.ts";
import { emptyState, type MatrixRow, type TaskState } from "../state/task-state.ts";
import { measureSince } from "./measure-edit.ts";

const outcome = (name: string): TestOutcome => ({
  key: { package: "", target: "test_a.py", name },
  status: "passed",
  durationMs: 1,
});
const candidate = { id: "c1", tree: "t", kind: "code" as const, origin: "" };
const row: MatrixRow = {
  ...{ candidate: "c1", outcomes: [outcome("old"), outcome("shows")], targets: [outcome("shows")] },
  ...{ broken: [], invalid: undefined, score: [1, 0] },
};
const withTargets = (...names: string[]): TaskState => ({
  ...emptyState,
  rows: [row],
  fault: {
    targets: names.map((name) => outcome(name).key),
    heldBack: [],
    baseRuns: [],
    reason: { holds: true, evidence: "" },
  },
});

test("of a candidate that stands nothing is run again, and what all tests said stays, until tests came since", async () => {
  const asked: string[] = [];
  const context = partOf<ActionContext>({
    measuresEdits: true,
    task: { kind: "repair" },
    switches: { without: [] },
    workspace: {
      base: "b",
      trees: {
        async compose() {
          asked.push("compose");
          return { ok: false, kind: "conflict", message: "of no matter here" };
        },
      },
    },
  });
  expect(await measureSince(context, withTargets("shows"), candidate)).toBe(row);
  expect(asked).toEqual([]);
  expect(await measureSince(context, withTargets("shows", "later"), candidate)).toBeUndefined();
  expect(asked).toEqual(["compose"]);
});
