import { expect, test } from "vitest";
import { findCounts, readCounts } from "./stated-counts.ts";

const twoForOne = { wrong: "2", right: "1" };

test.each([
  ["`fetch` sends 2 requests instead of 1.", [twoForOne]],
  ["The handler runs twice instead of once", [twoForOne]],
  ["It lists two rows rather than a single row.", [twoForOne]],
  ["A list of 3 names gives 2 rows, not 1.", [twoForOne]],
  ["I expected 1 row but got 2.", [twoForOne]],
  ["Expected: 1\nActual: 2", [twoForOne]],
  ["The count is 2, but it should be 1", [twoForOne]],
  ["The total returns 2 where it should have been 1", [twoForOne]],
  ["The output has `2 reruns`. I expect one rerun here.", [twoForOne]],
  ["It should be 1. It is 2 on other systems.", []],
  ["Fixed in 2.1 instead of 1.9.3, see #2", []],
  ["Both are 1 instead of one", []],
  ["Two of the tests fail, and one passes", []],
])("the counts of a statement are read in pairs: %s", (statement, expected) => {
  expect(readCounts(statement)).toEqual(expected);
});

test.each([
  "assert 2 == 1\n +  where 2 = len([7, 8])",
  "Expected values to be strictly equal:\n\n2 !== 1\n",
  "expected: <1> but was: <2>",
  "assertion `left == right` failed\n  left: 2\n right: 1",
  "got 2, want 1",
])("a failed comparison prints a stated pair: %s", (message) => {
  expect(findCounts([twoForOne], message, ["1"])).toEqual(twoForOne);
  // A test that expects the wrong count, or other numbers.
  expect(findCounts([twoForOne], message, ["2"])).toBeUndefined();
  expect(findCounts([{ wrong: "3", right: "1" }], message, ["1"])).toBeUndefined();
});

test("other printed numbers leave open which of them differ", () => {
  expect(findCounts([twoForOne], "assert [1, 2, 3] == [1, 2]", ["1"])).toBeUndefined();
  expect(findCounts([twoForOne], "exit code 2", ["1"])).toBeUndefined();
});
