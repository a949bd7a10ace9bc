import { expect, test } from "vitest";
import { compareTexts } from "../../agent/code/change.ts";
import { mutatedText } from "../../agent/mutants/list-mutants.ts";
import { listBranches, listOtherResults, listParts } from "./partial-fixes.ts";
import { isLoose, weighBranches, weighParts } from "./weak-tests.ts";

const before = `export function withBase(input: string, base: string) {
  if (input.startsWith(base)) {
    return input;
  }
  return base + input;
}

export function withoutBase(input: string, base: string) {
  return input.slice(base.length);
}
`;
const after = `export function withBase(input: string, base: string) {
  if (input.startsWith(base)) {
    const next = input[base.length];
    if (!next || next === "/") return input;
  }
  return base + input;
}

export function withoutBase(input: string, base: string) {
  const next = input[base.length];
  if (next && next !== "/") return input;
  return input.slice(base.length);
}

export function isBase(input: string) {
  return input === "/";
}
`;
const files = [compareTexts("src/base.ts", before, after)];

test("the fix without the change of each function, and without each new function", async () => {
  const parts = await listParts(files);
  expect(parts.map(({ name }) => name)).toEqual(["withBase", "withoutBase", "isBase"]);
  const [first, second, third] = parts.map(({ variant }) => mutatedText(variant));
  expect(first).toContain("if (next &&");
  expect(first).not.toContain("if (!next");
  expect(second).toContain("if (!next");
  expect(second).not.toContain("if (next &&");
  expect(third).not.toContain("isBase");
  const comment = [compareTexts("a.py", "def f():\n    return 1\n", "def f():\n    # one\n    return 1\n")];
  expect(await listParts(comment), "a comment changes nothing").toEqual([]);
});

test("the fix without each new branch", async () => {
  const branches = await listBranches(files);
  expect(branches.map(({ lines }) => lines)).toEqual([1, 1]);
  expect(
    branches.map(({ variant }) => mutatedText(variant).match(/if \(false\) return input/g)?.length),
  ).toEqual([1, 1]);
  const ruby = [compareTexts("a.rb", "def f(a)\n  1\nend\n", "def f(a)\n  return 2 unless a\n  1\nend\n")];
  const [never] = await listBranches(ruby);
  expect(never === undefined ? "" : mutatedText(never.variant)).toContain("unless true");
});

test("the fix with other results", async () => {
  const results = await listOtherResults([
    compareTexts("a.rb", "def f(a)\n  a.to_i\nend\n", "def f(a)\n  return nil if a.empty?\n  a.to_f\nend\n"),
  ]);
  expect(results.map(({ base, start, end }) => base.slice(start, end))).toEqual(["nil", "a.to_f"]);
});

const guard = "const next = input[base.length]; if (next === '/') return input;";
const partRows = [
  {
    why: "named by the statement",
    statement: "fix(withBase, withoutBase): prevent false matches",
    needed: "x",
    isWeak: true,
  },
  { why: "the same change again", statement: "Prevent false matches", needed: guard, isWeak: false },
  { why: "most of the fix", statement: "Prevent false matches", needed: guard, lines: 1, isWeak: true },
  { why: "tidied up", statement: "Prevent false matches", needed: "return 1", isWeak: false },
];

test.each(partRows)("a change of a function that no test needs, $why: weak is $isWeak", (row) => {
  const parts = [
    { name: "withBase", callers: [], code: row.needed, lines: row.lines ?? 2 },
    { name: "withoutBase", callers: [], code: guard, lines: 2 },
  ];
  expect(weighParts(parts, ["noticed", "survives"], row.statement) !== undefined).toBe(row.isWeak);
  expect(weighParts(parts, ["noticed", "noticed"], row.statement)).toBeUndefined();
});

test.each(["operator++", "**args", "we*(ird", "`adds (two`"])("the name %s is no pattern", (name) => {
  const parts = [{ name, callers: [], code: guard, lines: 2 }];
  expect(weighParts(parts, ["survives"], "Adding fails")).toBeUndefined();
  expect(weighParts(parts, ["survives"], `\`${name}\` fails`)).toContain(name);
});

test("a fix outside of functions leaves no function out", () => {
  expect(weighParts([], [], "Reading fails")).toBeUndefined();
});

test("an ordinary word of the statement names no function", () => {
  const parts = [{ name: "update", callers: [], code: guard, lines: 2 }];
  expect(weighParts(parts, ["survives"], "Please update the page")).toBeUndefined();
  expect(weighParts(parts, ["survives"], "`update(page)` fails")).toContain("update");
});

test.each([
  { verdicts: ["survives", "noticed"] as const, lines: 6, isWeak: true },
  { verdicts: ["survives", "noticed"] as const, lines: 20, isWeak: false },
  { verdicts: ["noticed", "noticed"] as const, lines: 6, isWeak: false },
  { verdicts: ["survives", "unbuildable"] as const, lines: 6, isWeak: false },
])(
  "new branches that are $verdicts, in a fix of $lines lines: weak is $isWeak",
  async ({ verdicts, ...row }) => {
    const [one] = await listBranches(files);
    if (one === undefined) throw new Error("no branch");
    const branches = [
      { ...one, lines: 3 },
      { ...one, lines: 3 },
    ];
    expect(weighBranches(branches, verdicts, row.lines) !== undefined).toBe(row.isWeak);
  },
);

test.each([
  ["assert_kind_of Float, result[:value]", true],
  ["assert_equal 4e21, result[:value]", false],
  ["assert isinstance(result, dict)", true],
  ["assert result == {}", false],
  ["self.assertIsNotNone(cache.get(1))", true],
  ["self.assertTrue(cache.full)", true],
  ["self.assertRaises(KeyError, cache.pop)", false],
  ["expect(parse('a')).toBeDefined()", true],
  ["expect(parse('a')).toBe(1)", false],
] as const)("%s asks for no value: %s", (assertion, expected) => {
  expect(isLoose(assertion)).toBe(expected);
});

test("changes of several functions count if the statement names a caller of each", () => {
  const parts = ["checkStart", "checkEnd", "read"].map((name) => ({
    ...{ name, code: `return ${name}`, lines: 1 },
    callers: name === "read" ? [] : ["parseStrictly"],
  }));
  const statement = "Fix parseStrictly for empty parts";
  expect(weighParts(parts, ["survives", "survives", "noticed"], statement)).toContain("checkStart, checkEnd");
  expect(weighParts(parts, ["survives", "noticed", "noticed"], statement)).toBeUndefined();
});
