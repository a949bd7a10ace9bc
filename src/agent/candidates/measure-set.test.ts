import { expect, test } from "vitest";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { nameOfSet, rowOfSet, testsFor } from "./measure-set.ts";

const outcome = (name: string, status: TestOutcome["status"] = "passed"): TestOutcome => ({
  key: { package: "", target: "tests/test_a.py", name },
  status,
  durationMs: 1,
});
const suite = { outcomes: [outcome("test_old"), outcome("test_other"), outcome("test_red", "failed")] };
const fault = {
  targets: [outcome("test_red").key, outcome("test_written").key],
  heldBack: [],
  baseRuns: [],
  reason: { holds: true, evidence: "" },
};

test("a set's row stands under its own name: what is new or shows the fault, what breaks, and nothing that was not laid", () => {
  const outcomes = [
    outcome("test_old"),
    outcome("test_other", "failed"),
    outcome("test_red"),
    outcome("test_new", "failed"),
    outcome("test_windows", "skipped"),
  ];
  const row = rowOfSet({ fault }, ["c1", "t2"], suite, { outcomes, invalid: undefined, isAll: true });
  expect(row.candidate).toBe("c1+t2");
  expect(row.targets.map(({ key }) => key.name)).toEqual(["test_red", "test_new", "test_windows"]);
  expect(row.broken).toEqual(["tests/test_a.py::test_other"]);
  expect(row.told).toBe(
    "2 of 5 tests pass, 2 fail, 1 is skipped; 1 of 3 tests that are new or show the fault passes; 1 previously passing test breaks",
  );
});

test("where all tests were not run, nobody knows what breaks; a run that cannot be trusted says so; no candidate is the base", () => {
  const part = rowOfSet({ fault }, ["c1"], suite, {
    outcomes: [outcome("test_red")],
    invalid: undefined,
    isAll: false,
  });
  expect([part.broken, part.told]).toEqual([
    undefined,
    "1 of 1 test passes; 1 of 1 test that is new or shows the fault passes; not all tests were run",
  ]);
  const bad = rowOfSet({ fault: undefined }, [], suite, {
    outcomes: [],
    invalid: "it was killed",
    isAll: true,
  });
  expect([bad.candidate, bad.told]).toEqual(["base", "the run cannot be trusted: it was killed"]);
});

test("no test counts as new before the base's tests run", () => {
  const unrun = { outcomes: [], part: { files: [], of: 0, why: "time" as const } };
  const outcomes = [outcome("test_old"), outcome("test_red", "failed")];
  const row = rowOfSet({ fault }, [], unrun, { outcomes, invalid: undefined, isAll: false });
  expect(row.targets.map(({ key }) => key.name)).toEqual(["test_red"]);
});

test("a set of one candidate has a row of its own: the candidate is judged with the tests that were written", () => {
  expect([[], ["c1"], ["c1", "t2"]].map(nameOfSet)).toEqual(["base", "base+c1", "c1+t2"]);
});

test("a set is asked for the tests that it has, and for those that some candidate breaks", () => {
  const row = { candidate: "c1", outcomes: [], targets: [], invalid: undefined, score: [] };
  const rows = [{ ...row, broken: ["tests/test_a.py::test_other"] }];
  const namesFor = (kind: "code" | "reproduction"): string[] =>
    testsFor({ fault, rows }, suite, [{ kind }]).map(({ name }) => name);
  expect(namesFor("code")).toEqual(["test_red", "test_other"]);
  expect(namesFor("reproduction")).toEqual(["test_red", "test_written", "test_other"]);
});
