import { expect, test } from "vitest";
import type { TestStatus } from "../../domain/test-outcome.ts";
import { decidingTests } from "./extra-tests.ts";

const runOf = (statuses: Readonly<Record<string, TestStatus>>) => ({
  outcomes: Object.entries(statuses).map(([name, status]) => ({
    ...{ key: { package: "", target: "a.py", name }, status, durationMs: 1 },
  })),
});

test("without ids, the tests that pass with the gold patch decide, also if the patch skips or loses them", () => {
  const gold = runOf({ one: "passed", two: "passed", three: "passed", four: "failed", five: "skipped" });
  expect(decidingTests(runOf({ one: "passed", two: "skipped" }), gold)).toEqual([
    ...["a.py::one", "a.py::two", "a.py::three"],
  ]);
});

test("if the gold patch's run is unknown, the tests that ran with the patch decide", () => {
  const run = runOf({ one: "passed", two: "skipped", three: "failed" });
  expect(decidingTests(run, undefined)).toEqual(["a.py::one", "a.py::three"]);
  expect(decidingTests(run, runOf({ one: "skipped" }))).toEqual(["a.py::one", "a.py::three"]);
});
