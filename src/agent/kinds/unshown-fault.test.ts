import { expect, test } from "vitest";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { tellUnshown } from "./unshown-fault.ts";

const outcome = (name: string, status: TestOutcome["status"] = "failed"): TestOutcome => ({
  key: { package: "", target: "tests/test_zone.py", name },
  status,
  durationMs: 1,
  failure: { type: "AssertionError", message: "assert 3 == 4", location: undefined, text: "" } as never,
});

test("tests that fail are named, up to three, with why none counts and what helps", () => {
  const said = tellUnshown(
    ["a", "b", "c", "d"].map((name) => outcome(`test_${name}`)),
    "Parcels are too cheap",
  );
  expect(said).toContain("4 tests fail without the patch (tests/test_zone.py::test_a, ");
  expect(said).toContain("test_c and 1 more), but no failure contains an error, a text or a name");
  expect(said).toContain("A new test that fails for the stated reason would show the fault.");
  expect(said).not.toContain("--");
});

test("where none fails, that is said", () => {
  expect(tellUnshown([outcome("test_a", "passed")], "Parcels are too cheap")).toBe(
    "no test shows the fault: no test of the repository fails without the patch. A new test that fails for the stated reason would show the fault",
  );
});
