/**
 * The statistics of reports against statsmodels, scipy and scikit-learn: see tests/fixtures/statistics/reference.py.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { calibrate } from "./result-groups.ts";
import {
  bootstrapMean,
  cohenKappa,
  coinEvidence,
  mcnemarExact,
  passAtK,
  pearson,
  sampleSize,
  wilsonInterval,
} from "./statistics.ts";

const number = z.number();
const interval = { low: number, high: number };
const referenceSchema = z.object({
  wilson: z.array(z.object({ successes: number, total: number, ...interval })),
  passAt: z.array(z.object({ total: number, resolved: number, k: number, share: number })),
  mcnemar: z.array(z.object({ first: number, second: number, p: number })),
  bootstrap: z.array(z.object({ numbers: z.array(number), ...interval })),
  calibration: z.array(
    z.object({
      ...{ resolved: z.array(number), verified: z.array(number) },
      ...{ precision: number, recall: number },
    }),
  ),
  sampleSize: z.array(z.object({ margin: number, size: number })),
  coinEvidence: z.array(z.object({ heads: number, tails: number, evidence: number })),
  kappa: z.array(z.object({ first: z.array(z.string()), second: z.array(z.string()), kappa: number })),
  pearson: z.array(z.object({ first: z.array(number), second: z.array(number), r: number })),
});
const file = join(import.meta.dirname, "..", "..", "tests", "fixtures", "statistics", "reference.json");
const reference = referenceSchema.parse(JSON.parse(readFileSync(file, "utf8")));

test("Wilson's interval is statsmodels'", () => {
  for (const { successes, total, low, high } of reference.wilson) {
    const found = wilsonInterval(successes, total);
    expect([found.low, found.high], `${successes} of ${total}`).toEqual([
      expect.closeTo(low, 9),
      expect.closeTo(high, 9),
    ]);
  }
});

test("pass@k is one minus scipy's chance to draw no resolved attempt", () => {
  for (const { total, resolved, k, share } of reference.passAt)
    expect(passAtK(total, resolved, k), `${k} of ${total}, ${resolved} resolved`).toBeCloseTo(share, 9);
});

test("McNemar's exact test is statsmodels'", () => {
  for (const { first, second, p } of reference.mcnemar) expect(mcnemarExact(first, second)).toBeCloseTo(p, 9);
});

test("the bootstrap's interval is scipy's, within a tenth of its width", () => {
  for (const { numbers, low, high } of reference.bootstrap) {
    const found = bootstrapMean(numbers, 1);
    const width = high - low;
    expect(Math.abs(found.low - low) / width).toBeLessThan(0.1);
    expect(Math.abs(found.high - high) / width).toBeLessThan(0.1);
  }
});

test("precision and recall of verdicts are scikit-learn's", () => {
  for (const { resolved, verified, precision, recall } of reference.calibration) {
    const found = calibrate(
      resolved.map((isResolved, at) => ({
        id: String(at),
        outcome: isResolved === 1 ? "resolved" : "unresolved",
        verdict: verified[at] === 1 ? "verified" : "unverified",
      })),
    );
    expect(found.precision.count / found.precision.of).toBeCloseTo(precision, 12);
    expect(found.recall.count / found.recall.of).toBeCloseTo(recall, 12);
  }
});

test("a sample of an endless population has statsmodels' size", () => {
  for (const { margin, size } of reference.sampleSize)
    expect(Math.abs((sampleSize(1e12, 95, margin) ?? 0) - size)).toBeLessThan(1);
});

test("the correlation is scipy's, and a constant list has none", () => {
  for (const { first, second, r } of reference.pearson) expect(pearson(first, second)).toBeCloseTo(r, 9);
  expect(pearson([1, 2, 3], [4, 4, 4])).toBeUndefined();
});

test("the evidence against a fair coin is the marginal likelihood by scipy's Beta function", () => {
  for (const { heads, tails, evidence } of reference.coinEvidence)
    expect(coinEvidence(heads, tails) / evidence, `${heads} and ${tails}`).toBeCloseTo(1, 9);
});

test("Cohen's kappa is scikit-learn's, for two labels and more", () => {
  for (const { first, second, kappa } of reference.kappa) {
    const pairs = first.map((label, at) => [label, second[at]] as const);
    expect(cohenKappa(pairs)).toBeCloseTo(kappa, 12);
  }
});
