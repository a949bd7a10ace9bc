import { expect, it } from "vitest";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import type { RankedStatement } from "../../localize/rank-statements.ts";
import { groupByCoverage, rankForGroups } from "./test-groups.ts";

const test = (name: string): TestOutcome => ({
  key: { package: "", target: "t", name },
  status: "failed",
  durationMs: 1,
});

it("groups failing tests that run nearly the same lines", () => {
  const lines = (from: number, count: number) => ({
    "a.py": Array.from({ length: count }, (_, at) => from + at),
  });
  const coverage = new Map([
    ["t::a", lines(1, 10)],
    ["t::b", lines(2, 10)],
    ["t::c", lines(50, 10)],
  ]);
  const groups = groupByCoverage(["c", "a", "b"].map(test), coverage);
  expect(groups.map((group) => group.map(({ key }) => key.name))).toEqual([["a", "b"], ["c"]]);
});

it("takes tests without coverage for one group", () => {
  expect(groupByCoverage(["a", "b"].map(test), new Map())).toHaveLength(1);
});

it("forms few groups for many tests with code of their own, and keeps every test", () => {
  const tests = Array.from({ length: 200 }, (_, at) => test(`t${at}`));
  const lines = (at: number) => ({ "a.py": Array.from({ length: 30 }, (_, line) => 1 + at * 30 + line) });
  const coverage = new Map(tests.map(({ key }, at) => [`t::${key.name}`, lines(at)]));
  const groups = groupByCoverage(tests, coverage);
  expect(groups.flat()).toHaveLength(200);
  expect(groups.length).toBeLessThan(20);
});

it("ranks a statement of one group before one that all run, where few passing tests run it", () => {
  const statement = (startLine: number, failingCovering: number, score: number): RankedStatement => ({
    file: "a.py",
    startLine,
    endLine: startLine,
    score,
    evidence: {
      failingCovering,
      failing: 4,
      passingCovering: 0,
      passing: 9,
      formulaScore: 0,
      branchScore: 0,
      stackScore: 0,
      textScore: 0,
      functionTextScore: 0,
    },
  });
  const ranked = [statement(1, 4, 0.7), statement(2, 1, 0.5)];
  expect(rankForGroups(ranked, [[test("a")]])).toEqual(ranked);
  expect(rankForGroups(ranked, [[test("a")], [test("b")]]).map(({ startLine }) => startLine)).toEqual([2, 1]);
});
