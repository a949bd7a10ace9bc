import { expect, test } from "vitest";
import type { TestKey } from "../../domain/test-outcome.ts";
import { type ConfirmingRun, judgeConfirmation } from "./judge-confirmation.ts";

const key: TestKey = { package: "", target: "t.py", name: "t" };
const claim = { tests: [key], without: "base", patched: "patch", failing: "all" } as const;
const sides = [false, true, false, true];
const runsOf = (passes: (index: number) => boolean): ConfirmingRun[] =>
  sides.map((patched, index) => ({
    patched,
    varied: index > 1,
    outcomes: [{ key, status: passes(index) ? "passed" : "failed" }],
    canary: "held",
  }));

test("a test that fails without the patch and passes with it, twice, is confirmed", () => {
  const runs = runsOf((index) => sides[index] === true);
  expect(judgeConfirmation(claim, runs, "in reversed order")).toMatchObject({
    holds: true,
    evidence: expect.stringContaining("(the second time in reversed order)"),
  });
});

test.each([0, 1, 2, 3, 4])("one that passes since a moment is not, whatever the moment: run %i", (moment) => {
  const { holds } = judgeConfirmation(
    claim,
    runsOf((index) => index >= moment),
    undefined,
  );
  expect(holds).toBe(false);
});

test.each([0, 1, 2, 3, 4])("nor one that passes until a moment: run %i", (moment) => {
  const { holds } = judgeConfirmation(
    claim,
    runsOf((index) => index < moment),
    undefined,
  );
  expect(holds).toBe(false);
});
