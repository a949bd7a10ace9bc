import { expect, test } from "vitest";
import { namesIn } from "./tests-of-places.ts";

test("names of a text", () => {
  const text = "`parseDate` and find_all, _private, a plain word, aBc, __init__, trailing_ and 9lives_left";
  expect(namesIn(text)).toEqual(["parseDate", "find_all", "__init__", "lives_left"]);
});

test("a word of 200,000 letters does not block", () => {
  expect(namesIn(`${"a".repeat(200_000)} and parseDate`)).toEqual(["parseDate"]);
});
