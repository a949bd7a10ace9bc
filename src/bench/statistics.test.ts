import { describe, expect, test } from "vitest";
import { bootstrapMean, mcnemarExact, passAtK, sampleSize, wilsonInterval } from "./statistics.ts";

describe("wilsonInterval", () => {
  // Computed from its formula in Python.
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
  [5, 2, 2, 1 - 3 / 10], // three of the ten pairs contain no success
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

// According to scipy.stats.binomtest.
test.each([
  [1, 5, 0.21875],
  [0, 6, 0.03125],
  [10, 25, 0.0166738478],
  [3, 3, 1],
  [0, 0, 1],
  [700, 800, 0.0105592555],
])("McNemar's exact test of %d against %d", (onlyFirst, onlySecond, p) => {
  expect(mcnemarExact(onlyFirst, onlySecond)).toBeCloseTo(p, 9);
  expect(mcnemarExact(onlySecond, onlyFirst)).toBeCloseTo(p, 9);
});

test("the bootstrap of a mean is scipy's, but for chance, and the same for the same seed", () => {
  const numbers = [0, 0, 1, 1, 1, -1, 0, 0, 1, 0, 3, 2];
  // scipy.stats.bootstrap, percentile, 200,000 resamples: 0.0833 to 1.25, in steps of a twelfth
  const { low, high } = bootstrapMean(numbers, 1);
  expect(Math.abs(low - 1 / 12)).toBeLessThan(0.09);
  expect(Math.abs(high - 1.25)).toBeLessThan(0.09);
  expect(bootstrapMean(numbers, 1)).toEqual({ low, high });
  expect(bootstrapMean([2, 2, 2], 7)).toEqual({ low: 2, high: 2 });
});
