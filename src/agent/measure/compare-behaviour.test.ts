import { expect, test } from "vitest";
import type { Comparison } from "../../languages/contract.ts";
import { joinComparisons } from "./compare-behaviour.ts";

function compare(origins: Comparison["origins"], behaviours: Record<number, string[]>): Comparison {
  return {
    origins,
    behaviours: new Map(Object.entries(behaviours).map(([id, each]) => [Number(id), each])),
    invalid: undefined,
  };
}

test("inputs of several comparisons are one list, in which what one left out is not compared", () => {
  const calls = compare(["passing", "derived"], { 0: ["v1", "v2"], 1: ["v1", "v3"] });
  const varied = compare(["near"], { 0: ["vpassed"], 1: ["vpassed"], 2: ["vfailed"] });
  const { origins, behaviours, isRepeat, invalid } = joinComparisons([
    calls,
    { ...varied, isRepeat: [true] },
  ]);
  expect(isRepeat).toEqual([false, false, true]);
  expect(origins).toEqual(["passing", "derived", "near"]);
  expect(behaviours.get(1)).toEqual(["v1", "v3", "vpassed"]);
  expect(behaviours.get(2)).toEqual(["?", "?", "vfailed"]);
  expect(invalid).toBeUndefined();
});

test("what could not compare anything says why where nothing else could", () => {
  const refused: Comparison = { origins: [], behaviours: new Map(), invalid: "no input" };
  expect(joinComparisons([refused]).invalid).toBe("no input");
  expect(joinComparisons([refused, compare(["near"], { 0: ["v"] })]).invalid).toBeUndefined();
});
