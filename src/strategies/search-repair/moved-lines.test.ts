import { expect, it } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { Baseline } from "../../agent/measure/baseline.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { baselineAfter, lineAfter, moveCoverage } from "./moved-lines.ts";
import type { PreparedProposal } from "./proposals.ts";

const base = "one\ntwo\nthree\nfour\n";

function change(before: string, replacement: string): PreparedProposal {
  const start = base.indexOf(before);
  return {
    file: "a.py",
    start,
    end: start + before.length,
    replacement,
    line: 1,
    statementLine: 1,
    template: "",
    description: "",
    prior: 1,
    likeness: 1,
    base,
  };
}

it.each([
  ["two", "2", [1, 2, 3, 4]],
  ["two", "if one:\n    two", [1, 2, 4, 5]],
  ["two\nthree", "2", [1, 2, 2, 3]],
  ["", "zero\n", [1, 3, 4, 5]],
])("after %j became %j the lines are %j", (before, replacement, lines) => {
  const made = change(before, replacement);
  expect([1, 2, 3, 4].map((line) => lineAfter(made, line))).toEqual(lines);
});

it("moves what was covered, and leaves other files alone", () => {
  const tests = new Map([["t", { "a.py": [1, 2, 3], "b.py": [3] }]]);
  const changes = [change("one", "one\none and a half"), change("two", "two\ntwo and a half")];
  const moved = moveCoverage({ tests, loaded: { "a.py": [4] }, remarks: [] }, changes);
  expect(moved.tests.get("t")).toEqual({ "a.py": [1, 3, 5], "b.py": [3] });
  expect(moved.loaded).toEqual({ "a.py": [6] });
});

it("counts the tests that were repaired among those that are to pass", () => {
  const test = (name: string): TestOutcome => ({
    key: { package: "", target: "t.py", name },
    status: "failed",
    durationMs: 1,
    failure: { type: "E", message: "", text: "", frames: [{ file: "a.py", line: 3 }] },
  });
  const outcomes = [test("a"), test("b")];
  const after = baselineAfter(
    partOf<Baseline>({ outcomes, targets: outcomes }),
    ["t.py::a"],
    [change("two", "2\n2")],
  );
  expect(after.outcomes.map(({ status }) => status)).toEqual(["passed", "failed"]);
  expect(after.targets.map(({ key }) => key.name)).toEqual(["b"]);
  expect(after.targets[0]?.failure?.frames).toEqual([{ file: "a.py", line: 4 }]);
});
