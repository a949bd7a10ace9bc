import { expect, test } from "vitest";
import { sortByWords, withoutGroups } from "./tests-by-words.ts";

test("tests with more words of the statement come first, each word once", () => {
  const tests = ["names an option, an option, an option", "separates hidden options", "adds an option"];
  const sorted = sortByWords(tests, (text) => text, "Separators around hidden options are lost");
  expect(sorted).toEqual([tests[1], tests[0], tests[2]]);
});

test("a group is left out if a test of it is listed", () => {
  const [group, inside, other] = [
    { path: "a_test.rb", startLine: 1, endLine: 20 },
    { path: "a_test.rb", startLine: 3, endLine: 5 },
    { path: "b_test.rb", startLine: 4, endLine: 5 },
  ] as const;
  expect(withoutGroups([group, inside, other])).toEqual([inside, other]);
  expect(withoutGroups([group, other])).toEqual([group, other]);
});
