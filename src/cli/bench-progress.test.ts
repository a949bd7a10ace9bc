import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import type { TryResult } from "../bench/try.ts";
import { noUsage } from "../domain/solve-report.ts";
import { describeBatch } from "./bench-progress.ts";

test("a batch that somebody paused has no time left, but the word paused", () => {
  const done = [partOf<TryResult>({ outcome: "resolved", usage: noUsage, known: false })];
  const state = { total: 3, done, running: 1, ms: 30_000 };
  expect(describeBatch(state)).toMatch(/; about 1 min 0 s left$/);
  expect(describeBatch({ ...state, isPaused: true })).toMatch(/infrastructure errors; paused$/);
  expect(describeBatch({ ...state, total: 1, isPaused: true })).toMatch(/infrastructure errors$/);
});
