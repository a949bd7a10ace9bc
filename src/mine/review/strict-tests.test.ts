import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { compareTexts } from "../../agent/code/change.ts";
import { mutatedText } from "../../agent/mutants/list-mutants.ts";
import type { TestFailure, TestOutcome } from "../../domain/test-outcome.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import type { Change } from "../contract.ts";
import { findNewNames } from "./new-names.ts";
import { listOtherOrders } from "./partial-fixes.ts";
import { runsTarget } from "./place.ts";
import {
  listVersions,
  promisesNoOrder,
  replaceError,
  versionIn,
  withoutDescription,
} from "./strict-tests.ts";
import { weighVariants } from "./weak-tests.ts";

const rows = [
  { own: [3, 5], all: [5, 5], isBad: false, score: 1 },
  { own: [0, 5], all: [5, 5], isBad: true, score: 0, why: "only the earlier tests notice them" },
  { own: [0, 3], all: [3, 3], isBad: false, score: 1, why: "three variants are too few" },
  { own: [1, 4], all: [1, 4], isBad: true, score: 0.25 },
  { own: [0, 0], all: [0, 0], isBad: false, score: 0.5 },
] as const;

test.each(rows)("tests that notice $own and $all of the wrong variants: $isBad", ({ own, all, ...said }) => {
  const [tell, weigh] = [own, all].map(([noticed, tried]) => ({ noticed, tried, missing: [] }));
  if (tell === undefined || weigh === undefined) throw new Error("two counts");
  expect(weighVariants(tell, weigh)).toMatchObject({ isBad: said.isBad, score: said.score });
});

const known = { versions: new Set(["4.9.0"]), statement: "Reading fails" };

test.each([
  ["CHANGELOG.md", "", "- Reading\n", true],
  ["docs/guide.rst", "a\n", "b\n", true],
  ["CMakeLists.txt", "add_library(a a.cpp)\n", "add_library(a a.cpp b.cpp)\n", false],
  ["requirements.txt", "a\n", "a\nb\n", false],
  ["data/tlds.txt", "com\n", "com\norg\n", false],
  ["Cargo.toml", 'version = "4.9.0"\n', 'version = "4.9.1"\n', true],
  ["Cargo.toml", "[dependencies]\n", '[dependencies]\nserde = "1"\n', false],
  ["package.json", '{\n  "description": "a"\n}\n', '{\n  "description": "b"\n}\n', true],
  [
    "package.json",
    '{\n  "version": "4.9.0"\n}\n',
    '{\n  "version": "4.9.0",\n  "type": "module"\n}\n',
    false,
  ],
  ["a.gemspec", 's.version = "4.9.0"\n', 's.version = "4.9.1"\n', true],
  [
    "pyproject.toml",
    "classifiers = [\n]\n",
    'classifiers = [\n    "Programming Language :: Python :: 3 :: Only",\n]\n',
    true,
  ],
  ["lib/slop.rb", "a\n", "b\n", false],
])("%s from %j to %j describes the project: %s", (path, from, to, expected) => {
  const content = withoutDescription(compareTexts(path, from, to), known);
  expect(content).toBe(expected ? from : undefined);
});

test.each([
  ["CHANGELOG.md", "Changelog\n=========\n\nv4.9.0 (2021-05-11)\n------\n\nv4.8.0\n", "4.9.0"],
  ["CHANGES", "## [Unreleased]\n- Needs Python 3.10\n\n## [1.2.0]\n", "1.2.0"],
  ["slop.gemspec", "s.version = Slop::VERSION\n", undefined],
  ["package.json", '{\n  "version": "1.0.0-rc.1"\n}\n', "1.0.0-rc.1"],
])("%s states the project's version", (path, text, expected) => {
  expect(versionIn(path, text)).toBe(expected);
});

test("a target without a test that ran was not built", () => {
  const key = { package: "", target: "a.py", name: "test_a" };
  const outcome = (status: "passed" | "failed" | "errored", type = "AssertionError") => ({
    ...{ key, status, durationMs: 1 },
    ...partOf<TestOutcome>({ failure: partOf<TestFailure>({ type }) }),
  });
  expect(runsTarget([], key)).toBe(false);
  expect(runsTarget([outcome("errored")], key)).toBe(false);
  expect(runsTarget([outcome("failed", "CompileError")], key)).toBe(false);
  expect(runsTarget([outcome("failed")], key)).toBe(true);
});

const versionBefore = `var (
	ErrInvalidPrerelease = errors.New("invalid prerelease")
	ErrInvalidMetadata = errors.New("invalid metadata")
)

func validatePrerelease(p string) error {
	if p == "0" {
		return ErrInvalidPrerelease
	}
	return nil
}

func validateMetadata(p string) error {
	if p == "+" {
		return ErrInvalidMetadata
	}
	return nil
}
`;
const errorRows = [
  {
    why: "an error of another function",
    name: "ErrInvalidMetadata",
    statement: "Empty parts are wrong",
    isStrict: true,
  },
  {
    why: "the function's own error",
    name: "ErrInvalidPrerelease",
    statement: "Empty parts are wrong",
    isStrict: false,
  },
  { why: "a stated error", name: "ErrInvalidMetadata", statement: "Say `invalid metadata`", isStrict: false },
  {
    why: "any error",
    name: "ErrInvalidMetadata",
    tests: "err == nil",
    statement: "Empty parts",
    isStrict: false,
  },
];

test.each(errorRows)(
  "tests that require $why: strict is $isStrict",
  async ({ name, statement, isStrict, tests }) => {
    const after = versionBefore.replace(
      'if p == "0" {',
      `if p == "" {\n\t\treturn ${name}\n\t}\n\tif p == "0" {`,
    );
    const file = compareTexts("version.go", versionBefore, after);
    const found = await replaceError(file, { statement, tests: tests ?? `if err != ${name} {` });
    expect(found !== undefined).toBe(isStrict);
    if (isStrict)
      expect(found?.text).toBe(after.replace(`\t\treturn ${name}`, "\t\treturn ErrInvalidPrerelease"));
  },
);

test.each([
  { path: "lib/a.rb", from: "VERSION = '4.9.0'\n", to: "VERSION = '4.9.1'\n", count: 1 },
  { path: "lib/a.rb", from: "RATE = 4.9\n", to: "RATE = 5.1\n", count: 0 },
  { path: "lib/a.rb", from: "VERSION = '4.9.0'\n", to: "VERSION = nil\n", count: 0 },
  { path: "lib/a.rb", from: "MIN_TLS_VERSION = '1.0'\n", to: "MIN_TLS_VERSION = '1.2'\n", count: 0 },
  {
    path: "lib/a.rb",
    from: "MIN_TLS_VERSION = '1.0'\n",
    to: "MIN_TLS_VERSION = '1.2'\n",
    versions: [],
    count: 0,
  },
  {
    path: "lib/a.rb",
    from: "VERSION = '4.9.0'\n",
    to: "VERSION = '4.9.1'\n",
    statement: "Release 4.9.1",
    count: 0,
  },
  {
    ...{ path: "a/__init__.py", versions: [], count: 1 },
    ...{ from: "__version__ = '1.0.dev0'\n", to: "__version__ = '1.0'\n" },
  },
])("$from to $to: $count changes of only the version", (row) => {
  const file = compareTexts(row.path, row.from, row.to);
  const { versions = [...known.versions], statement = known.statement } = row;
  expect(listVersions(file, { versions: new Set(versions), statement }).length).toBe(row.count);
});

test.each([
  ["expire() returns an iterable of expired (key, value) pairs.", true],
  ["expire() returns an iterable of pairs, the oldest first.", false],
  ["TLRUCache.expire() returns iterable of expired (key, value) pairs.", true],
  ["expire() returns a list of pairs.", false],
  ["The set of flags is wrong: `parse` should give `['-b', '-a']`.", false],
  ["parse() returns a set of flags: ['-b', '-a']", false],
  ["parse() returns an iterable of flags, see [the docs](flags.md) and `flags[0]`.", true],
])("%s promises no order: %s", (statement, expected) => {
  expect(promisesNoOrder(statement)).toBe(expected);
});

test("a list comes back in another order and type", async () => {
  const before = "def expire(self):\n    return None\n";
  const after = "def expire(self):\n    gone = []\n    return gone\n";
  const [variant] = await listOtherOrders([compareTexts("a.py", before, after)]);
  expect(variant === undefined ? "" : mutatedText(variant)).toContain("iter(v[::-1])");
});

test.each([
  { path: "a.py", line: "    return a, b", expected: "((a, b))" },
  { path: "a.rb", line: "  return b", expected: "return (b).then" },
  { path: "a.rb", line: "  return a, b", expected: undefined },
])("another order of `$line` in $path parses", async ({ path, line, expected }) => {
  const [head, end] = path === "a.py" ? ["def f(a, b):", ""] : ["def f(a, b)", "end\n"];
  const texts = ["  c = 1", line].map((each) => `${head}\n${each}\n${end}`);
  const [variant] = await listOtherOrders([compareTexts(path, texts[0], texts[1])]);
  if (expected === undefined) expect(variant).toBeUndefined();
  else expect(variant === undefined ? "" : mutatedText(variant)).toContain(expected);
});

const pythonErrors = (head: string) => `class ParseError(Exception):
    ${head}


class LimitError(Exception):
    def __init__(self, limit, value):
        self.limit = limit


def parse(text):
    raise ParseError(text)


def limit(value):
    raise LimitError(3, value)


def read(value):
    return value
`;

test.each([
  ["def __init__(self, limit, value):\n        pass", true],
  ["def __init__(self, text):\n        pass", false],
  ["pass", false],
])("an error whose constructor is %s replaces another one: %s", async (head, expected) => {
  const before = pythonErrors(head);
  const after = before.replace("    return value", "    raise LimitError(3, value)");
  const telling = { statement: "Large values are read", tests: "raises(LimitError)" };
  const found = await replaceError(compareTexts("a.py", before, after), telling);
  expect(found !== undefined).toBe(expected);
});

const fixOf = (line: string) =>
  `diff --git a/lib/a.rb b/lib/a.rb\n--- a/lib/a.rb\n+++ b/lib/a.rb\n@@ -1 +1,2 @@\n def read\n+  ${line}\n`;
const testOf = (line: string) => fixOf(line).replaceAll("lib/a.rb", "test/a_test.rb");

test.each([
  {
    fix: "@backlog = []",
    asks: "assert_empty a.instance_variable_get(:@backlog)",
    unstated: ["backlog"],
    texts: [],
  },
  { fix: "limit = options[:most_lines]", asks: "A.new(most_lines: 3)", unstated: ["most_lines"], texts: [] },
  { fix: "limit = options[:depth]", asks: "A.new(depth: 3)", unstated: [], texts: [] },
  {
    fix: 'raise "no lines"',
    asks: 'assert_equal "no lines", error.message',
    unstated: [],
    texts: ["no lines"],
  },
  { fix: 'return "no lines"', asks: 'assert_equal "no lines", a.read', unstated: [], texts: [] },
])("$fix, which the test asks for, is unstated: $unstated $texts", async ({ fix, asks, unstated, texts }) => {
  const split = {
    goldPatch: fixOf(fix),
    testPatch: testOf(asks),
    codeFiles: ["lib/a.rb"],
    testFiles: ["test/a_test.rb"],
  };
  const text = "def read\nend\n";
  const store = partOf<TreeStore>({
    list: async () => [{ path: "lib/a.rb", mode: "100644", blob: "" }],
    read: async (tree) => Buffer.from(tree === "base" ? text : text.replace("read\n", `read\n  ${fix}\n`)),
  });
  const change = partOf<Change>({ statement: "Reading stops at a depth." });
  const found = await findNewNames(
    change,
    { ...split, basePatch: "", mixedFiles: [], hunks: 1, lines: 1 },
    { store, base: "base", gold: "gold" },
  );
  expect(found).toMatchObject({ unstated, texts });
});
