import { describe, expect, it } from "vitest";
import { type CoveredLines, formatTestKey, type TestOutcome } from "../domain/test-outcome.ts";
import type { LanguageOf } from "../syntax/read-source.ts";
import { barinel, dstar, formulas, ochiai, op2, scaleScores, tarantula } from "./formulas.ts";
import { coverageWeights } from "./fuse-signs.ts";
import { type RankingInput, rankStatements } from "./rank-statements.ts";

const languageOf: LanguageOf = (file) =>
  file.endsWith(".py")
    ? { name: "python", grammar: () => "tree-sitter-python/tree-sitter-python.wasm" }
    : undefined;

function outcome(name: string, status: TestOutcome["status"], frames: [string, number][] = []): TestOutcome {
  const failure = {
    type: "AssertionError",
    message: "",
    text: "",
    frames: frames.map(([file, line]) => ({ file, line })),
  };
  const key = { package: "", target: "test_zone.py", name };
  return { key, status, durationMs: 1, ...(status === "failed" ? { failure } : {}) };
}

function coverageOf(lines: Record<string, CoveredLines>): Map<string, CoveredLines> {
  return new Map(
    Object.entries(lines).map(([name, covered]) => [
      formatTestKey({ package: "", target: "test_zone.py", name }),
      covered,
    ]),
  );
}

function rank(input: Partial<RankingInput> & Pick<RankingInput, "outcomes" | "texts">) {
  return rankStatements({
    coverage: new Map(),
    languageOf,
    loaded: {},
    testTexts: new Map(),
    statement: "",
    ...input,
  });
}

const zone = [
  '"""Zones."""', // 1
  "import os", // 2
  "def middle(x, y, z):", // 3
  "    m = z", // 4
  "    if y < z:", // 5
  "        if x < y:", // 6
  "            m = y", // 7
  "        elif x < z:", // 8
  "            m = y", // 9, at fault
  "    else:", // 10
  "        m = max(", // 11
  "            x, y)", // 12
  "    return m", // 13
].join("\n");

/** Lines of the six tests of Jones and Harrold's example, on the text above. */
const spectrum = coverageOf({
  a: { "zone.py": [4, 5, 6, 8, 9, 13] },
  b: { "zone.py": [4, 5, 6, 7, 13] },
  c: { "zone.py": [4, 5, 11, 13] },
  d: { "zone.py": [4, 5, 6, 8, 13] },
  e: { "zone.py": [4, 5, 6, 8, 9, 13] },
});
const outcomes = [
  outcome("a", "passed"),
  outcome("b", "passed"),
  outcome("c", "passed"),
  outcome("d", "passed"),
  outcome("e", "failed", [["test_zone.py", 9]]),
];
const texts = new Map([["zone.py", zone]]);
const linesAlone = { ...coverageWeights, taken: 0, skipped: 0, operators: 0, kinds: 0 };

describe("formulas", () => {
  const hit = { failingCovering: 1, failingOther: 0, passingCovering: 1, passingOther: 3 };

  it.each([
    [ochiai, 1 / Math.sqrt(2)],
    [dstar, 1],
    [tarantula, 1 / 1.25],
    [barinel, 0.5],
    [op2, 1 - 1 / 5],
  ])("give the figures worked out by hand (%o)", (formula, expected) => {
    expect(formula.score(hit)).toBeCloseTo(expected, 12);
  });

  it.each(formulas)("$name finds nothing in a statement that no failing test executes", (formula) => {
    const score = formula.score({ failingCovering: 0, failingOther: 1, passingCovering: 2, passingOther: 0 });
    expect(scaleScores(formula, [score, 1])[0]).toBe(0);
  });

  it("are scaled without changing the order, infinity on top", () => {
    expect(scaleScores(dstar, [1, Number.POSITIVE_INFINITY, 4])).toEqual([1 / 8, 1, 0.5]);
    expect(scaleScores(op2, [-1, 2])).toEqual([0, 1]);
  });
});

describe("rankStatements with coverage", () => {
  it.each(formulas)("puts the fault first by $name", async (formula) => {
    const ranking = await rank({ outcomes, texts, coverage: spectrum, formula, weights: linesAlone });
    expect(ranking.basis).toBe("coverage");
    expect(ranking.statements[0]).toMatchObject({ file: "zone.py", startLine: 9, function: "middle" });
  });

  it("says how each score came about", async () => {
    const ranking = await rank({ outcomes, texts, coverage: spectrum, weights: linesAlone });
    expect(ranking.statements.map((s) => s.startLine)).toEqual([9, 8, 6, 4, 5, 13]);
    expect(ranking.statements[1]?.evidence).toEqual({
      failingCovering: 1,
      failing: 1,
      passingCovering: 2,
      passing: 4,
      formulaScore: 1 / Math.sqrt(3),
      branchScore: 0,
      stackScore: 0,
      textScore: 0,
      functionTextScore: 0,
    });
    expect(ranking.explanation).toContain("1 failing and 4 passing tests");
  });

  it("blames a decision with what only failing tests enter", async () => {
    const ranking = await rank({ outcomes, texts, coverage: spectrum });
    expect(ranking.statements.slice(0, 3).map((s) => s.startLine)).toEqual([8, 6, 9]);
    expect(ranking.statements[0]?.evidence).toMatchObject({
      branchScore: expect.closeTo(1.1 / Math.sqrt(2), 6),
      formulaScore: expect.closeTo(1 / Math.sqrt(3), 6),
    });
  });

  it("blames a decision that only failing tests make against what follows", async () => {
    const coverage = coverageOf({
      a: { "zone.py": [4, 5, 6, 7, 13] },
      b: { "zone.py": [4, 5, 6, 7, 13] },
      e: { "zone.py": [4, 5, 6, 13] },
    });
    const ranking = await rank({ outcomes, texts, coverage });
    expect(ranking.statements[0]).toMatchObject({ startLine: 6, evidence: { branchScore: 0.8 } });
  });

  it("holds conditions for likelier at fault than what raises an error, and what is intricate than what is not", async () => {
    const text =
      "def f(a, b):\n    x = a\n    y = a - b * 2\n    if a:\n        pass\n    raise ValueError()\n";
    const ranking = await rank({
      outcomes: [outcome("e", "failed")],
      texts: new Map([["zone.py", text]]),
      coverage: coverageOf({ e: { "zone.py": [2, 3, 4, 5, 6] } }),
    });
    expect(ranking.statements.map((s) => s.startLine)).toEqual([4, 3, 2, 5, 6]);
  });

  it("suspects constants of a file that was only loaded, after what tests tell apart", async () => {
    const both = new Map([...texts, ["limits.py", "LARGEST = 3\n"]]);
    const input = { outcomes, texts: both, coverage: spectrum, loaded: { "limits.py": [1], "zone.py": [3] } };
    const ranking = await rank(input);
    const constant = ranking.statements.find(({ file }) => file === "limits.py");
    expect(constant?.evidence).toMatchObject({ failingCovering: 1, passingCovering: 4 });
    expect(ranking.statements[0]?.file).toBe("zone.py");
    const without = await rank({ ...input, coverage: new Map() });
    expect(without.basis).not.toBe("coverage");
  });

  it("merges the lines of one statement", async () => {
    const coverage = coverageOf({ a: { "zone.py": [4] }, e: { "zone.py": [12] } });
    const ranking = await rank({ outcomes, texts, coverage });
    expect(ranking.statements).toHaveLength(1);
    expect(ranking.statements[0]).toMatchObject({
      startLine: 11,
      endLine: 12,
      evidence: { formulaScore: 1 },
    });
  });

  it("prefers the frame where coverage ties", async () => {
    const failing = outcome("e", "failed", [
      ["test_zone.py", 9],
      ["zone.py", 13],
      ["/usr/lib/python3/json.py", 3],
    ]);
    const ranking = await rank({
      outcomes: [failing],
      texts,
      coverage: coverageOf({ e: { "zone.py": [4, 13] } }),
    });
    expect(ranking.statements.map((s) => s.startLine)).toEqual([13, 4]);
    expect(ranking.statements[0]?.evidence.stackScore).toBe(1);
  });

  it("never blames a file that it was not given, an import or a docstring", async () => {
    const coverage = coverageOf({ e: { "zone.py": [1, 2, 3, 9], "test_zone.py": [1] } });
    const ranking = await rank({ outcomes, texts, coverage });
    expect(ranking.statements.map((s) => [s.file, s.startLine])).toEqual([
      ["zone.py", 9],
      ["zone.py", 3],
    ]);
  });

  it("leaves tests out that were skipped or did not run", async () => {
    const skipped = [...outcomes, outcome("f", "skipped"), outcome("g", "not-run")];
    const more = new Map([...spectrum, ...coverageOf({ f: { "zone.py": [9] }, g: { "zone.py": [9] } })]);
    expect((await rank({ outcomes: skipped, texts, coverage: more })).statements).toEqual(
      (await rank({ outcomes, texts, coverage: spectrum })).statements,
    );
  });
});

describe("rankStatements without coverage", () => {
  it("follows the stack traces, the innermost frame first, and says so", async () => {
    const caller = "def outer():\n    before = 1\n    return inner()\ndef inner():\n    return None.x\n";
    const failing = outcome("e", "failed", [
      ["test_zone.py", 2],
      ["caller.py", 3],
      ["caller.py", 5],
    ]);
    const ranking = await rank({ outcomes: [failing], texts: new Map([["caller.py", caller]]) });
    expect(ranking.basis).toBe("stack-traces");
    expect(ranking.explanation).toContain("No coverage");
    expect(ranking.statements.map((s) => s.startLine).slice(0, 3)).toEqual([5, 3, 2]);
  });

  it("falls back on names", async () => {
    const text = "def find_zone(key):\n    return key\ndef other():\n    return 1\n";
    const failing = outcome("TestZone::test_find_zone[1-2]", "failed", [["test_zone.py", 2]]);
    const ranking = await rank({ outcomes: [failing], texts: new Map([["lib.py", text]]) });
    expect(ranking.basis).toBe("names");
    expect(ranking.statements.map((s) => s.function)).toEqual(["find_zone", "find_zone"]);
    expect(ranking.statements[0]?.startLine).toBe(2);
  });

  it("admits that it knows nothing", async () => {
    const ranking = await rank({
      outcomes: [outcome("e", "failed")],
      texts: new Map([["lib.py", "x = 1\n"]]),
    });
    expect(ranking).toMatchObject({ basis: "nothing", statements: [] });
  });
});
