import { expect, test } from "vitest";
import type { TestOutcome, TestStatus } from "../domain/test-outcome.ts";
import { findFlakyTests } from "./flaky-tests.ts";

test("a test is flaky that passes in one run and fails in another", () => {
  const run = (statuses: Record<string, TestStatus>): TestOutcome[] =>
    Object.entries(statuses).map(([name, status]) => ({
      key: { package: "", target: "a", name },
      status,
      durationMs: 0,
    }));
  const flaky = findFlakyTests([
    run({ a: "passed", b: "failed", c: "passed", d: "skipped", e: "errored" }),
    run({ a: "failed", b: "failed", c: "not-run", d: "failed", e: "passed" }),
    run({ a: "passed", b: "failed" }),
  ]);
  expect(flaky.map(({ key, statuses }) => [key.name, ...statuses])).toEqual([
    ["a", "passed", "failed", "passed"],
    ["e", "errored", "passed", "not-run"],
  ]);
});
