/** Recognises test code. Each row is a small repository: its files, what ran there, and the expected regions. */
import { expect, test } from "vitest";
import { testFrameworks } from "../languages/index.generated.ts";
import { isTestRegion, linesOfSpans, readTestRegions } from "./test-regions.ts";

interface Row {
  readonly framework: string;
  readonly files: Readonly<Record<string, string>>;
  /** `target::name` of each test. */
  readonly ran: readonly string[];
  /** Entirely test code; all other files of the row are not. */
  readonly whole: readonly string[];
  /** Lines of test code in files that also hold code. */
  readonly lines?: Readonly<Record<string, readonly number[]>>;
}

const pythonTests =
  "import unittest\nfrom slug import slug\n\ndef helper():\n    return slug('A')\n\nclass TestSlug(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(helper(), 'a')\n";
const beside =
  "def add(a, b):\n    return a - b\n\n\n@cached\ndef test_add():\n    assert add(1, 2) == 3\n\n\nclass TestMore:\n    def test_zero(self):\n        assert add(0, 0) == 0\n";

const rows: Readonly<Record<string, Row>> = {
  "tests in test.py, of which the name says nothing": {
    framework: "pytest",
    files: { "slug/__init__.py": "def slug(a): return a\n", "test.py": pythonTests, "setup.py": "" },
    ran: ["test.py::TestSlug::test_a"],
    whole: ["test.py"],
  },
  "packages of Java below the code of a module": {
    framework: "maven",
    files: {
      "server/src/main/java/org/shop/snapshots/Store.java": "package org.shop.snapshots;\nclass Store {}\n",
      "server/src/test/java/org/shop/snapshots/StoreTest.java": "class StoreTest {}\n",
      "server/src/test/java/org/shop/fixtures/Carts.java": "class Carts {}\n",
      "server/fixtures/Shop.java": "class Shop {}\n",
    },
    ran: ["org.shop.snapshots.StoreTest::fee()"],
    whole: [
      "server/src/test/java/org/shop/snapshots/StoreTest.java",
      "server/src/test/java/org/shop/fixtures/Carts.java",
      "server/fixtures/Shop.java",
    ],
  },
  "a package of Go that is named like data of tests, and that code imports": {
    framework: "go-test",
    files: {
      "go.mod": "module shop\n",
      "main.go": 'package main\n\nimport (\n\t"fmt"\n\t"shop/api/snapshots"\n)\n',
      "api/snapshots/store.go": "package snapshots\n",
      "api/snapshots/store_test.go": 'package snapshots\n\nimport "shop/fixtures"\n',
      "api/snapshots/testdata/a.go": "package a\n",
      "fixtures/cart.go": "package fixtures\n",
    },
    ran: ["api/snapshots::TestStore"],
    whole: ["api/snapshots/store_test.go", "api/snapshots/testdata/a.go", "fixtures/cart.go"],
  },
  "a file of any name that tests ran from": {
    framework: "unittest",
    files: { "slug.py": "def slug(a): return a\n", "checks.py": pythonTests },
    ran: ["checks.py::TestSlug.test_a"],
    whole: ["checks.py"],
  },
  "tests beside the code, which nothing else holds": {
    framework: "pytest",
    files: { "calc.py": beside },
    ran: ["calc.py::test_add", "calc.py::TestMore::test_zero"],
    whole: [],
    lines: { "calc.py": [5, 6, 7, 10, 11, 12] },
  },
  "tests beside the code, which other code imports": {
    framework: "pytest",
    files: { "pkg/calc.py": beside, "pkg/app.py": "from .calc import add\n", "pkg/__init__.py": "" },
    ran: ["pkg/calc.py::test_add"],
    whole: [],
    lines: { "pkg/calc.py": [5, 6, 7, 10, 11, 12] },
  },
  "doctests that run": {
    framework: "pytest",
    files: {
      "pkg/calc.py": 'def add(a, b):\n    """Adds.\n\n    >>> add(1, 2)\n    3\n    """\n    return a - b\n',
      "pkg/other.py": '"""\n>>> 1\n2\n"""\n',
      "README.rst": "Use\n\n>>> add(1, 2)\n3\n\nso.\n",
    },
    ran: ["pkg/calc.py::pkg.calc.add", "README.rst::README.rst"],
    whole: [],
    lines: { "pkg/calc.py": [4, 5], "pkg/other.py": [], "README.rst": [3, 4] },
  },
  "what pytest is configured to collect, and what lies beside tests": {
    framework: "pytest",
    files: {
      "pytest.ini": "[pytest]\npython_files = check_*.py\n",
      "quality/check_a.py": "def test_a(): pass\n",
      "tests/data/cart.json": "{}",
      "tests/helpers.py": "",
      "conftest.py": "",
      "cart.py": "",
      "check_in.py": "",
      "app.py": "import check_in\n",
    },
    ran: ["quality/check_a.py::test_a"],
    whole: ["quality/check_a.py", "tests/data/cart.json", "tests/helpers.py", "conftest.py"],
  },
  "data named for tests, beside tests that ran": {
    framework: "go-test",
    files: {
      "cli/cli.go": "package cli\n",
      "cli/cli_test.go": 'package cli\n\nimport "os"\n\nvar cases, _ = os.ReadFile("test.yaml")\n',
      "cli/test.yaml": "- name: a\n",
      "cli/parse_test.json": "[]",
      "cli/latest.yaml": "",
      "cli/requirements-test.txt": "",
      "config/test.yaml": "",
      "cli/prices_test.json": "{}",
      "cli/embed.go": "package cli\n\n//go:embed prices_test.json\nvar prices string\n",
    },
    ran: ["cli/cli_test.go::TestCli"],
    whole: ["cli/cli_test.go", "cli/test.yaml", "cli/parse_test.json"],
  },
  "helpers beside the tests that ran, in a folder whose name has the word": {
    framework: "pytest",
    files: {
      "python_testcases/test_gcd.py": "from load_data import load\nfrom shared import it\n",
      "python_testcases/load_data.py": "def load(): return []\n",
      "python_testcases/shared.py": "it = 1\n",
      "programs/gcd.py": "from python_testcases.shared import it\n",
      "latest/more.py": "",
    },
    ran: ["python_testcases/test_gcd.py::test_gcd"],
    whole: ["python_testcases/test_gcd.py", "python_testcases/load_data.py"],
  },
  "a file that is named like a test and that code imports": {
    framework: "pytest",
    files: {
      "pkg/test_utils.py": "",
      "pkg/core.py": "from pkg.test_utils import it\n",
      "pkg/test_core.py": "import core",
    },
    ran: ["pkg/test_core.py::test_core"],
    whole: ["pkg/test_core.py"],
  },
  "vitest in the source": {
    framework: "vitest",
    files: {
      "src/add.ts":
        "export const add = (a: number, b: number) => a - b;\n\nif (import.meta.vitest) {\n  const { it, expect } = import.meta.vitest;\n  it('adds', () => expect(add(1, 2)).toBe(3));\n}\n",
      "src/more.ts": "export const more = 1;\n",
    },
    ran: ["src/add.ts::adds"],
    whole: [],
    lines: { "src/add.ts": [3, 4, 5, 6], "src/more.ts": [] },
  },
  "what jest is configured to collect": {
    framework: "jest",
    files: {
      "package.json": '{ "jest": { "testMatch": ["<rootDir>/checks/**/*.js"] } }',
      "checks/a.js": "it('a', () => {});\n",
      "src/a.js": "",
    },
    ran: [],
    whole: ["checks/a.js"],
  },
  "tests of node:test below the function that they test": {
    framework: "node-test",
    files: {
      "row.js": "exports.row = () => 1;\n\ntest('row', () => {\n  assert(exports.row());\n});\n",
      "main.js": 'const { row } = require("./row");\n',
    },
    ran: ["row.js::row"],
    whole: [],
    lines: { "row.js": [3, 4, 5], "main.js": [] },
  },
  "Rust: modules and functions of tests, their files, and documentation": {
    framework: "cargo-test",
    files: {
      "Cargo.toml":
        '[package]\nname = "a"\n\n[[test]]\nname = "x"\npath = "x.rs"\n\n[[test]]\npath = "qa/y.rs"\n',
      "src/lib.rs":
        "//! ```\n//! assert_eq!(a::two(), 2);\n//! ```\npub fn two() -> u32 { 1 }\n\n#[cfg(test)]\nmod checks;\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn two() {}\n}\n",
      "src/checks.rs": "#[test]\nfn a() {}\n",
      "x.rs": "",
      "qa/y.rs": "",
      "build.rs": "",
      "tests/api.rs": "",
    },
    ran: ["src/lib.rs::tests::two", "doc:src/lib.rs::src/lib.rs (line 1)"],
    whole: ["src/checks.rs", "x.rs", "qa/y.rs", "tests/api.rs"],
    lines: { "src/lib.rs": [1, 2, 3, 6, 7, 9, 10, 11, 12, 13], "build.rs": [] },
  },
  "Go and Java": {
    framework: "maven",
    files: {
      "cart_test.go": "",
      "cart.go": "",
      "src/main/java/org/a/Cart.java": "",
      "src/checks/java/org/a/CartCheck.java": "",
    },
    ran: ["org.a.CartCheck$Inner::adds"],
    whole: ["cart_test.go", "src/checks/java/org/a/CartCheck.java"],
  },
};

test.each(Object.entries(rows))("%s", async (_, { framework, files, ran, whole, lines = {} }) => {
  const regions = await readTestRegions({
    files: Object.keys(files),
    read: async (path) => files[path],
    outcomes: ran.map((id) => {
      const [target = "", ...name] = id.split("::");
      return { key: { package: "", target, name: name.join("::") } };
    }),
    framework: testFrameworks.find(({ name }) => name === framework),
  });
  expect(Object.keys(files).filter((path) => regions.isWhole(path))).toEqual(whole);
  for (const [path, expected] of Object.entries(lines)) {
    const text = files[path] ?? "";
    const spans = await regions.spansIn(path, text);
    expect([...linesOfSpans(text, spans)], path).toEqual(expected);
    for (const { start, end } of spans)
      expect(await isTestRegion(regions, { path, text, start, end })).toBe(true);
    expect(await isTestRegion(regions, { path, text, start: text.length, end: text.length })).toBe(false);
  }
});
