import { expect, test } from "vitest";
import { isSameValue, readLiteral, type Value } from "./literal-values.ts";

test.each<[string, Value]>([
  ["-3", -3],
  ["1_000", 1000],
  ["2.5e3", 2500],
  ['"a\\n\\u00e9"', "a\né"],
  ["None", null],
  ["[1, [2], {'a': True}]", [1, [2], { a: true }]],
  ["(1, 2)", [1, 2]],
  ["{ a: 1 }", { a: 1 }],
  ["[]int{1, 2}", [1, 2]],
  ["&[1]", [1]],
  ["(3)", 3],
])("reads %s", (text, value) => {
  expect(readLiteral(text, 0)).toEqual({ value, text, end: text.length });
});

test.each(["x", "10px", "1.2.3", "[1, x]", '"""a"""', "[1, ...]", "{1, 'a': 2}", "'\\d'"])(
  "reads no value in %s",
  (text) => {
    expect(readLiteral(text, 0)).toBeUndefined();
  },
);

test("a number that is written with decimals may be rounded, a whole one is exact", () => {
  const read = (text: string) => readLiteral(text, 0) ?? { value: null, text, end: 0 };
  expect(isSameValue(read("3.14"), Math.PI)).toBe(true);
  expect(isSameValue(read("3.15"), Math.PI)).toBe(false);
  expect(isSameValue(read("[0.33, 1.0]"), [1 / 3, 1])).toBe(true);
  expect(isSameValue(read("3"), 3.2)).toBe(false);
  expect(isSameValue(read("'3'"), 3)).toBe(false);
});
