import { expect, test } from "vitest";
import { readDocumented, readStated, type ShownExample } from "./shown-examples.ts";

const told = (examples: readonly ShownExample[]): unknown[] =>
  examples.map(({ call, wanted }) => [call.text, wanted.value]);

test.each([
  [
    "a doctest",
    ">>> fee(10)\n24\n>>> fee(1)\n0",
    [
      ["fee(10)", 24],
      ["fee(1)", 0],
    ],
  ],
  ["a doctest of text", ">>> shout('hi')\n'HI!'", [["shout('hi')", "HI!"]]],
  ["a doctest with an import", ">>> from shop import fee\n>>> fee(10)\n24", [["fee(10)", 24]]],
  ["a comment", "fee(7) // => 15", [["fee(7)", 15]]],
  ["a Ruby comment", "fee(7) #=> 15", [["fee(7)", 15]]],
  ["an @example", "@example\n  parts('a,b'); // ['a', 'b']", [["parts('a,b')", ["a", "b"]]]],
  ["prose", "The fee in cents: `fee(7)` returns 15.", [["fee(7)", 15]]],
  ["an assertion", "assert_eq!(fee(7), 15) is not read, fee(8) == 18", [["fee(8)", 18]]],
  ["a keyword argument", ">>> join(['a', 'b'], sep='-')\n'a-b'", [["join(['a', 'b'], sep='-')", "a-b"]]],
  ["a dictionary", ">>> count('ab')\n{'a': 1, 'b': 1}", [["count('ab')", { a: 1, b: 1 }]]],
  ["what a receiver that is a module shows", "shop.fee(7) # 15", [["shop.fee(7)", 15]]],
])("reads %s", (_, text, examples) => {
  expect(told(readDocumented(text))).toEqual(examples);
});

test.each([
  ["variables", ">>> fee(weight)\n15"],
  ["set-up before it", ">>> rates = load()\n>>> fee(7)\n15"],
  ["set-up in an @example", "@example\n  configure({ rate: 3 });\n  fee(7); // 15"],
  ["a result of several lines", ">>> table(2)\n1\n2"],
  ["a result that goes on", "fee(7) returns 15 cents"],
  ["a computed result", "fee(7) == 3 * rate"],
  ["a condition", "`fee(7)` returns 15 if the parcel is heavy."],
  ["two results", "fee(7) // 15\nfee(7) // 18"],
  ["no arguments", ">>> next_id()\n1"],
  ["a call of a call", ">>> make(3).total(4)\n7"],
  ["an object", ">>> shape(3)\n<Shape 3>"],
])("reads nothing from %s", (_, text) => {
  expect(told(readDocumented(text))).toEqual([]);
});

test.each([
  ["an order", "`fee(7)` returns 10, and has to return 15.", [["fee(7)", 15]]],
  ["the result that another one replaces", "`fee(7)` gives 10 instead of 15.", [["fee(7)", 15]]],
  ["an issue form", "Call fee(7).\n\nExpected: 15\nActual: 10", [["fee(7)", 15]]],
  ["what is expected", "Expected behaviour:\n\n>>> fee(7)\n15", [["fee(7)", 15]]],
  ["a remark", "```\nfee(7)  # expected 15\n```", [["fee(7)", 15]]],
  ["nothing from a report", "Steps:\n\n>>> fee(7)\n10", []],
  ["nothing from the actual result", "Actual behaviour:\n\n>>> fee(7)\n10", []],
  ["nothing from what is true today", "`fee(7)` returns 10.", []],
  ["nothing from a case", "`fee(7)` must return 15 when the parcel is heavy.", []],
])("reads %s in a report of a fault", (_, statement, examples) => {
  expect(told(readStated(statement, false))).toEqual(examples);
});

test("each shown result of something new is required", () => {
  expect(told(readStated('Add `shout(text)`: `shout("hi")` returns "HI!".', true))).toEqual([
    ['shout("hi")', "HI!"],
  ]);
  expect(told(readStated("Add fee.\n\n>>> fee(7)\n15", true))).toEqual([["fee(7)", 15]]);
});
