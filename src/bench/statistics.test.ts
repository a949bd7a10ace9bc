import { describe, expect, test } from "vitest";
import { passAtK, sampleSize, wilsonInterval } from "./statistics.ts";

describe("wilsonInterval", () => {
  // Computed by its formula in Python's arithmetic.
  test.each([
    [7, 10, 0.3967781, 0.8922087],
    [0, 5, 0, 0.4344825],
    [5, 5, 0.5655175, 1],
    [167, 500, 0.2940638, 0.3764675],
  ])("%d of %d", (successes, total, low, high) => {
    const interval = wilsonInterval(successes, total);
    expect(interval.low).toBeCloseTo(low, 6);
    expect(interval.high).toBeCloseTo(high, 6);
  });

  test("says nothing of no tasks", () => {
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
  });
});

test.each([
  [5, 2, 1, 2 / 5],
  [5, 2, 2, 1 - 3 / 10], // three of the ten pairs have no success
  [5, 2, 4, 1],
  [5, 0, 3, 0],
])("pass@k of %d attempts with %d resolved, k = %d", (total, resolved, k, share) => {
  expect(passAtK(total, resolved, k)).toBeCloseTo(share, 12);
});

test("sampleSize is that of USEbench's sample, and never more than there is", () => {
  expect(sampleSize(1271, 95, 5)).toBe(295);
  expect(sampleSize(8, 95, 5)).toBe(8);
  expect(sampleSize(100, 94, 5)).toBeUndefined();
});
