import { expect, test } from "vitest";
import { addCalls, probeCalls } from "./probe-calls.ts";
import { applyEdits } from "./vary-tests.ts";

const probe = async (path: string, text: string): Promise<string> => {
  const endLine = text.split("\n").length;
  const lines = { startLine: 1, endLine };
  const edits = await probeCalls(path, text, lines, new Set(["get"]), new Set(["sum"]));
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
    'package a\n\nfunc TestA(t *testing.T) {\n\tif got := get("a", 1); got != 4 {\n\t}\n}\n',
    '\tget("a", 1); if got := get("a", 1); got',
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

test.each<[path: string, text: string, part: string]>([
  [
    "a_test.py",
    "def test():\n    all = All([3])\n    assert all.sum() == 3\n",
    "assert (lambda mw_self: (lambda mw_one, mw_two: mw_two)(mw_self.sum(), mw_self.sum()))(all) == 3",
  ],
  [
    "a.test.js",
    'test("a", () => assert.equal(new All([3]).sum(), 3));\n',
    "((mwSelf) => (mwSelf.sum(), mwSelf.sum()))(new All([3]))",
  ],
  [
    "a_test.rb",
    "def test_a\n  assert_equal 3, All.new([3]).sum(1)\nend\n",
    "->(mw_self) { mw_self.sum(1); mw_self.sum(1) }.call(All.new([3]))",
  ],
])("a method runs twice on its object: %s %s", async (path, text, part) => {
  expect(await probe(path, text)).toContain(part);
});

test("a method's call that is a statement of its own stays", async () => {
  expect(await probe("a_test.py", "def test():\n    all = All([3])\n    all.sum()\n")).toBe("");
});

test("in Go and Java, a watched call precedes the statement", async () => {
  const go = await probe(
    "a_test.go",
    'package a\n\nimport "testing"\n\nfunc TestA(t *testing.T) {\n\tall := []int{3}\n\tif got := get(all, []int{4}); got != 4 {\n\t\tt.Errorf("%v", all)\n\t}\n}\n',
  );
  expect(go).toMatch(/^package a; import mwfmt "fmt"\n/);
  expect(go).toContain('{ mw0 := []int{4}; mwWas0 := mwfmt.Sprintf("%T %v", all, all); ');
  expect(go).toContain("get(all, mw0); if mwNow");
  const java = await probe(
    "ATest.java",
    "class ATest {\n  void test() {\n    int[] all = {3};\n    assertEquals(4, Shop.get(all));\n  }\n}\n",
  );
  expect(java).toContain("{all}); Shop.get(all); if (!mwWas.equals(");
});

test.each<[path: string, text: string, part: string]>([
  [
    "a_test.py",
    "def test():\n    all = All([3])\n    all.add(2)\n    assert all.last() == 2\n",
    "assert (lambda mw_self: (mw_self.sum(), mw_self)[-1])(all).last() == 2",
  ],
  [
    "a.test.js",
    'test("a", () => assert.equal(new All([3]).last().name, 3));\n',
    "((mwSelf) => (mwSelf.sum(), mwSelf))(new All([3])).last()",
  ],
  [
    "a_test.rb",
    "def test_a\n  all = All.new([3])\n  assert_equal 3, all.last(1)\nend\n",
    "->(mw_self) { mw_self.sum; mw_self }.call(all).last(1)",
  ],
  ["a_test.py", "def test():\n    all = Other([3])\n    assert all.last() == 2\n", "all = Other([3])"],
])("a further call precedes another call of the object: %s %s", async (path, text, part) => {
  const lines = { startLine: 1, endLine: text.split("\n").length };
  const edits = await addCalls(path, text, lines, [{ name: "sum", type: "All" }]);
  expect(applyEdits(text, edits)).toContain(part);
});
