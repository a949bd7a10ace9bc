import { expect, test } from "vitest";
import { belongsToTests, changedFiles, rewrittenTests } from "./changed-files.ts";

test("tests, and what lies beside them, are told from code", () => {
  const tests = [
    "tests/test_cart.py",
    "tests/data/cart.json",
    "pkg/testdata/a.golden",
    "src/cart.test.ts",
    "web/__snapshots__/cart.snap",
    "cart_test.go",
  ];
  const code = ["src/cart.py", "lib/fixtures/load.rb.js", "docs/tests.md", "package.json"];
  expect(tests.filter((path) => !belongsToTests(path))).toEqual([]);
  expect(code.filter(belongsToTests)).toEqual([]);
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
  return changedFiles(treesOf("src/take.rs", before, after), "before", "after");
}

test("tests that were there and say something else now are named; what only adds some is not", async () => {
  const base = rust("packs", one);
  const of = (path: string, before: string, after: string) =>
    rewrittenTests(treesOf(path, before, after), "before", "after");
  expect(await of("src/take.rs", base, rust("packs + 1", one.replace("1);", "2);")))).toEqual([
    "src/take.rs",
  ]);
  expect(await of("src/take.rs", base, rust("packs + 1", `${one}\n${one.replace("takes", "more")}`))).toEqual(
    [],
  );
  expect(await of("tests/test_a.py", "assert a == 1\n", "assert a\n")).toEqual(["tests/test_a.py"]);
  expect(await of("tests/test_a.py", "assert a == 1\n", "assert a == 1\nassert b\n")).toEqual([]);
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
