import { expect, test } from "vitest";
import { isNamed } from "./named-values.ts";

test.each([
  ["n:29", "`days_in_month` ignores leap years", true],
  ["n:7", "`describe` must tell full weeks", true],
  ["n:12", "the second dozen is free", true],
  ["n:-7", "seven days earlier", true],
  ["n:60", "two seconds later", true],
  ["n:60", "each kilogram above the second costs 3", false],
  ["n:15", "each kilogram over two costs 3", false],
  ["n:1000", "each kilogram costs 3", false],
  ["n:7", "`weekly` is wrong for heavy parcels", false],
])("%s in %j: %s", (key, statement, isIn) => {
  expect(isNamed(key, statement)).toBe(isIn);
});
