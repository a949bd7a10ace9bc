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

test("a text is written if new lines contain it, whatever their breaks, or if a file has this name", () => {
  const files = [
    {
      path: "docs/install.md",
      before: "the old\nthe accounts\n",
      after: "It keeps “the\naccounts”.\nthe accounts\n",
    },
  ];
  for (const text of ['keeps "the accounts"', "the", "install.md"])
    expect(findUnwritten([text], files)).toEqual([]);
  expect(findUnwritten(["the old"], files)).toEqual(["the old"]);
  expect(findUnwritten(["the old", 'keeps "the accounts"'], files)).toEqual([]);
  const shorter = [{ path: "a.md", before: "the accounts of\n", after: "the account of\n" }];
  expect(findUnwritten(["account"], shorter)).toEqual([]);
});

test("a forbidden or reported change is no text to write", () => {
  expect(listStatedTexts("Do not change `a1` to `b1`. Commits that change `a1` to `b1` broke it.")).toEqual(
    [],
  );
});
