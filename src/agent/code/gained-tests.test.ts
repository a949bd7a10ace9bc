import { expect, test } from "vitest";
import { gainedTests, keysOfGained } from "./gained-tests.ts";

const python = [
  "import pytest",
  "from shop import Cart",
  "",
  "",
  "class TestCart:",
  "    def test_take(self):",
  '        assert Cart("""',
  "# 2 packs",
  '""").take() == 2',
  "",
  "",
  "def test_total():",
  "    assert Cart('3').total() == 3",
  "",
].join("\n");
const javascript = [
  'import { total } from "../total.js";',
  'describe("total", () => {',
  '  it("adds", () => {',
  "    expect(total(1)).toBe(1);",
  "  });",
  "});",
  "",
].join("\n");

const names = async (path: string, before: string, after: string) =>
  (await gainedTests(path, before, after))?.map((body) => body.path);
const py = (after: string) => names("tests/test_cart.py", python, after);
const js = (after: string) => names("test/total.test.js", javascript, after);

test("a file gains functions, methods, groups and imports with new names", async () => {
  const added = python.replace(
    "\n\ndef test_total",
    "\n    # 0 packs are none\n    @pytest.mark.slow\n    def test_take_none(self):\n        self.packs = 0\n        assert Cart('').take() == 0\n\n\ndef test_total",
  );
  expect(await py(added)).toEqual(["TestCart test_take_none"]);
  expect(
    await py(
      `import math\n${python.replace("import Cart", "import Cart, Parcel")}\n\ndef test_total_of():\n    assert math.pi\n`,
    ),
  ).toEqual(["test_total_of"]);
  expect(await py(`${python}\n\nclass TestParcel:\n    def test_take(self):\n        pass\n`)).toEqual([
    "TestParcel test_take",
  ]);
  expect(
    await js(
      javascript.replace("\n});", '\n  it("adds nothing", () => {\n    expect(total()).toBe(0);\n  });\n});'),
    ),
  ).toEqual(["total adds nothing"]);
  expect(await py(python)).toEqual([]);
});

test("any other change of the file concerns its existing tests", async () => {
  const changes = [
    python.replace("== 2", "== 3"),
    python.replace("# 2 packs", "# 3 packs"),
    python.replace('Cart("""\n', 'Cart("""\n\n'),
    `${python}\n\ndef test_total():\n    pass\n`,
    `${python}\n\nclass Cart:\n    def test_it(self):\n        pass\n`,
    `${python}\n\n@pytest.fixture(autouse=True)\ndef test_patch(monkeypatch):\n    pass\n`,
    `${python}\n\ndef setup_module():\n    pass\n\n\ndef test_more():\n    pass\n`,
    `${python}\n\ndef test_more():\n    pass\n\n\nCart.total = lambda self: 3\n`,
    `from fakes import Cart\n${python}`,
    python.replace("from shop import Cart", "from shop import Carts as Cart"),
    `from fakes import *\n${python}`,
    `import math; Cart = 1\n${python}\n\ndef test_more():\n    pass\n`,
    python.replace("import pytest", "import pytest; Cart = 1"),
    `${python}\n\ndef test_more():\n    Cart.total = lambda self: 3\n`,
    `${python}\n\ndef test_more():\n    Cart.packs += 1\n`,
    `${python}\n\ndef test_more():\n    Cart.costs[3] = 1\n`,
    `${python}\n\ndef test_more():\n    setattr(Cart, "total", lambda self: 3)\n`,
  ];
  for (const after of changes) expect([after, await py(after)]).toEqual([after, undefined]);
  expect(await js(`${javascript}beforeEach(() => {});\n`)).toBe(undefined);
  expect(await js(javascript.replace("toBe(1)", "toBe(2)"))).toBe(undefined);
  const mocks = 'describe("more", () => {\n  vi.mock("../total.js");\n  it("mocks", () => {});\n});\n';
  expect(await js(`${javascript}${mocks}`)).toBe(undefined);
  const go = 'package a\n\nimport "testing"\n\nfunc TestA(t *testing.T) {\n}\n';
  const more = `${go}\nfunc TestMain(m *testing.M) {\n}\n`;
  expect(await names("a_test.go", go, more)).toBe(undefined);
  expect(await names("a_test.go", go, `${go}\nfunc TestB(t *testing.T) {\n}\n`)).toEqual(["TestB"]);
});

test("a new test gets its key from the tests beside it", () => {
  const key = (name: string) => ({ package: "", target: "tests/test_cart.py", name });
  const body = (path: string) => ({ name: path.split(" ").at(-1) ?? "", path, startLine: 1, endLine: 1 });
  const known = [
    "A::test_a",
    "A::test_b",
    "B::test_a",
    "B::test_b",
    "C::test_c",
    "test_total[1]",
    "test_all",
  ];
  const bodies = ["A test_a", "A test_b", "C test_c", "test_total", "test_all", "D test_d"].map(body);
  const keysFor = (...paths: string[]) =>
    keysOfGained("tests/test_cart.py", known.map(key), bodies, paths.map(body))?.map(({ name }) => name);
  expect(keysFor("A test_more", "test_last")).toEqual(["A::test_more", "B::test_more", "test_last"]);
  expect(keysFor("D test_more")).toBe(undefined);
});
