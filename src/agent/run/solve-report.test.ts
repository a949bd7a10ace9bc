import { expect, test } from "vitest";
import { createLimits } from "../record/limits.ts";
import { exitCodeOfEnd, withTimeLimit } from "./solve-report.ts";

test("a run whose time was over before its tests could run was stopped by the limit, and says so", () => {
  let now = 0;
  const limits = createLimits({ maxMs: 12_000, maxSteps: undefined, usedMs: 0 }, () => now);
  const nothing = { outcome: "none" as const, limited: false, reason: "No test could be run." };
  expect(withTimeLimit(nothing, limits)).toBe(nothing);
  now = 12_000;
  const end = withTimeLimit(nothing, limits);
  expect(end.reason).toBe("No test could be run. (the time limit of 12 s was reached)");
  expect([exitCodeOfEnd(nothing), exitCodeOfEnd(end)]).toEqual([11, 12]);
  const patched = { ...nothing, outcome: "unverified" as const };
  expect(withTimeLimit(patched, limits)).toBe(patched);
});
