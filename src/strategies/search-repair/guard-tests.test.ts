import { expect, test } from "vitest";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { chooseGuards } from "./guard-tests.ts";

const outcome = (name: string, status: TestOutcome["status"], durationMs = 1): TestOutcome => ({
  key: { package: "", target: "t.py", name },
  status,
  durationMs,
});
const outcomes = [
  outcome("wide", "passed"),
  outcome("near", "passed"),
  outcome("elsewhere", "passed"),
  outcome("broken", "failed"),
  outcome("slow", "passed", 5000),
];
const coverage = new Map([
  ["t.py::wide", { "a.py": [1, 2, 3, 4, 5] }],
  ["t.py::near", { "a.py": [3] }],
  ["t.py::elsewhere", { "a.py": [1], "b.py": [3] }],
  ["t.py::broken", { "a.py": [3] }],
  ["t.py::slow", { "a.py": [3] }],
]);

test("passing tests that run the statement, the nearest first, within their time", () => {
  const chosen = chooseGuards(outcomes, coverage, [{ file: "a.py", statementLine: 3 }]);
  expect(chosen.map(({ name }) => name)).toEqual(["near", "wide"]);
});

test("a few for each of several statements, each once", () => {
  const many = Array.from({ length: 9 }, (_, at) => outcome(`m${at}`, "passed"));
  const wide = new Map(
    many.map(({ key }, at) => [`t.py::${key.name}`, { "a.py": [1, 2].slice(0, at < 5 ? 1 : 2) }]),
  );
  const places = [1, 2, 1].map((statementLine) => ({ file: "a.py", statementLine }));
  const chosen = chooseGuards(many, wide, places);
  expect(chosen.map(({ name }) => name)).toEqual(["m0", "m1", "m2", "m3", "m5", "m6", "m7", "m8"]);
});

test("none without coverage", () => {
  expect(chooseGuards(outcomes, new Map(), [{ file: "a.py", statementLine: 3 }])).toEqual([]);
});
