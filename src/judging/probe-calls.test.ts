import { expect, test } from "vitest";
import { probeCalls } from "./probe-calls.ts";
import { applyEdits } from "./vary-tests.ts";

const probe = async (path: string, text: string): Promise<string> => {
  const endLine = text.split("\n").length;
  const edits = await probeCalls(path, text, { startLine: 1, endLine }, new Set(["get"]));
  return edits.length === 0 ? "" : applyEdits(text, edits);
};

test.each<[path: string, text: string, part: string]>([
  [
    "a_test.py",
    "def test():\n    assert get(3) == 4\n",
    "assert (lambda mw_one, mw_two: mw_two)(get(3), get(3)) == 4",
  ],
  ["a.test.js", 'test("a", () => assert.equal(get("b"), 4));\n', 'assert.equal((get("b"), get("b")), 4)'],
  ["a_test.rb", "def test_a\n  assert_equal 4, get(3)\nend\n", "assert_equal 4, (get(3); get(3))"],
  [
    "ATest.php",
    "<?php\nfunction test() {\n  assertSame(4, get(3));\n}\n",
    "assertSame(4, [get(3), get(3)][1])",
  ],
  [
    "a.rs",
    "fn test() {\n    assert_eq!(4, 4);\n    let a = get(3);\n}\n",
    "let a = { let _ = get(3); get(3) };",
  ],
  [
    "a_test.py",
    "def test():\n    assert shop.get(Decimal(1)) == 4\n",
    "mw_two)(shop.get(Decimal(1)), shop.get(Decimal(1)))",
  ],
  [
    "a_test.go",
    'package a\n\nfunc TestA(t *testing.T) {\n\tif got := get([]string{"a"}, 1); got != 4 {\n\t}\n}\n',
    '\tget([]string{"a"}, 1); if got := get([]string{"a"}, 1); got',
  ],
  [
    "ATest.java",
    "class ATest {\n  void test() {\n    assertEquals(4, Shop.get(3));\n  }\n}\n",
    "    Shop.get(3); assertEquals(4, Shop.get(3));",
  ],
])("a call with literals runs twice: %s %s", async (path, text, part) => {
  expect(await probe(path, text)).toContain(part);
});

test.each<[path: string, text: string]>([
  ["a_test.py", "def test():\n    get(3)\n"],
  ["a_test.py", "def test():\n    assert get() == 4\n"],
  ["a_test.py", "def test(value):\n    assert get(value) == 4\n"],
  ["a_test.py", "def test():\n    shop = Shop()\n    assert shop.get(3) == 4\n"],
  ["a_test.py", "def test():\n    assert get(lambda: 3) == 4\n"],
  ["a_test.py", "def test(self):\n    assert self.get(3) == 4\n"],
  ["a_test.py", "def test():\n    all = [3]\n    get(all)\n    assert all == [4]\n"],
  ["a.test.js", 'test("a", async () => assert.equal(await get("b"), 4));\n'],
  ["a.test.js", 'test("a", () => get("b"));\n'.replace("() => get", "() => { get").replace(");", "); });")],
])("other calls stay: %s %s", async (path, text) => {
  expect(await probe(path, text)).toBe("");
});

test("a call with a list watches it", async () => {
  const python = await probe("a_test.py", "def test():\n    rows = [[1]]\n    assert get(rows) == 4\n");
  expect(python).toContain("assert (lambda mw0: ");
  expect(python).toContain("repr((mw0,)), get(mw0)))(rows) == 4");
  const script = await probe("a.test.js", 'test("a", () => assert.equal(get({ a: [1] }, "b"), 4));\n');
  expect(script).toContain('const mwOut = get(mw0, "b");');
  expect(script).toContain('})({ a: [1] }), get({ a: [1] }, "b"))');
});
