import { expect, test } from "vitest";
import { changedFields, readFields, withoutEmpty } from "./value-fields.ts";

test("fields are read whoever wrote them, and brackets in strings are none", () => {
  const names = (text: string): string[] | undefined => readFields(text)?.fields.map(({ name }) => name);
  expect(names('Parsed { year: Some(2013), at: Point { x: 1, y: 2 }, name: "a, {b" }')).toEqual([
    "year: ",
    "at: ",
    "name: ",
  ]);
  expect(names('{"a":[1,2],"b":{"c":null}}')).toEqual(['"a":', '"b":']);
  expect(names("Day(y=1, of=Week(2, 3))")).toEqual(["y=", "of="]);
  for (const text of ["Some(3)", "[1, 2]", '"a: b"', "Open { a: 1", "7", "", "(1, 2)"])
    expect(names(text), text).toBeUndefined();
});

test("empty fields are left out and counted", () => {
  expect(withoutEmpty("Parsed { year: None, month: Some(2), items: [], offset: Some(0) }")).toBe(
    "Parsed { month: Some(2), offset: Some(0), … 2 empty }",
  );
  expect(withoutEmpty('{"a":null,"b":1}')).toBe('{"b":1, … 1 empty}');
  expect(withoutEmpty("Parsed { year: 1 }")).toBe("Parsed { year: 1 }");
});

test("what differs between two values of one shape", () => {
  expect(changedFields("P { a: 1, b: None }", "P { a: 1, b: Some(2) }")).toEqual([
    { name: "b", from: "None", to: "Some(2)" },
  ]);
  expect(changedFields('{"n":[1]}', '{"n":[1,2]}')).toEqual([{ name: "n", from: "[1]", to: "[1,2]" }]);
  expect(changedFields("P { a: 1 }", "Q { a: 1 }")).toBeUndefined();
  expect(changedFields("P { a: 1 }", "P { a: 1, b: 2 }")).toBeUndefined();
});
