import { expect, test } from "vitest";
import { contradictTests } from "./contradict-tests.ts";
import { applyEdits } from "./vary-tests.ts";

async function contradicted(path: string, text: string): Promise<string[]> {
  const lines = text.split("\n");
  const edits = await contradictTests(path, text, [{ startLine: 1, endLine: lines.length }]);
  return applyEdits(text, edits)
    .split("\n")
    .filter((line, at) => line !== lines[at])
    .map((line) => line.trim());
}

const python = (body: string): string => `def test_a(self, x):\n    ${body}\n`;
const javascript = (body: string): string => `test("a", () => {\n  ${body}\n});\n`;
const go = (body: string): string => `package a\nfunc TestA(t *testing.T) {\n\t${body}\n}\n`;
const rust = (body: string): string => `#[test]\nfn a() {\n    ${body}\n}\n`;
const java = (body: string): string => `class A {\n  @Test void a() {\n    ${body}\n  }\n}\n`;
const ruby = (body: string): string => `it "a" do\n  ${body}\nend\n`;
const php = (body: string): string => `<?php\nfunction testA() {\n    ${body}\n}\n`;

test.each([
  ["a.rb", ruby("assert_equal 3, f(1)"), "assert_equal 2, f(1)"],
  ["a.rb", ruby("assert_equal wanted, f(1)"), "assert_equal wanted, [f(1), 1]"],
  ["a.rb", ruby("_(f(1)).must_equal 3"), "_(f(1)).must_equal 2"],
  ["a.rb", ruby("expect(f(1)).to eq(3)"), "expect(f(1)).to eq(2)"],
  ["a.rb", ruby("expect(f(1)).to be 3"), "expect(f(1)).to be 2"],
  ["a.rb", ruby('expect(f(1)).to include("a")'), 'expect(f(1)).to include("aqxzj")'],
  ["a.rb", ruby('assert_includes f(1), "a"'), 'assert_includes f(1), "aqxzj"'],
  ["a.rb", ruby("assert_in_delta 3, f(1), 0.1"), "assert_in_delta 3, (f(1) * 3 + 1000003), 0.1"],
  ["a.php", php("$this->assertSame(3, f(1));"), "$this->assertSame(2, f(1));"],
  ["a.php", php("self::assertEquals($wanted, f(1));"), "self::assertEquals($wanted, [f(1), 1]);"],
  ["a.php", php("$this->assertContains('ab', f(1));"), "$this->assertContains('abqxzj', f(1));"],
  ["a.py", python("assert f(1) == 3, 'said'"), "assert f(1) == 2, 'said'"],
  ["a.py", python("assert f(1) == 'a' and g() == 0"), "assert f(1) == 'x' and g() == 1"],
  ["a.py", python("assert f(1) == [1, 2]"), "assert f(1) == [1, 1]"],
  ["a.py", python("assert f(1) == Money(3, unit='a')"), "assert f(1) == Money(3, unit='x')"],
  ["a.py", python("assert f(1) == min(1, 2)"), "assert f(1) == (min(1, 2), 1)"],
  ["a.py", python("assert f(1) == x"), "assert f(1) == (x, 1)"],
  ["a.py", python("self.assertEqual(f(1), -3)"), "self.assertEqual(f(1), -2)"],
  ["a.py", python("check(f(1), 3)"), "check(f(1), 2)"],
  ["a.js", javascript("expect(f(1)).toBe(3);"), "expect(f(1)).toBe(2);"],
  ["a.js", javascript("expect(f(1)).toEqual({ a: 1.5 });"), "expect(f(1)).toEqual({ a: 11.5 });"],
  ["a.js", javascript('assert.strictEqual(f(1), "ab");'), 'assert.strictEqual(f(1), "abx");'],
  ["a.js", javascript("expect(f(1)).to.equal(true);"), "expect(f(1)).to.equal(false);"],
  ["a.js", javascript("expect(f(1)).toStrictEqual(other);"), "expect(f(1)).toStrictEqual([other, 1]);"],
  ["a.js", javascript('if (f(1) !== 3) throw new Error("no");'), 'if (f(1) !== 2) throw new Error("no");'],
  [
    "a.go",
    go('if got := f(1); got != 3 || g() != "a" { t.Error(got) }'),
    'if got := f(1); got != 2 || g() != "ax" { t.Error(got) }',
  ],
  ["a.go", go("assert.Equal(t, 3, f(1))"), "assert.Equal(t, 2, f(1))"],
  ["a.go", go("if !f(1).Equal(T{3}) { t.Error(1) }"), "if !f(1).Equal(T{2}) { t.Error(1) }"],
  ["a.go", go("if !f(1).Equal(T{Cents: 3}) { t.Error(1) }"), "if !f(1).Equal(T{Cents: 2}) { t.Error(1) }"],
  ["a.go", go("assert.Equal(t, []int{1, 3}, f(1))"), "assert.Equal(t, []int{1, 2}, f(1))"],
  ["a.rs", rust('assert_eq!(f(1), 3u8, "said");'), 'assert_eq!(f(1), 2u8, "said");'],
  [
    "A.java",
    java("org.junit.Assert.assertEquals((int) 13, result);"),
    "org.junit.Assert.assertEquals((int) 12, result);",
  ],
  ["A.java", java("assertEquals(3, f(1));"), "assertEquals(2, f(1));"],
  ["A.java", java('assertEquals("said", 3, f(1));'), 'assertEquals("said", 2, f(1));'],
  ["A.java", java('assertThat(f(1)).isEqualTo("ab");'), 'assertThat(f(1)).isEqualTo("abx");'],
  // What differs a little is asked for something far away.
  ["a.py", python("assert abs(f(1) - x) < 0.1"), "assert abs(f(1) - (x * 3 + 1000003)) < 0.1"],
  ["a.py", python("assert 0.1 > abs(f(1) - 3)"), "assert 0.1 > abs(f(1) - (3 * 3 + 1000003))"],
  ["a.py", python("assert math.isclose(f(1), 3)"), "assert math.isclose(f(1), (3 * 3 + 1000003))"],
  ["a.py", python("assert f(1) == approx(3)"), "assert f(1) == approx((3 * 3 + 1000003))"],
  ["a.py", python("self.assertAlmostEqual(f(1), 3)"), "self.assertAlmostEqual(f(1), (3 * 3 + 1000003))"],
  [
    "a.js",
    javascript("assert.ok(Math.abs(f(1) - 3) < 1);"),
    "assert.ok(Math.abs(f(1) - (3 * 3 + 1000003)) < 1);",
  ],
  ["a.js", javascript("expect(f(1)).toBeCloseTo(3);"), "expect(f(1)).toBeCloseTo((3 * 3 + 1000003));"],
  [
    "a.go",
    go("if math.Abs(f(1)-3) > 1 { t.Error() }"),
    "if math.Abs(f(1)-(3 * 3 + 1000003)) > 1 { t.Error() }",
  ],
  ["a.go", go("assert.InDelta(t, 3, f(1), 1)"), "assert.InDelta(t, 3, (f(1) * 3 + 1000003), 1)"],
  [
    "A.java",
    java("assertEquals(8.333333, f(1), DELTA);"),
    "assertEquals((8.333333 * 3 + 1000003), f(1), DELTA);",
  ],
  ["A.java", java("assertEquals(3, f(1), 1);"), "assertEquals((3 * 3 + 1000003), f(1), 1);"],
  // What is in something is asked for what nothing has.
  ["a.py", python("assert 'a' in f(1)"), "assert 'aqxzj' in f(1)"],
  ["a.js", javascript('expect(f(1)).toContain("a");'), 'expect(f(1)).toContain("aqxzj");'],
  [
    "a.go",
    go('if !strings.Contains(f(1), "a") { t.Error() }'),
    'if !strings.Contains(f(1), "aqxzj") { t.Error() }',
  ],
  // A condition of each element holds of none, too.
  ["a.py", python("assert all(each > 0 for each in f(1))"), "assert all(not (each > 0) for each in f(1))"],
  ["a.py", python("for each in f(1): assert each > 0"), "for each in f(1): assert not (each > 0)"],
  [
    "a.js",
    javascript("assert(f(1).every((each) => each > 0));"),
    "assert(f(1).every((each) => !(each > 0)));",
  ],
  [
    "a.go",
    go("for _, each := range f(1) { if each < 0 { t.Error() } }"),
    "for _, each := range f(1) { if !(each < 0) { t.Error() } }",
  ],
])("%s: %s", async (path, text, line) => {
  expect(await contradicted(path, text)).toEqual([line]);
});

test.each([
  ["a.py", python("assert f(1) != 3")],
  ["a.py", python("assert f(1) == 3 or g()")],
  ["a.py", python("assert not f(1) == 3")],
  ["a.py", python("self.assertNotEqual(f(1), 3)")],
  ["a.py", python("assert 'a' not in f(1)")],
  ["a.py", python("assert not abs(f(1) - 3) < 0.1")],
  ["a.py", python("assert f(1) > 3")],
  ["a.py", python("cart.add(f(1), 3)")],
  ["a.py", python("if x: assert f(1) == 3")],
  ["a.js", javascript("on(() => {\n    expect(f(1)).toBe(3);\n  });")],
  ["a.js", javascript("expect(f(1)).not.toBe(3);")],
  ["a.js", javascript("expect(f(1)).toBeGreaterThan(3);")],
  ["a.js", javascript("assert.notStrictEqual(f(1), 3);")],
  ["a.js", javascript("if (f(1) !== 3) retry();")],
  // A third value may be a tolerance.
  ["a.py", python("check(f(1), 8.33, most)")],
  ["a.go", go("check.Equal(t, f(1), 8.33, most)")],
  // An equality method may ignore the note.
  ["a.go", go('if !f(1).Equal(T{Cents: 3, Note: "a"}) { t.Error(1) }')],
  ["a.go", go("if !f(1).Equal(decimal.New(3)) { t.Error(1) }")],
  ["A.java", java('assertEquals("said", 8.33, f(1), DELTA);')],
  ["a.go", go('if runtime.GOOS != "windows" { t.Skip() }')],
  ["a.go", go("if f(1) != want { t.Error(want) }")],
  ["a.go", go('if a.Lookup("b") != nil { t.Error() }')],
  ["a.rs", rust("assert_ne!(f(1), 3);")],
  ["A.java", java("assertNotEquals(3, f(1));")],
  ["a.rb", ruby("expect(f(1)).not_to eq(3)")],
  ["a.rb", ruby("include(Comparable)")],
  ["a.php", php("$this->assertNotSame(3, f(1));")],
  ["A.java", java("assertTrue(f(1) == 3 || g());")],
])("what is no equality, or says nothing for sure, stays: %s: %s", async (path, text) => {
  expect(await contradicted(path, text)).toEqual([]);
});

const rowsOf =
  (...messages: readonly string[]) =>
  () => ({
    ...{ shown: messages, code: "", isAgain: false, pick: () => 0 },
  });

async function exchanged(path: string, text: string, choiceAt: ReturnType<typeof rowsOf>): Promise<string> {
  const lines = { startLine: 1, endLine: text.split("\n").length };
  return applyEdits(text, await contradictTests(path, text, [lines], choiceAt));
}

test.each([
  [
    "the cells of pytest.mark.parametrize",
    "test_a.py",
    '@pytest.mark.parametrize("count, expected", [(2, 6), pytest.param(5, 15)])\ndef test_a(count, expected):\n    assert f(count) == expected\n',
    "(4 if expected == 6 else 10 if expected == 15 else (expected, 1))",
  ],
  [
    "a named list of rows",
    "test_a.py",
    'rows = [("ab", [1, 6])]\n@pytest.mark.parametrize(("count", "expected"), rows)\ndef test_a(count, expected):\n    assert f(count) == expected\n',
    "([1, 1] if expected == [1, 6] else (expected, 1))",
  ],
  [
    "a loop over rows",
    "test_a.py",
    "def test_a():\n    for count, expected in [(2, 6), (5, 15)]:\n        assert f(count) == expected\n",
    "(4 if expected == 6 else 10 if expected == 15 else (expected, 1))",
  ],
  [
    "the rows of test.each",
    "a.test.js",
    'test.each([[2, 6], [5, 15]])("f of %i", (count, expected) => {\n  expect(f(count)).toBe(expected);\n});\n',
    "(expected === 6 ? 4 : expected === 15 ? 10 : [expected, 1])",
  ],
  [
    "objects as rows",
    "a.test.js",
    'for (const { count, wanted } of [{ count: 2, wanted: 6 }]) test("f", () => {\n  assert.equal(f(count), wanted);\n});\n',
    "(wanted === 6 ? 4 : [wanted, 1])",
  ],
])("expects other values in %s", async (_, path, text, expected) => {
  expect(await exchanged(path, text, rowsOf("assert 4 == 6", "assert 10 == 15"))).toContain(expected);
});

test("changes the rows of Go's tables, if each row contains the value", async () => {
  const table = (rows: string) =>
    go(
      `for _, tt := range []struct{ in, want int }{${rows}} {\n\t\tt.Run("a", func(t *testing.T) {\n\t\t\tif got := f(tt.in); got != tt.want {\n\t\t\t\tt.Errorf("got %d", got)\n\t\t\t}\n\t\t})\n\t}`,
    );
  const messages = rowsOf("f(2) = 4, want 6", "f(5) = 10, want 15");
  expect(await exchanged("a_test.go", table("{2, 6}, {in: 5, want: 15}"), messages)).toBe(
    table("{2, 4}, {in: 5, want: 10}"),
  );
  const partial = table("{in: 2}, {in: 5, want: 15}");
  expect(await exchanged("a_test.go", partial, messages)).toBe(partial);
});
