import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TestKey } from "../../domain/test-outcome.ts";
import { emptyState } from "../state/task-state.ts";
import { settleBase } from "./settle-base.ts";

const [unit, spec]: [TestKey, TestKey] = [
  { package: "", target: "test/unit/fee.js", name: "fee" },
  { package: "", target: "test/specs/fee.spec.js", name: "fee" },
];

test.each([
  ["leaves the other targets", [unit, spec], [unit]],
  ["leaves no fault if all targets are such tests", [spec], undefined],
])("a failing test that the command does not collect %s", async (_, targets, left) => {
  const fault = { targets, heldBack: [], baseRuns: [], reason: { holds: true, evidence: "" } };
  const context = partOf<Parameters<typeof settleBase>[0]>({
    suite: { outcomes: [], uncollected: ["test/specs/fee.spec.js::fee"] },
    baseSuite: { whole: async () => {} },
    task: { kind: "repair" },
  });
  const settled = await settleBase(context, { ...emptyState, fault }, { read: async () => undefined });
  expect(settled.fault?.targets).toEqual(left);
});
