import { expect, test } from "vitest";
import { readTestRegions } from "../../judging/test-regions.ts";
import { changedFiles } from "../code/changed-files.ts";
import { testsIntact, weakensTests } from "./tests-intact.ts";

const regions = await readTestRegions({
  files: [],
  read: async () => undefined,
  outcomes: [],
  framework: undefined,
});

test("tests, and what lies beside them, are told from code", () => {
  const tests = [
    "tests/test_cart.py",
    "tests/data/cart.json",
    "pkg/testdata/a.golden",
    "src/cart.test.ts",
    "web/__snapshots__/cart.snap",
    "cart_test.go",
  ];
  const code = ["src/cart.py", "lib/fixtures/load.rb.js", "build.rs", "docs/tests.md", "package.json"];
  expect(tests.filter((path) => !regions.isWhole(path))).toEqual([]);
  expect(code.filter((path) => regions.isWhole(path))).toEqual([]);
});

const rust = (body: string, tests: string): string =>
  `pub fn take(packs: u32) -> u32 {\n    ${body}\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n${tests}}\n`;
const one = "    #[test]\n    fn takes() {\n        assert_eq!(take(1), 1);\n    }\n";

function treesOf(path: string, before: string, after: string) {
  const texts: Readonly<Record<string, string>> = { before, after };
  return {
    stat: async () => [{ path, added: 1, removed: 1 }],
    read: async (tree: string) => Buffer.from(texts[tree] ?? ""),
  };
}

async function compare(before: string, after: string) {
  return changedFiles(treesOf("src/take.rs", before, after), regions, "before", "after");
}

test("tests that were there stay as they are; a kind that delivers tests may add some", async () => {
  const base = rust("packs", one);
  const holds = async (adds: boolean, path: string, before: string, after: string) => {
    const trees = treesOf(path, before, after);
    return (await testsIntact({ trees, regions, base: "before", tree: "after", adds })).holds;
  };
  const both = async (path: string, before: string, after: string) => [
    await holds(false, path, before, after),
    await holds(true, path, before, after),
  ];
  const rs = "src/take.rs";
  expect(await both(rs, base, rust("packs + 1", one))).toEqual([true, true]);
  expect(await both(rs, base, rust("packs", one.replace("1);", "2);")))).toEqual([false, false]);
  expect(await both(rs, base, rust("packs", `${one}\n${one.replace("takes", "more")}`))).toEqual([
    false,
    true,
  ]);
  expect(await both(rs, base, rust("packs", one.replace("#[test]", "#[test]\n    #[ignore]")))).toEqual([
    false,
    false,
  ]);
  const py = "tests/test_a.py";
  const test = "def test_a():\n    assert a == 1\n";
  expect(await both(py, test, test.replace("a == 1", "a"))).toEqual([false, false]);
  expect(await both(py, test, `${test}\ndef test_b():\n    assert b\n`)).toEqual([false, true]);
  expect(await both(py, test, `${test}\ndef test_a():\n    pass\n`)).toEqual([false, false]);
  expect(await both(py, test, `import pytest\n@pytest.mark.xfail\n${test}`)).toEqual([false, false]);
  expect(await both(py, test, "")).toEqual([false, false]);
});

test.each<[string, string, string]>([
  ["tests/test_a.py", "from cart import Cart\n", "from cart import Cart, total\n"],
  ["tests/test_a.py", "from cart import (\n    Cart,\n)\n", "from cart import (\n    Cart, total)\n"],
  ["a.test.ts", 'import { a } from "./a";\n', 'import { a, b } from "./a";\n'],
  ["a.test.js", 'const { a } = require("./a");\n', 'const { a, b } = require("./a");\n'],
  ["tests/a.rs", "use cart::{Cart};\n", "use cart::{Cart, total};\n"],
])("of %s, an import may name more, but nothing else may change: %j", async (path, before, after) => {
  const tests = "check(cart.price(3), 5)\n";
  const holds = async (text: string): Promise<boolean> => {
    const trees = treesOf(path, before + tests, text);
    return (await testsIntact({ trees, regions, base: "before", tree: "after", adds: true })).holds;
  };
  expect(await holds(after + tests)).toBe(true);
  expect(await holds(after + tests.replace("3)", "3, 0)"))).toBe(false);
  expect(await holds(`${after.replaceAll(/\b(?:Cart|a)\b(?! from)/g, "")}${tests}`)).toBe(false);
});

test.each<[string, string, string, boolean]>([
  ["tests/test_a.py", "def test_a():\n    a = f()\n", "    assert a == 1\n", true],
  ["a.test.js", 'test("a", () => {\n  const a = f();\n', "  expect(a).toBe(1);\n});\n", true],
  ["a_test.go", "func TestA(t *testing.T) {\n\ta := f()\n", "\tif a != 1 {\n\t\tt.Fatal(a)\n\t}\n}\n", true],
  [
    "test/a_test.rb",
    "class ATest < Minitest::Test\n  def test_a\n    a = f\n    assert_equal 1, a\n",
    "  end\nend\n",
    false,
  ],
])("an existing test of %s must not end before its old statements", async (path, head, tail, isEarly) => {
  expect(await weakensTests(path, `${head}${tail}`, `${head}    return\n${tail}`)).toBe(isEarly);
  expect(await weakensTests(path, `${head}${tail}`, `${head}    b = 2\n${tail}`)).toBe(false);
});

test("below words that begin an import elsewhere, punctuation counts", async () => {
  const holds = async (path: string, before: string, after: string): Promise<boolean> => {
    const trees = treesOf(path, before, after);
    return (await testsIntact({ trees, regions, base: "before", tree: "after", adds: true })).holds;
  };
  const docs = 'def test_fee():\n    """Here we\n    use the rate"""\n    assert fee(1) == 2, "a; b"\n';
  const weak = docs.replace('fee(1) == 2, "a; b"', '(fee(1) == 2, "a; b")');
  expect(await holds("tests/test_fee.py", docs, weak)).toBe(false);
  const line = 'from a import f; assert f(1), "x"\n';
  expect(await holds("tests/test_fee.py", line, 'from a import f; assert (f(1), "x")\n')).toBe(false);
});

test("of a source with tests inside, it is known whether these or the code change", async () => {
  const base = rust("packs", one);
  const tested = rust("packs", `${one}\n${one.replace("takes", "takes_two")}`);
  expect(await compare(base, tested)).toEqual({ tests: [], code: [], inside: ["src/take.rs"] });
  expect(await compare(base, rust("packs + 1", one))).toEqual({
    tests: [],
    code: ["src/take.rs"],
    inside: [],
  });
  expect(await compare(rust("packs", ""), rust("packs + 1", one))).toEqual({
    tests: [],
    code: ["src/take.rs"],
    inside: ["src/take.rs"],
  });
  const without = "pub fn take(packs: u32) -> u32 {\n    packs\n}\n";
  expect(await compare(without, base)).toEqual({ tests: [], code: [], inside: ["src/take.rs"] });
});
