import { expect, test } from "vitest";
import type { TestStatus } from "../../domain/test-outcome.ts";
import { tellResults } from "./shown-outcomes.ts";

const outcomes = (...statuses: readonly TestStatus[]) =>
  statuses.map((status, at) => ({
    ...{ key: { package: "", target: "test_a.py", name: `test_${at}` }, status, durationMs: 1 },
  }));

test("every test of the base is counted, not only those that pass", () => {
  expect(tellResults(outcomes("passed", "passed"))).toBe("2 of 2 pass on the base");
  expect(
    tellResults(outcomes("passed", "skipped", "skipped", "expected-failure", "not-run", "failed", "errored")),
  ).toBe(
    "1 of 7 passes on the base, 2 are skipped, 1 fails as expected, 1 did not run, 2 fail (test_a.py::test_5, test_a.py::test_6)",
  );
  const failing = outcomes("failed", "failed");
  expect(tellResults(failing, [{ package: "", target: "test_a.py", name: "test_0" }])).toBe(
    "0 of 2 pass on the base, 2 fail (test_a.py::test_1)",
  );
});
