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
