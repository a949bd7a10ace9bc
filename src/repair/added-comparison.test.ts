import { expect, test } from "vitest";
import { addedLiterals } from "./added-comparison.ts";

function added(line: string, before: string, after: string): string[] {
  const text = `first\n${line}\nlast\n`;
  const start = text.indexOf(before);
  return addedLiterals(text, { start, end: start + before.length, replacement: after });
}

test.each([
  ["if v == 0 {", "v == 0", "v == 0 || i <= 3", ["3"]],
  ["if (isOpen(door)) {", "isOpen(door)", `isOpen(door) && 'a' != mark`, ["'a'"]],
  ["if (name == null) {", "name == null", `name == null || name.equals("x")`, [`"x"`]],
  ["    return items", "return", "if len(items) < 2: return\n    return", ["2"]],
])("in %s, a comparison is added", (line, before, after, literals) => {
  expect(added(line, before, after)).toEqual(literals);
});

test.each([
  ["corrects a bound", "if size < 10 {", "10", "11"],
  ["moves a bound", "if size < 10 {", "<", "<="],
  ["adds a usual test", "if v {", "v", "v && n != 0 && n >= -1"],
  ["repeats a literal of the line", "if a == 4 {", "a == 4", "a == 4 || b == 4"],
  ["compares two variables", "if a == 4 {", "a == 4", "a == 4 || b < c2"],
  ["writes an arrow, a shift or an assignment", "x = 1", "x = 1", "x = 7; f = () => 3; y <<= 5; p->q"],
])("no comparison with a literal of its own: %s", (_, line, before, after) => {
  expect(added(line, before, after)).toEqual([]);
});
