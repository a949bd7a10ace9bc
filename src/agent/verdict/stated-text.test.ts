import { expect, test } from "vitest";
import { findUnwritten, listStatedTexts } from "./stated-text.ts";

test.each([
  ["Line 3 should read `the accounts`", ["the accounts"]],
  ['The title must be worded "Ledger: a shop"', ["Ledger: a shop"]],
  ["The heading should now say: “Use it”, not 'Use'", ["Use it"]],
  ["Replace `teh` by `the` in README.md", ["the"]],
  ["`fee(7)` should be `8`, and it should return `9`", []],
  ["It should not read `teh`", []],
  ["It reads `teh`", []],
])("a statement tells what to write: %s", (statement, texts) => {
  expect(listStatedTexts(statement)).toEqual(texts);
});

test("a text is written if a changed file contains it once more, whatever its line breaks", () => {
  const files = [{ before: "the old\nthe accounts\n", after: "It keeps “the\naccounts”.\nthe accounts\n" }];
  expect(findUnwritten(["the accounts", 'keeps "the accounts"', "the old", "gone"], files)).toEqual([
    "the old",
    "gone",
  ]);
});
