import { expect, test } from "vitest";
import { createLimits, forJudgement } from "./limits.ts";

test("time that is kept for the last judgement is over for the work, and there for the judgement", () => {
  let now = 0;
  const limits = createLimits({ maxMs: 40_000, maxSteps: undefined, usedMs: 0 }, () => now);
  limits.reserve?.(10_000);
  now = 29_000;
  expect([limits.remainingMs(), limits.exhausted()]).toEqual([1_000, undefined]);
  now = 31_000;
  expect(limits.exhausted()).toMatch(/40 s was reached, except for the part reserved for judging/);
  expect(forJudgement({ limits }).limits.remainingMs()).toBe(9_000);
  now = 41_000;
  expect(forJudgement({ limits }).limits.exhausted()).toBe("the time limit of 40 s was reached");
});
