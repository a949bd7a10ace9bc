import { expect, test } from "vitest";
import { parametersIn, startOfStatement } from "./text-of-tests.ts";

const lines = `it("merges", () => {
  const own = { a: [1] };
  expect(
    merge(own, {
      b: 2,
    }),
  ).toEqual({
    a: [1],
  });
  expect(merge(own))
    .not.toEqual(own);
});`.split("\n");

test.each([
  ["the line of a matcher behind a call of several lines", 6, 2],
  ["a matcher on a line of its own", 10, 9],
  ["a line that begins a statement", 1, 1],
  ["the end of the test, which is one statement", 11, 0],
])("a statement begins above: %s", (_, at, start) => {
  expect(startOfStatement(lines, at)).toBe(start);
});

test("the names of parameters, without types and defaults", () => {
  expect(parametersIn("def split(src, sep=None, *, maxsplit: int = 0, **rest)")).toEqual([
    "src",
    "sep",
    "maxsplit",
    "rest",
  ]);
});
