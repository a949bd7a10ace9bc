import { describe, expect, test } from "vitest";
import type { TestOutcome, TestStatus } from "../../domain/test-outcome.ts";
import allPassed from "./all-passed.ts";
import type { GradedRun } from "./contract.ts";
import failOnly from "./fail-only.ts";

const hidden = {
  goldPatch: "",
  testPatch: "",
  tests: { command: undefined, files: [], limitMs: undefined },
  lists: undefined,
};
const lists = { failToPass: ["t.js::a"], passToPass: ["t.js::b"], flaky: [] };

function runOf(statuses: Readonly<Record<string, TestStatus>>, more: Partial<GradedRun> = {}): GradedRun {
  const outcomes: TestOutcome[] = Object.entries(statuses).map(([name, status]) => ({
    key: { package: "", target: "t.js", name },
    status,
    durationMs: 1,
  }));
  return { framework: "command", outcomes, invalid: undefined, end: "exited", ...more };
}

describe("fail-only", () => {
  test.each<[string, Readonly<Record<string, TestStatus>>, string]>([
    ["both pass", { a: "passed", b: "passed" }, "resolved"],
    ["both are missing beside one that ran", { c: "passed" }, "resolved"],
    ["skipped and errored are no failures", { a: "skipped", b: "errored" }, "resolved"],
    ["a fail-to-pass test fails", { a: "failed" }, "unresolved"],
    ["a pass-to-pass test fails", { a: "passed", b: "failed" }, "unresolved"],
    ["one met a limit of ours", { a: "passed", b: "timed-out" }, "unresolved"],
    ["nothing ran", {}, "unresolved"],
  ])("%s", (_, statuses, outcome) => {
    expect(failOnly.judge(runOf(statuses), lists, hidden).outcome).toBe(outcome);
  });

  test("a run that cannot be trusted resolves nothing", () => {
    const invalid = runOf({ c: "passed" }, { invalid: "exit code 1, and no test failed" });
    expect(failOnly.judge(invalid, lists, hidden).outcome).toBe("unresolved");
  });
});

test.each<[TestStatus, TestStatus, string]>([
  ["passed", "passed", "resolved"],
  ["passed", "skipped", "unresolved"],
  ["expected-failure", "passed", "unresolved"],
  ["passed", "failed", "unresolved"],
])("all-passed: %s and %s", (a, b, outcome) => {
  expect(allPassed.judge(runOf({ a, b }), lists, hidden).outcome).toBe(outcome);
});
