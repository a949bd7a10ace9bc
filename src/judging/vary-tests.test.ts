import { expect, test } from "vitest";
import { applyEdits, varyTests } from "./vary-tests.ts";

const text = [
  "def test_a():",
  "    assert slug('Ab c', limit=3) == 'ab-'",
  "",
  "def test_b():",
  "    assert slug(f'{x}') == None",
  "",
  "def test_c():",
  "    assert count('dogs') == 12",
  "",
].join("\n");
const tests = [
  { startLine: 1, endLine: 2 },
  { startLine: 4, endLine: 5 },
  { startLine: 7, endLine: 8 },
];

test("each test with a plain literal has one changed in a round, others in other rounds", async () => {
  const seen = new Set<string>();
  for (let round = 0; round < 6; round += 1) {
    const edits = await varyTests("test_slug.py", text, tests, round);
    expect(edits.map(({ line }) => line)).toEqual([2, 8]);
    const varied = applyEdits(text, edits);
    expect(varied.split("\n").filter((line, at) => line !== text.split("\n")[at])).toHaveLength(2);
    expect(await varyTests("test_slug.py", text, tests, round)).toEqual(edits);
    seen.add(varied);
  }
  expect(seen.size).toBe(6);
});

test.each([
  ["a.go", 'package a\nfunc TestA(t *testing.T) {\n\tCheck("%d", `raw`, 7)\n}\n', 3],
  ["a.rs", "#[test]\nfn a() {\n    assert_eq!(f('x', \"ab\"), 3);\n}\n", 3],
  ["A.java", "class A {\n  @Test\n  void a() { assertEquals(\"ab\", f('c', 3)); }\n}\n", 3],
  ["a_test.rb", 'it "a" do\n  x = 1\n  assert_nil parse(%w(--age hello))\nend\n', 3],
  ["a.test.ts", 'test("a", () => {\n  expect(f("ab", 2)).toBe(3);\n});\n', 2],
])("literals of %s", async (path, code, line) => {
  const edits = await varyTests(path, code, [{ startLine: 1, endLine: 5 }], 1, (each) => each !== line);
  expect(edits).toHaveLength(1);
  expect(edits[0]?.line).toBe(line);
  expect(code.slice(edits[0]?.start, edits[0]?.end)).not.toMatch(/%|'.'/);
});

test("lines that are left out stay", async () => {
  expect(await varyTests("test_slug.py", text, tests, 0, (line) => line === 2)).toHaveLength(1);
});
