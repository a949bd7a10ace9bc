import { expect, test } from "vitest";
import { decideShare, weighMutants } from "./target-strength.ts";

const mutants = ["a", "b", "c", "d"].map((description, index) => ({
  file: "src/a.py",
  line: index + 1,
  description,
}));

test("a fault that there was no time for counts as not noticed, one that cannot be built does not count, and both are said", () => {
  const { noticed, tried, told, missing } = weighMutants(mutants, [
    "noticed",
    "survives",
    "unknown",
    "unbuildable",
  ]);
  expect([noticed, tried]).toEqual([1, 3]);
  expect(told).toBe("1 of 3 small faults (1 was not run for lack of time, and counts as not detected)");
  expect(missing).toEqual(["src/a.py:2: no test detects that b"]);
});

test("where no fault could be tried, none is noticed", () => {
  expect(weighMutants([], [])).toMatchObject({ noticed: 0, tried: 0, missing: [] });
});

test("a share that the faults without a run could still complete is undecided, not missed", () => {
  const verdicts = ["noticed", "survives", "unknown"] as const;
  const weighed = weighMutants(mutants.slice(0, 3), [...verdicts]);
  expect(decideShare(weighed, 0.5)).toEqual({ holds: false, isCut: true });
  expect(decideShare(weighed, 0.9)).toEqual({ holds: false });
  expect(decideShare(weighed, 0.3)).toEqual({ holds: true });
});
