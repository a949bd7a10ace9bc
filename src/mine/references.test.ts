import { expect, test } from "vitest";
import { findReferences, mergeNumber, squashNumber, withoutForeign } from "./references.ts";

test.each([
  ["Fixes #12", [12], []],
  ["closes: #3, #4 and #5; see #6", [3, 4, 5], [6]],
  ["Resolve acme/web#7.", [7], []],
  ["fix issue GH-8 (#9)", [8], [9]],
  ["Fixed https://host.example/a/b/issues/10", [10], []],
  ["Fix the colour #123456 and `a#1`", [], [123456]],
  ["prefix #3 is a prefix", [], [3]],
  ["nothing", [], []],
])("%s", (text, closed, named) => {
  expect(findReferences(text)).toEqual({ closed, named });
});

test("numbers of merge requests", () => {
  expect(squashNumber("Add a cache (#12)")).toBe(12);
  expect(squashNumber("Add a cache (#12) again")).toBeUndefined();
  expect(mergeNumber("Merge pull request #3 from a/b\n\nTitle")).toBe(3);
  expect(mergeNumber("Merge branch 'a' into 'main'\n\nTitle\n\nSee merge request group/web!4")).toBe(4);
  expect(mergeNumber("Merge branch 'a'")).toBeUndefined();
});

test("references to other repositories can be left out", () => {
  const text =
    "Fixes acme/other#4, acme/ledger#5, #6 and https://example.com/acme/other/issues/7, https://example.com/acme/ledger/-/issues/8";
  expect(findReferences(withoutForeign(text, "Acme/ledger"))).toEqual({ closed: [], named: [6, 8] });
  expect(withoutForeign("Closes acme/ledger#5", "acme/ledger")).toBe("Closes acme/ledger#5");
});
