import { expect, test } from "vitest";
import { withoutRepeatedTitle } from "./statement.ts";

test.each([
  ["Fix the total\n\nFix the total\n\nIt is too low.", "Fix the total\n\nIt is too low."],
  ["Fix the total (#12)\n\n# Fix the total.\nIt is too low.", "# Fix the total.\nIt is too low."],
  ["Fix the total\nFix the total", "Fix the total"],
  ["Fix the total\n\nFix the total of carts", "Fix the total\n\nFix the total of carts"],
  ["\n  Fix the total\n", "\n  Fix the total\n"],
  ["", ""],
])("a title stands once in %j", (statement, once) => {
  expect(withoutRepeatedTitle(statement)).toBe(once);
});
