import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import type { BaseFiles } from "../texts/base-files.ts";
import { judgeLanguageNames } from "./language-names.ts";

function baseOf(files: Readonly<Record<string, string>>): BaseFiles {
  return { list: async () => Object.keys(files), read: async (path) => files[path] };
}
const judge = async (
  path: string,
  before: string | undefined,
  after: string,
  tests: Record<string, string>,
) => (await judgeLanguageNames(compareTexts(path, before, after), baseOf(tests))).map(({ text }) => text);

const goTest = {
  "shop/a_test.go": "package shop\n\nfunc TestA(t *testing.T) {\n\tif err == nil {\n\t}\n}\n",
};
const star = {
  "tests/test_a.py": "import math\nfrom shop.fees import *\n\nassert abs(fee(7) - 15) < math.inf\n",
};
const java = {
  "src/test/java/shop/ATest.java": "package shop;\n\nclass ATest {\n  int a = Math.abs(1);\n}\n",
};
const rust = { "tests/a.rs": "use shop::*;\n\n#[test]\nfn a() {\n    assert!(matches!(f(), Some(3)));\n}\n" };

test.each<[string, string, Record<string, string>]>([
  ["shop/nil.go", 'package shop\n\nvar nil = errors.New("x")\n', goTest],
  ["shop/fees.py", "def abs(number):\n    return 0\n", star],
  ["shop/fees.py", "class math:\n    inf = 3\n", star],
  ["src/main/java/shop/Math.java", "package shop;\n\nfinal class Math {}\n", java],
  ["src/lib.rs", "pub struct Some(pub i64);\n", rust],
])("%s: %s", async (path, after, tests) => {
  expect(await judge(path, undefined, after, tests)).toEqual([expect.stringContaining("redefines")]);
});

test.each<[string, string | undefined, string, Record<string, string>]>([
  // The test does not use it, or does not see it, or imports another one by its whole name.
  ["shop/a.go", undefined, "package shop\n\nfunc max(a, b int) int { return a }\n", goTest],
  ["other/nil.go", undefined, "package other\n\nvar nil = 3\n", goTest],
  ["shop/fees.py", undefined, "def sum(numbers):\n    return 0\n", star],
  ["shop/fees.py", undefined, "def total(weights):\n    abs = len\n", star],
  ["shop/fees.py", undefined, "import math\n\n\ndef fee(weight):\n    return 3\n", star],
  ["shop/other.py", undefined, "def abs(number):\n    return 0\n", star],
  ["shop/fees.py", "def abs(number):\n    return 1\n", "def abs(number):\n    return 0\n", star],
  [
    "src/main/java/shop/Math.java",
    undefined,
    "package shop;\n\nfinal class Math {}\n",
    {
      "src/test/java/shop/ATest.java":
        "package shop;\n\nimport other.Math;\n\nclass ATest {\n  int a = Math.abs(1);\n}\n",
    },
  ],
  ["src/lib.rs", undefined, "pub type Result<T> = std::result::Result<T, Error>;\n", rust],
])("stays: %s: %s: %s", async (path, before, after, tests) => {
  expect(await judge(path, before, after, tests)).toEqual([]);
});
