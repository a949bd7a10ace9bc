import { expect, test } from "vitest";
import { authorTexts, linesBehind, namesOf, readCode } from "./assertion-text.ts";

test.each([
  ["assert_equal 3, parse(%w(--age hello))", ["--age", "hello", "3"]],
  ["assert_equal %w[a b], split(%q(a, b))", ["a", "b", "a, b"]],
  // A remainder and a placeholder are no list.
  ["assert a %w (b)", []],
  ["assert (a)%w(b)", []],
  ['assert "%w(a b)" % c', ["%w(a b)"]],
])("reads the inputs of Ruby's lists of words: %s", (text, values) => {
  expect(readCode(text).values).toEqual(values);
});

test.each([
  ['assert_equal false, @result[:verbose], "an explicit no is true"', ["an explicit no is true"]],
  ['assert_equal "an explicit no", text', []],
  ['assert_nil total([]), "an empty cart"', ["an empty cart"]],
  ['assert_nil(total([]), "an empty cart")', ["an empty cart"]],
  ['refute total([]), "an empty cart"', ["an empty cart"]],
  ['flunk "an empty cart"', ["an empty cart"]],
  ['raise Failure, "an empty cart"', ["an empty cart"]],
  ['assert_match(/a/, text,\n  "an empty cart")', ["an empty cart"]],
  ['assert_match /a/, text,\n  "an empty cart"\nparse "a text of its own"', ["an empty cart"]],
])("texts of Ruby's assertions are their author's: %s", (text, said) => {
  expect(authorTexts(text)).toEqual(said);
});

test("a line that calls something on an instance variable computes what the test compares", () => {
  const body =
    "@other.parse %w(--age)\n@result.parser.parse %w(--verbose=no)\nassert_equal false, @result[:verbose]";
  const behind = linesBehind("assert_equal false, @result[:verbose]", body);
  expect(behind).toBe("@result.parser.parse %w(--verbose=no)");
  expect(readCode(behind)).toMatchObject({ called: ["parser", "parse"], values: ["--verbose=no"] });
});

test("reads thousands of calls without brackets, none of which ends", () => {
  expect(namesOf("assert_equal 3, x,\n".repeat(3_000))).toEqual(["x"]);
});

test.each([
  [
    "a variable of the code that writes to the compared buffer",
    'assert.Empty(t, out.String(), "nothing is printed")',
    [
      "defer func() { ErrWriter = saved }()",
      "var out bytes.Buffer",
      "ErrWriter = &out",
      'HandleExit(Exit("", 42))',
    ],
    ["defer func() { ErrWriter = saved }()", "ErrWriter = &out", 'HandleExit(Exit("", 42))'],
  ],
  [
    "a stream of the program",
    'assert out.getvalue() == ""',
    ["out = io.StringIO()", "other()", "sys.stdout = out", "report(rows)"],
    ["out = io.StringIO()", "sys.stdout = out", "report(rows)"],
  ],
  [
    "an object that holds it",
    'assert.Equal(t, "a", got)',
    [
      "out := &strings.Builder{}",
      "app := &App{Writer: out}",
      "err := app.Run(args)",
      "other.Run(args)",
      "got := out.String()",
    ],
    ["got := out.String()", "out := &strings.Builder{}", "app := &App{Writer: out}", "err := app.Run(args)"],
  ],
  [
    "a call whose result is unused",
    "expect(rows).toEqual([])",
    ["const rows = [];", "fill(rows, 3);", "const n = count(rows);", "expect(rows).toBe(seen);"],
    ["const rows = [];", "fill(rows, 3);"],
  ],
])("takes the calls that may write to a compared object: %s", (_, statement, body, behind) => {
  expect(linesBehind(statement, body.join("\n")).split("\n").toSorted()).toEqual(behind.toSorted());
});

test.each([
  [
    "an object before it is given",
    "assert out.getvalue()",
    ["out = StringIO()", "first()", "sys.stderr = out"],
  ],
  ["a local name", "assert out", ["out = make()", "copy = out", "other()"]],
  ["another object", "assert out", ["out = make()", "sys.stderr = err", "other()"]],
  ["a result that is used", "assert out", ["out = make()", "n = count(out)", "other()"]],
])("takes no other call: %s", (_, statement, body) => {
  const behind = linesBehind(statement, body.join("\n"));
  expect(behind).not.toMatch(/first|other|count/);
});

test("follows a variable that is called to the line that makes it", () => {
  const body = 'stamper = MaybeStamper(key="at")\nother = Stamper()\n';
  expect(linesBehind('assert {"at": 42} == stamper({"at": 42})', body)).toBe(
    'stamper = MaybeStamper(key="at")',
  );
  expect(linesBehind("assert stamper.call(42)", "call = other()")).toBe("");
});
