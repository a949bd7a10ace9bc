import { expect, test } from "vitest";
import {
  bodiesOf,
  failedLine,
  findFilesByTest,
  findTestFile,
  listTestBodies,
  selectWithTests,
} from "./test-bodies.ts";

test("a file of helpers with a test's name contains no test", async () => {
  const files: Readonly<Record<string, string>> = {
    "tests/test_utils.py": "def make_cart(*items):\n    return list(items)\n",
    "tests/test_cart.py":
      "from test_utils import make_cart\n\n\ndef test_cart():\n    assert make_cart(1) == [1]\n",
    "tests/helpers.test.js": "export const make = (...items) => items;\n",
    "tests/cart.test.js": 'test("cart", () => {\n  expect(1).toBe(1);\n});\n',
  };
  const read = async (_: string, path: string) => Buffer.from(files[path] ?? "");
  expect(await selectWithTests({ read }, "tree", Object.keys(files))).toEqual([
    "tests/test_cart.py",
    "tests/cart.test.js",
  ]);
});

test("a title with placeholders belongs to the tests with its values", async () => {
  const lines = [
    "describe('fee', () => {",
    "  it.each([[7, 15]])('costs of %i are %i', (weight, cost) => {});",
    "  it.each([{ weight: 7 }])('weighs $weight', ({ weight }) => {});",
    "  for (const weight of [7]) it(`loops $\x7bweight} times`, () => {});",
    "  it.each([7])('%i', () => {});",
    "  it('weighs 8', () => {});",
    "});",
  ];
  const bodies = await listTestBodies("fee.test.js", lines.join("\n"));
  const linesOf = (name: string) =>
    bodiesOf(bodies, { package: "", target: "fee.test.js", name }).map(({ startLine }) => startLine);
  expect(linesOf("fee > costs of 7 are 15")).toEqual([2]);
  expect(linesOf("fee > weighs 7")).toEqual([3]);
  expect(linesOf("fee loops 7 times")).toEqual([4]);
  expect(linesOf("fee > weighs 8")).toEqual([6]);
  expect(linesOf("fee > 7")).toEqual([]);
});

test("of tests with the same name, the one whose groups the key names counts", async () => {
  const lines = [
    "def test_total():\n    pass\n",
    "class TestCart:\n    def test_total(self):\n        pass\n",
    "class TestShop:\n    def test_total(self):\n        pass\n",
  ];
  const bodies = await listTestBodies("test_fee.py", lines.join("\n"));
  const pathsOf = (name: string) =>
    bodiesOf(bodies, { package: "", target: "test_fee.py", name }).map(({ path }) => path);
  expect(pathsOf("TestShop::test_total")).toEqual(["TestShop test_total"]);
  expect(pathsOf("TestCart::test_total[2]")).toEqual(["TestCart test_total"]);
  expect(pathsOf("test_total")).toEqual(["test_total"]);
  // Both may inherit the test.
  expect(pathsOf("TestOther::test_total")).toEqual(["test_total"]);
});

test("a row of a Java method belongs to the method", async () => {
  const text = "class FeeTest {\n  @ParameterizedTest\n  void fee(int weight, int cost) {\n  }\n}\n";
  const key = { package: "", target: "shop.FeeTest", name: "fee(int, int)[2]" };
  expect(bodiesOf(await listTestBodies("FeeTest.java", text), key)).toHaveLength(1);
});

test("a Rust test stands in the file of its module, not in the crate's root", async () => {
  const own = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn works() {}\n}\n";
  const files: Readonly<Record<string, string>> = {
    "src/lib.rs": `mod fee;\nmod road;\n${own}`,
    "src/fee.rs": own,
    "src/road/mod.rs": `mod toll;\n${own}`,
    "src/road/toll.rs": "pub fn toll() {}\n",
    "tests/it/main.rs": "mod fee;\n",
    "tests/it/fee.rs": "#[test]\nfn works() {}\n",
  };
  const trees = {
    list: async () => Object.keys(files).map((path) => ({ path, mode: "100644", blob: "" })),
    read: async (_: string, path: string) => Buffer.from(files[path] ?? ""),
  };
  const fileOf = (target: string, name: string) => findTestFile(trees, "tree", { package: "", target, name });
  expect(await fileOf("src/lib.rs", "tests::works")).toBe("src/lib.rs");
  expect(await fileOf("src/lib.rs", "fee::tests::works")).toBe("src/fee.rs");
  expect(await fileOf("src/lib.rs", "road::tests::works")).toBe("src/road/mod.rs");
  expect(await fileOf("src/lib.rs", "road::toll::works")).toBe("src/road/mod.rs");
  expect(await fileOf("tests/it/main.rs", "fee::works")).toBe("tests/it/fee.rs");
  const filesOf = async (target: string, name: string) => {
    const key = { package: "", target, name };
    const [found = []] = [...(await findFilesByTest(trees, "tree", [key])).values()];
    return found.map(({ path }) => path);
  };
  expect(await filesOf("src/lib.rs", "fee::tests::works")).toEqual(["src/fee.rs"]);
  expect(await filesOf("src/lib.rs", "tests::works")).toEqual(["src/lib.rs"]);
  expect(await filesOf("tests/it/main.rs", "fee::works")).toEqual(["tests/it/fee.rs"]);
});

test("the failed line is that of the test's own file, not of a file with the same end of its path", () => {
  const failed = (...frames: [file: string, line: number][]): number | undefined => {
    const failure = {
      type: "E",
      message: "",
      text: "",
      frames: frames.map(([file, line]) => ({ file, line })),
    };
    return failedLine(failure, "test/fee.js", { startLine: 3, endLine: 9 });
  };
  expect(failed(["test/fee.js", 4], ["lib/test/fee.js", 8])).toBe(4);
  expect(failed(["/built/test/fee.js", 5], ["test/other.js", 6])).toBe(5);
  expect(failed(["test/fee.js", 12])).toBeUndefined();
});
