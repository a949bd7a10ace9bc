import { expect, test } from "vitest";
import { typesAround } from "../code/test-bodies.ts";
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

test.each([
  [
    "a method in a class",
    "bank.py",
    "class Account:\n    def pay(self):\n        raise ValueError\n",
    3,
    ["Account"],
  ],
  ["a function outside of classes", "bank.py", "def pay():\n    raise ValueError\n", 2, []],
  [
    "a method in an `impl` block",
    "bank.rs",
    "struct Account;\nimpl Account {\n  fn pay() { panic!() }\n}\n",
    3,
    ["Account"],
  ],
  [
    "a method with a receiver",
    "bank.go",
    "package bank\ntype Account struct{}\nfunc (a Account) Pay() {\n\tpanic(1)\n}\n",
    4,
    ["Account"],
  ],
])("the types around a line: %s", async (_, path, text, line, expected) => {
  expect(await typesAround(path, text, line)).toEqual(expected);
});
