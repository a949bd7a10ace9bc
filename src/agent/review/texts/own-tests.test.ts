import { expect, test } from "vitest";
import { readOwnTests } from "./own-tests.ts";

async function aroundOf(text: string): Promise<string> {
  const trees = {
    list: async () => [{ path: "test_fee.py", mode: "100644", blob: "" }],
    read: async () => Buffer.from(text),
  };
  const key = { package: "", target: "test_fee.py", name: "test_fee" };
  const [own] = await readOwnTests(trees, "base", [], [key]);
  return own?.around ?? "";
}

const uses = "\n\ndef test_fee():\n    root = fee(2)\n    assert root == 4\n";

test("a helper that the test calls is read as a whole", async () => {
  const helper = 'def fee(count):\n    folder = "."\n\n    return open(folder + "/fee.py").read()';
  expect(await aroundOf(`${helper}${uses}`)).toContain('open(folder + "/fee.py")');
  const method = helper.replaceAll("\n", "\n    ").replace("fee(", "fee(self, ");
  const inClass = `class TestFee:\n    ${method}\n\n    def test_fee(self):\n        assert self.fee(2) == "4"\n`;
  expect(await aroundOf(inClass)).toContain('open(folder + "/fee.py")');
});

test("a helper that only has a variable of the same name is not", async () => {
  const other = 'def other(path):\n    root = path.glob("**/")\n\n    root = 1';
  expect(await aroundOf(`${other}${uses}`)).toBe("");
});

test("a helper that frameworks call without a name counts by the names that it assigns", async () => {
  const text = 'def setUpModule():\n    global root\n    root = open("fee.py").read()';
  expect(await aroundOf(`${text}${uses}`)).toContain('open("fee.py")');
  const fixture = '@pytest.fixture(autouse=True)\ndef ready():\n    root = open("fee.py").read()';
  expect(await aroundOf(`${fixture}${uses}`)).toContain('open("fee.py")');
});

async function ofBase(base: string, written: string, name: string): Promise<boolean | undefined> {
  const trees = {
    list: async () => [{ path: "test_fee.py", mode: "100644", blob: "" }],
    read: async (tree: string) => Buffer.from(tree === "base" ? base : written),
  };
  const key = { package: "", target: "test_fee.py", name };
  const [own] = await readOwnTests(trees, "base", ["written"], [key]);
  return own?.isOfBase;
}

const total = (group: string, value: number): string =>
  `class ${group}:\n    def test_total(self):\n        assert total() == ${value}\n\n`;

test("a new test whose last name a base test has is the run's own", async () => {
  const base = total("TestCart", 4);
  const written = `${base}${total("TestShop", 5)}`;
  expect(await ofBase(base, written, "TestShop::test_total")).toBe(false);
  expect(await ofBase(base, written, "TestCart::test_total")).toBe(true);
  expect(await ofBase(base, base, "TestCart::test_total")).toBe(true);
});

test("a base test that the run changes, or whose helper it changes, is the run's own", async () => {
  const base = total("TestCart", 4);
  expect(await ofBase(base, total("TestCart", 5), "TestCart::test_total")).toBe(false);
  const helper = (value: number): string => `def total():\n    return ${value}\n\n\n${base}`;
  expect(await ofBase(helper(4), helper(5), "TestCart::test_total")).toBe(false);
  expect(await ofBase(base, `${base}# more\n`, "TestCart::test_total")).toBe(true);
});

test("a changed function beside a Rust test leaves the test the base's", async () => {
  const text = (value: number): string =>
    `fn zone() -> u8 {\n    ${value}\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn zone() {\n        assert_eq!(zone(), 1);\n    }\n}\n`;
  const trees = {
    list: async () => [{ path: "src/lib.rs", mode: "100644", blob: "" }],
    read: async (tree: string) => Buffer.from(text(tree === "base" ? 0 : 1)),
  };
  const key = { package: "", target: "src/lib.rs", name: "tests::zone" };
  expect(await readOwnTests(trees, "base", ["patched"], [key])).toMatchObject([{ isOfBase: true }]);
});

test("a new Rust test is not read as a test of another module", async () => {
  const text = (value: number): string =>
    `#[cfg(test)]\nmod tests {\n    #[test]\n    fn zone() {\n        assert_eq!(zone(), ${value});\n    }\n}\n`;
  const files = { base: { "src/lex.rs": text(1) }, own: { "src/lex.rs": text(1), "src/parse.rs": text(2) } };
  const filesOf = (tree: string): Readonly<Record<string, string>> =>
    tree === "base" ? files.base : files.own;
  const trees = {
    list: async (tree: string) =>
      Object.keys(filesOf(tree)).map((path) => ({ path, mode: "100644", blob: "" })),
    read: async (tree: string, path: string) => Buffer.from(filesOf(tree)[path] ?? ""),
  };
  const keyOf = (name: string) => ({ package: "", target: "src/lib.rs", name });
  const read = await readOwnTests(
    trees,
    "base",
    ["own"],
    [keyOf("parse::tests::zone"), keyOf("lex::tests::zone")],
  );
  expect(read.map(({ file, isOfBase }) => [file, isOfBase])).toEqual([
    ["src/parse.rs", false],
    ["src/lex.rs", true],
  ]);
});
