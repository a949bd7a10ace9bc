import { expect, test } from "vitest";
import type { OwnTest } from "../texts/own-tests.ts";
import { sharesValue } from "./stated-values.ts";

const own = (body: string): OwnTest[] => [{ name: "t", file: "t.py", isOfBase: false, body, around: "" }];

test.each([
  ["a number", "`fee(7)` is too low", "assert fee(7) == 15", true],
  ["a text in backticks", '`slug("A b")` loses a letter', 'assert slug("A b") == "a-b"', true],
  ["a text in quotes", "The title 'A b' is lost", "assert title('A b')", true],
  [
    "only a name",
    "`median` is wrong for an even number of values",
    "assert median([1, 1, 3, 4]) == 1",
    false,
  ],
  ["nothing", "It is slow", "assert run()", false],
])("a statement and a test that share %s", (_, statement, body, shared) => {
  expect(sharesValue(statement, own(body))).toBe(shared);
});
