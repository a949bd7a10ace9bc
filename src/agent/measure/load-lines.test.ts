import { expect, test } from "vitest";
import { loadedLines, restrictTo, spreadLoadLines } from "./load-lines.ts";

const coverage = new Map([
  ["t::", { "a.py": [1, 2], "b.py": [1] }],
  ["::", { "a.py": [3], "c.py": [7] }],
  ["t::one", { "a.py": [5] }],
  ["t::two", { "b.py": [4, 9] }],
]);
const tests = new Set(["t::one", "t::two"]);

test("lines of a load count for each test that executed more of the file", () => {
  expect(Object.fromEntries(spreadLoadLines(coverage, tests))).toEqual({
    "t::one": { "a.py": [1, 2, 3, 5] },
    "t::two": { "b.py": [1, 4, 9] },
  });
});

test("lines of all loads stand together", () => {
  expect(loadedLines(coverage, tests)).toEqual({ "a.py": [1, 2, 3], "b.py": [1], "c.py": [7] });
});

test("a restriction leaves out other files, but not what loads executed", () => {
  const restricted = restrictTo(coverage, tests, new Set(["b.py"]));
  expect(restricted.get("t::one")).toEqual({});
  expect(restricted.get("t::two")).toEqual({ "b.py": [4, 9] });
  expect(restricted.get("::")).toEqual({ "a.py": [3], "c.py": [7] });
  expect(restrictTo(coverage, tests, new Set())).toBe(coverage);
});
