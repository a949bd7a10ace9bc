import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { ActionContext } from "../../agent/action.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { conditionsOf, describeBase, openingOf, tellGrown } from "./work.prompt.ts";

test("an author of regression tests learns that a fix may stay, and that nobody delivers it", () => {
  expect(conditionsOf("regression-test")).toContain("Leave your fix");
  for (const kind of ["repair", "feature", "test-generation", "code-generation"] as const)
    expect(conditionsOf(kind)).not.toContain("fix of the code");
});

test("a test that failed once and then passed counts as passed, as it does on a quieter machine", () => {
  const outcome = (name: string, status: TestOutcome["status"]): TestOutcome => ({
    key: { package: "", target: "test_a.py", name },
    ...{ status, durationMs: 1 },
  });
  const open = (waits: TestOutcome["status"], unsteady: readonly string[]): string => {
    const outcomes = [
      outcome("test_pays", "passed"),
      outcome("test_owes", "failed"),
      outcome("test_waits", waits),
    ];
    const command = { framework: "f", directory: "", command: "run", foundBy: "", likelihood: 1 };
    const context = partOf<ActionContext>({
      task: partOf<ActionContext["task"]>({ statement: "It owes.", kind: "repair" }),
      suite: { command, outcomes, unsteady, durationMs: 1, remarks: [] },
      frameworks: [],
    });
    return openingOf(context, "/r");
  };
  expect(open("failed", ["test_a.py::test_waits"])).toBe(open("passed", []));
  expect(open("passed", [])).toContain("2 of 3 tests pass, and 1 fails:\n- test_a.py::test_owes");
});

test("results of the base that became known are told once, with the failing tests", () => {
  const outcome = (name: string, status: TestOutcome["status"]): TestOutcome => ({
    key: { package: "", target: "test_a.py", name },
    ...{ status, durationMs: 1 },
  });
  const suite = { outcomes: [outcome("test_pays", "passed")], unsteady: [] };
  const first = partOf<ActionContext["suite"]>({
    ...suite,
    part: { files: ["test_a.py"], of: 3, why: "first" },
  });
  const whole = partOf<ActionContext["suite"]>({
    ...suite,
    outcomes: [...suite.outcomes, outcome("test_owes", "failed")],
  });
  expect(tellGrown(describeBase(first), whole)).toBe(
    "Millwright has now run more tests on the unchanged repository. Before any change, 1 of 2 tests passes, and 1 fails:\n- test_a.py::test_owes",
  );
  expect(tellGrown(describeBase(whole), whole)).toBe("");
});

test("a test file that does not load is named with its reason", () => {
  const failure = {
    type: "LoadError",
    message: "cannot load such file -- mocha\nat helper",
    frames: [],
    text: "",
  };
  const outcome: TestOutcome = {
    key: { package: "", target: "test/spec_a.rb", name: "" },
    ...{ status: "errored", durationMs: 1, failure },
  };
  const suite = partOf<ActionContext["suite"]>({ outcomes: [outcome], unsteady: [] });
  expect(describeBase(suite)).toMatch(
    /fails:\n- test\/spec_a\.rb:: \(does not load: cannot load such file -- mocha\)$/,
  );
});
