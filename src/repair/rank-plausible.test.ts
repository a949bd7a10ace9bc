import { describe, expect, it } from "vitest";
import { languageOfFixture } from "../../tests/fixture-programs.ts";
import type { Proposal } from "./proposal.ts";
import { proposeRepairs } from "./propose-repairs.ts";
import { listStrongDoubts, rankPlausible } from "./rank-plausible.ts";
import { applyChange } from "./syntax-check.ts";

const text = [
  "def discount(total, items, limit):",
  "    if total > limit:",
  "        return total - len(items)",
  "    return total",
  "",
].join("\n");

async function patchTo(line: number, result: string): Promise<Proposal> {
  const language = languageOfFixture("a.py");
  const statements = [{ file: "a.py", startLine: line, endLine: line, score: 1 }];
  const proposals = await proposeRepairs({ file: "a.py", text, language, statements });
  const found = proposals.find((proposal) => applyChange(text, proposal).includes(result));
  if (found === undefined) throw new Error(`nothing gives ${result}`);
  return found;
}

describe("rankPlausible", () => {
  it("prefers the boundary to a constant condition, an early exit and a removal", async () => {
    const boundary = await patchTo(2, "if total >= limit:");
    const constant = await patchTo(2, "if False:");
    const early = await patchTo(2, "if total is None: return");
    const ranked = rankPlausible([constant, early, boundary].map((proposal) => ({ proposal, text })));
    expect(ranked[0]?.patch.proposal).toEqual(boundary);
    expect(ranked[0]?.doubts).toEqual([]);
    const doubtsOf = (proposal: Proposal) => ranked.find((item) => item.patch.proposal === proposal)?.doubts;
    expect(doubtsOf(constant)).toContain("makes a condition constant");
    expect(doubtsOf(early)).toContain("leaves early");
  });

  it("prefers a variable of the function to one particular value", () => {
    const base = {
      file: "a.py",
      line: 2,
      statementLine: 2,
      template: "t",
      description: "",
      prior: 0.5,
      likeness: 0.8,
    };
    const start = text.indexOf("total > limit");
    const end = start + "total > limit".length;
    const special = { ...base, start, end, replacement: "total == 37" };
    const general = { ...base, start, end, replacement: "limit < total" };
    const ranked = rankPlausible([special, general].map((proposal) => ({ proposal, text })));
    expect(ranked.map((item) => item.patch.proposal.replacement)).toEqual(["limit < total", "total == 37"]);
    expect(ranked[1]?.doubts).toEqual(["compares with one particular value", "adds a constant"]);
  });

  it("doubts a comparison of a value with itself, and only that", () => {
    const line = "if left[-i] != right[-i]: pass\n";
    const change = (from: string, replacement: string) => {
      const start = line.indexOf(from);
      const place = { file: "a.py", start, end: start + from.length, line: 1, statementLine: 1 };
      const proposal = { ...place, replacement, template: "t", description: "", prior: 0.5, likeness: 0.8 };
      return rankPlausible([{ proposal, text: line }])[0]?.doubts;
    };
    expect(change("left", "right")).toEqual(["compares a value with itself"]);
    expect(change("left[-i] != right[-i]", "right[-i] is right[-i]")).toContain(
      "compares a value with itself",
    );
    expect(change("left", "rights")).toEqual([]);
    expect(change("left[-i]", "right[-i].size")).toEqual([]);
    expect(change("left[-i] != right[-i]", "right[-i] != right[-i] - 1")).toEqual([]);
  });

  it("doubts an exchange of a literal with what is none, and only that", () => {
    const swap = (before: string, replacement: string) => {
      const line = `flag(${before});\n`;
      const place = { file: "a.js", start: 5, end: 5 + before.length, line: 1, statementLine: 1 };
      const proposal = { ...place, replacement, template: "t", description: "", prior: 0.5, likeness: 0.8 };
      return rankPlausible([{ proposal, text: line }])[0]?.doubts;
    };
    const doubted = ["replaces a literal with a variable or expression"];
    expect(swap("this, 'negate'", "'negate', this")).toEqual(doubted);
    expect(swap("'negate', this", "this, 'negate'")).toEqual(doubted);
    expect(swap("'a', 'b'", "'b', 'a'")).toEqual([]);
    expect(swap("first, second", "second, first")).toEqual([]);
  });

  it("does not depend on the order that it is given", async () => {
    const patches = [await patchTo(2, "total >= limit"), await patchTo(3, "len(items) - total")];
    const given = patches.map((proposal) => ({ proposal, text }));
    expect(rankPlausible(given)).toEqual(rankPlausible([...given].reverse()));
  });
});

it("ranks what keeps the code, however foreign, before what deletes or neutralises it", () => {
  const base = {
    file: "a.py",
    line: 2,
    statementLine: 2,
    template: "t",
    description: "",
    prior: 0.9,
    likeness: 1,
  };
  const start = text.indexOf("total > limit");
  const end = start + "total > limit".length;
  const statement = text.indexOf("        return total - len(items)");
  const rows = [
    { ...base, start, end, replacement: "False" },
    {
      ...base,
      start: statement,
      end: statement + "        return total - len(items)".length,
      replacement: "        pass",
    },
    { ...base, start: start - 3, end: start - 3, replacement: "return\n    " },
    { ...base, start, end, replacement: "max(total, abs(items)) > limit * 7", prior: 0.01, likeness: 0.1 },
  ];
  const ranked = rankPlausible(rows.map((proposal) => ({ proposal, text })));
  expect(ranked[0]?.patch.proposal).toBe(rows[3]);
  expect(ranked.map(({ isLastResort }) => isLastResort)).toEqual([false, true, true, true]);
});

it.each([
  ["    singular = word[:-1]\n", "word[:-1]", "word", true],
  ["    return items.slice(1);\n", "items.slice(1)", "items", true],
  ["\treturn parts[1:]\n", "parts[1:]", "parts", true],
  // The value is used differently, or a part of another kind is taken.
  ["    total = sum(prices[1:])\n", "prices[1:]", "prices", false],
  ["    first = word[0]\n", "word[0]", "word", false],
  ["    singular = word[:-1]\n", "word[:-1]", "word[:-2]", false],
])(
  "doubts that a line hands on the whole of what it took a part of: %s",
  (text, before, after, isDoubted) => {
    const start = text.indexOf(before);
    const doubts = listStrongDoubts(text, { start, end: start + before.length, replacement: after });
    expect(doubts.length > 0).toBe(isDoubted);
  },
);

it.each([
  ["    if len(items) == 0:\n", "0", "-1", true],
  ["  if (row.length > 1) {\n", "> 1", ">= 0", true],
  ["    if len(items) == 0:\n", "len(items)", "items", true],
  ["  if (row.length === 0) {\n", "row.length", "row", true],
  ["    if len(items) == len(row):\n", "len(items)", "items", false],
  ["    if len(items) == 1:\n", "1", "0", false],
  ["    if (seats.size() > 4) {\n", ">", ">=", false],
  ["    if index == 1:\n", "1", "-1", false],
])(
  "doubts a length below zero, and a whole in the place of its length: %s with %s as %s",
  (text, before, after, isDoubted) => {
    const start = text.indexOf(before);
    const doubts = listStrongDoubts(text, { start, end: start + before.length, replacement: after });
    expect(doubts.length > 0).toBe(isDoubted);
  },
);

it("doubts a number other than the documented number", () => {
  const documented = "// Three for each kilogram.\nfunction fee(weight) {\n  return weight * 3;\n}\n";
  const start = documented.indexOf("3;");
  expect(listStrongDoubts(documented, { start, end: start + 1, replacement: "2" })).toEqual([
    "changes a number that the documentation names",
  ]);
});

it.each([
  [
    "java",
    "Map<A, B> all(int n, Map<A, B> edges) {\n  Map<A, B> paths = new HashMap<>();\n  for (int i = 0; i < n; i++) paths.put(i, edges.get(i));\n  return paths;\n}\n",
    "paths",
    "edges",
    true,
  ],
  [
    "python",
    "def f(items):\n    found = []\n    found.append(1)\n    return found\n",
    "found",
    "items",
    true,
  ],
  ["python", "def f(items):\n    other = []\n    return items\n", "items", "other", false],
  ["python", "def f(items):\n    found = g(items)\n    return found\n", "found", "items", false],
  [
    "js",
    "function f(a) {\n  const b = [];\n  const c = a;\n  if (c) {\n    g(c);\n  }\n  return b;\n}\n",
    "b",
    "c",
    false,
  ],
])("doubts an argument returned for a result, in %s: %s", (_, code, before, after, isDoubted) => {
  const start = code.indexOf(`return ${before}`) + "return ".length;
  const doubts = listStrongDoubts(code, { start, end: start + before.length, replacement: after });
  expect(doubts.includes("returns an argument instead of a result")).toBe(isDoubted);
});

it.each([
  ["any(f(one) for one in many)\n", "f(one)", "f(last)", true],
  ["many.filter((a) => a).map(one => f(one, two));\n", "(one, two)", "(two)", true],
  ["any(f(one) for one in many)\n", "f(one)", "g(one)", false],
  ["for one in many: f(one, two)\n", "one, two", "two, one", false],
])("doubts a variable that is left unused: %s with %s as %s", (code, before, after, isDoubted) => {
  const start = code.indexOf(before);
  const doubts = listStrongDoubts(code, { start, end: start + before.length, replacement: after });
  expect(doubts.includes("leaves the variable of a loop or function unused")).toBe(isDoubted);
});

it.each([
  ["  this.near = near;\n", "this.near", "near", true],
  ["  near = far;\n", "far", "near", true],
  ["  this.near = near;\n", "this.near", "this.far", false],
])("doubts an assignment of a variable to itself: %s with %s as %s", (code, before, after, isDoubted) => {
  const start = code.indexOf(before);
  const doubts = listStrongDoubts(code, { start, end: start + before.length, replacement: after });
  expect(doubts.includes("assigns a variable to itself")).toBe(isDoubted);
});

it.each([
  ["\tfor ; i >= 0; i-- {\n", "--", "++", true],
  ["  for (let at = 0; at < size; at += 2) {\n", "<", ">", true],
  ["  for (int i = 0; i < n; ++i) {\n", "++", "--", true],
  ["  for ($i = 0; $i <= $n; $i++) {\n", "++", "--", true],
  ["\tfor ; i >= 0; i-- {\n", ">=", ">", false],
  ["\tfor ; i >= 0; i++ {\n", "++", "--", false],
  ["  for (int i = 0; i < n; j--) {\n", "n;", "m;", false],
])("doubts a loop that never reaches its bound: %s with %s as %s", (code, before, after, isDoubted) => {
  const start = code.indexOf(before);
  const doubts = listStrongDoubts(code, { start, end: start + before.length, replacement: after });
  expect(doubts.includes("moves a loop's counter away from its bound")).toBe(isDoubted);
});
