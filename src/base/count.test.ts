import { expect, test } from "vitest";
import { countOf, eachOf, nameFirst, wordFor } from "./count.ts";

test("a noun agrees with its number, and so does what stands with it", () => {
  expect([0, 1, 2].map((count) => countOf(count, "test"))).toEqual(["0 tests", "1 test", "2 tests"]);
  expect(["process", "entity", "key", "branch"].map((one) => countOf(2, one))).toEqual([
    "2 processes",
    "2 entities",
    "2 keys",
    "2 branches",
  ]);
  expect(countOf(1, "test passes", "tests pass")).toBe("1 test passes");
  expect([1, 3].map((count) => wordFor(count, "is", "are"))).toEqual(["is", "are"]);
});

test("a shortened list says how many names it leaves out", () => {
  expect(nameFirst(["a", "b"], 2)).toBe("a, b");
  expect(nameFirst(["a", "b", "c", "d"], 2)).toBe("a, b and 2 more");
});

test("each of several things, or the only one", () => {
  expect([1, 3].map((count) => eachOf(count, "mutant"))).toEqual(["the only mutant", "each of 3 mutants"]);
});
