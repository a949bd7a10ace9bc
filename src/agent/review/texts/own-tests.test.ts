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
