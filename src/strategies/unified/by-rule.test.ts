import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { ActionContext } from "../../agent/action.ts";
import { beginWork } from "../../agent/control/perform-action.ts";
import { emptyState, type Fact, type TaskState } from "../../agent/state/task-state.ts";
import type { ThinkTool } from "../../agent/think/think.ts";
import { editFirst } from "./by-rule.ts";

const key = { package: "", target: "tests/test_pay.py", name: "test_pays" };
const frames = [
  { file: key.target, line: 3 },
  { file: "bank/pay.py", line: 9 },
];
const failure = { type: "KeyError", message: "7", frames, text: "" };
const outcome = { key, status: "failed" as const, durationMs: 1, failure };
const shown: TaskState = {
  ...emptyState,
  fault: {
    targets: [key],
    heldBack: [],
    baseRuns: [[outcome], [outcome]],
    reason: { holds: true, evidence: "" },
  },
};

async function edited(state: TaskState, likely: string): Promise<boolean> {
  const recorder = { events: [], append: () => {} };
  const places = [{ file: likely, startLine: 1, endLine: 2, why: "" }];
  const context = partOf<ActionContext>({
    ...{ task: { kind: "repair" }, recorder, limits: { exhausted: () => undefined } },
    likely: { places, tests: [] },
  });
  const tool = partOf<ThinkTool<true>>({ name: "edit-code", run: async () => ({ text: "Candidate c1" }) });
  return (await editFirst(context, beginWork(state), [tool])) !== undefined;
}

test("the likeliest place is edited by rule where the failure comes out of it, unless another strategy tried in vain", async () => {
  expect(await edited(shown, "bank/pay.py")).toBe(true);
  expect(await edited(shown, "bank/owe.py")).toBe(false);
  const vain: Fact = { kind: "vain", arm: "1", text: "Tried without success: a guard at bank/pay.py:9" };
  const told = { ...shown, facts: [vain] };
  expect(await edited(told, "bank/pay.py")).toBe(false);
  const hidden = {
    ...shown,
    fault: { ...(shown.fault as NonNullable<TaskState["fault"]>), heldBack: [key] },
  };
  expect(await edited(hidden, "bank/pay.py")).toBe(false);
});
