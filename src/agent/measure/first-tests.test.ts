import { expect, test } from "vitest";
import { filesOfTests, subjectOf, takeInTime, takeNearest } from "./first-tests.ts";
import { rankByWords } from "./rank-tests.ts";

const texts = new Map([
  ["tests/test_repr.py", "from pkg.shorten import ellipsize\n"],
  ["tests/io/test_shorten.py", "import pkg\n"],
  ["tests/test_words.py", "text = 1\n"],
  ...Array.from({ length: 10 }, (_, at) => [`tests/test_${at}.py`, "text and reports\n"] as const),
]);

test("a rare name in a text counts first, then a word in a file's own name, and what most files say does not", () => {
  expect(rankByWords("`ellipsize` of shorten: the text is cut", texts)).toEqual([
    "tests/test_repr.py",
    "tests/io/test_shorten.py",
  ]);
  expect(rankByWords("it crashes", texts)).toEqual([]);
});

test("files with a rare name that the statement writes as code come before those named like its words", () => {
  const many = Array.from({ length: 40 }, (_, at) => [`testing/test_${at}.py`, "warning = 1\n"] as const);
  const suite = new Map([
    ...many,
    ["testing/test_warning_types.py", "warning\n"],
    ["testing/test_config.py", "testpaths\n"],
    ["testing/test_collection.py", "def test_with_testpaths(): ini('testpaths = a')\n  testpaths\n"],
  ]);
  const statement = "Add warning when :confval:`testpaths` is set, but paths are not found. `warning` comes.";
  expect(rankByWords(statement, suite).slice(0, 3)).toEqual([
    "testing/test_collection.py",
    "testing/test_config.py",
    "testing/test_warning_types.py",
  ]);
});

test("files of tests are those that the command's own pattern names, else those that are named so", () => {
  const units = ["test/unit/adapters/http.js", "test/unit/utils/trim.js"];
  const specs = ["test/specs/api.spec.js", "examples/first.spec.js"];
  const paths = [...units, ...specs, "lib/adapters/http.js", "test/unit/data.json"];
  const command = { command: "node hotfix.js mocha test/unit/**/*.js --exit", directory: "" };
  expect(filesOfTests(paths, command)).toEqual(units);
  const one = { command: "mocha test/unit/utils/trim.js --exit", directory: "" };
  expect(filesOfTests(paths, one)).toEqual(["test/unit/utils/trim.js"]);
  expect(filesOfTests(paths, { command: "npx mocha", directory: "" })).toEqual(["test/specs/api.spec.js"]);
});

test("of a repository with tests in several languages, only those in the framework's language run first", () => {
  const paths = [
    "tests/test_value.rs",
    "examples/test_a.rs",
    "capi/tests/test_basic.c",
    "go/env_test.go",
    "web/x.test.ts",
  ];
  const command = { command: "cargo test", directory: "" };
  expect(filesOfTests(paths, command, "rust")).toEqual(["tests/test_value.rs"]);
  expect(filesOfTests(paths, command, "javascript")).toEqual(["web/x.test.ts"]);
  expect(filesOfTests(paths, command, "shell")).toHaveLength(4);
});

test("a task with a target and no statement has its target's words", () => {
  const words = subjectOf({ statement: "", target: "pkg/shorten.py:ellipsize" });
  expect(rankByWords(words, texts)).toEqual(["tests/io/test_shorten.py", "tests/test_repr.py"]);
  expect(subjectOf({ statement: "" })).toBe("");
});

test("known times of earlier runs decide over a file's length", () => {
  const long = "x".repeat(70_000);
  const sizes = new Map([
    ["a.py", "slow"],
    ["b.py", long],
    ["c.py", long],
    ["d.py", "quick"],
  ]);
  const ranked = [...sizes.keys()];
  expect(takeNearest(ranked, sizes)).toEqual(["a.py", "d.py"]);
  const times = new Map([
    ["a.py", 90_000],
    ["b.py", 2_000],
    ["c.py", 15_000],
  ]);
  expect(takeNearest(ranked, sizes, times)).toEqual(["b.py", "c.py", "d.py"]);
  expect(takeNearest(["a.py"], sizes, times)).toEqual(["a.py"]);
  expect(takeNearest(["b.py"], sizes)).toEqual(["b.py"]);
});

test("a slow file leaves its time to later ones, but the first file always runs", () => {
  const times = new Map([
    ["slow", 900],
    ["long", 700],
    ["quick", 200],
  ]);
  expect(takeInTime(["quick", "slow", "long", "new"], times, 1_000)).toEqual({
    ...{ taken: ["quick", "long", "new"], left: ["slow"] },
  });
  expect(takeInTime(["slow", "quick"], times, 100)).toEqual({ taken: ["slow"], left: ["quick"] });
  expect(takeInTime(["slow", "quick"], undefined, 100).left).toEqual([]);
});
