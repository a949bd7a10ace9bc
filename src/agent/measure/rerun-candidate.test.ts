import { expect, test } from "vitest";
import type { TestOutcome, TestStatus } from "../../domain/test-outcome.ts";
import { findLate } from "./rerun-candidate.ts";

test("a test hung in the company of others if it passes alone in a small part of the limit", () => {
  const outcome = (name: string, status: TestStatus, durationMs: number): TestOutcome => ({
    ...{ key: { package: "", target: "a.py", name }, status, durationMs },
  });
  const ran = ["hangs", "slow", "stuck"].map((name) => outcome(name, "timed-out", 10_000));
  const alone = [
    outcome("hangs", "passed", 20),
    outcome("slow", "passed", 8_000),
    outcome("stuck", "timed-out", 40_000),
    outcome("other", "passed", 5),
  ];
  expect(findLate([...ran, outcome("other", "passed", 5)], alone, 10_000).map(({ key }) => key.name)).toEqual(
    ["hangs"],
  );
});
