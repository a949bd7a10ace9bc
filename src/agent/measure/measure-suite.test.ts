import { expect, test } from "vitest";
import type { TestOutcome, TestStatus } from "../../domain/test-outcome.ts";
import { testTimeoutOf } from "./measure-suite.ts";

function took(status: TestStatus, durationMs: number): TestOutcome {
  return { key: { package: "", target: "test_a.py", name: `test_${durationMs}` }, status, durationMs };
}

test.each([
  ["at least a second", [took("passed", 20)], 1_000],
  ["five times the slowest that passes", [took("passed", 20), took("passed", 700)], 3_500],
  ["five times the slowest that fails: it may run as long when it passes", [took("failed", 900)], 4_500],
  ["no more than ten seconds for one that fails late", [took("errored", 60_000)], 10_000],
  ["twice a very slow one that passes", [took("passed", 28_000), took("failed", 900)], 56_000],
  ["nothing from one that met a limit", [took("timed-out", 10_000)], 1_000],
])("the limit of a test is %s", (_, outcomes, limit) => {
  expect(testTimeoutOf({ outcomes })).toBe(limit);
});

test("the user's limit of a test is never passed", () => {
  expect(testTimeoutOf({ outcomes: [took("failed", 2_000)], testTimeoutMs: 1_500 })).toBe(1_500);
});
