import { expect, test } from "vitest";
import { findDifferences, settingsOfArm } from "../bench/arm-settings.ts";
import type { BatchDocument, BatchTry } from "../bench/batch-document.ts";
import { compareArms } from "../bench/compare-arms.ts";
import { describeComparison } from "./bench-compare.ts";

function batchOf(maxTime: string, workers: string, outcomes: readonly BatchTry["outcome"][]): BatchDocument {
  const arm = { strategy: "react", model: null };
  return {
    ...{ schema: "millwright.bench-run/1", version: "1", rules: ["pass-and-fail"], sandbox: "docker" },
    tasks: { file: "tasks.jsonl", sha256: "0123456789abcdef", count: outcomes.length },
    arms: [{ ...arm, settings: { maxTime } }],
    settings: { workers },
    tries: outcomes.map((outcome, at) => ({
      ...{ ...arm, id: `t${at}`, attempt: 1, outcome, reason: `it is\n${outcome}`, run: `run-${at}` },
      ...{ verdict: "verified", agentSeconds: 10, gradingSeconds: 1, measures: { hiddenTests: 0.5 } },
      usage: { calls: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, usd: 0 },
    })),
  };
}

test("a comparison names its settings, its figures and the tasks that differ, in words", () => {
  const batches = [
    batchOf("10m", "1", ["resolved", "unresolved"]),
    batchOf("20m", "2", ["resolved", "resolved"]),
  ];
  const sides = batches.flatMap((batch, at) =>
    batch.arms.map((arm) => ({ path: `batch-${at}`, batch, arm })),
  );
  const [first, second] = sides;
  if (first === undefined || second === undefined) throw new Error("there are two sides");
  const found = compareArms(first.batch.tries, second.batch.tries, 1);
  const settings = findDifferences(sides.map(({ batch, arm }) => settingsOfArm(batch, arm)));
  const parting = { step: 3, first: "edit", second: "test" };
  const lines = describeComparison(found, first, second, { settings, partings: new Map([["t1", parting]]) });
  const withBroken = { ...found, broken: 2 };
  expect(describeComparison(withBroken, first, second, { settings, partings: new Map() })).toContain(
    "McNemar's exact test, without 2 tasks with an infrastructure error: p = 1.000",
  );
  expect(lines.split("\n")).toEqual([
    "first:  react (batch-0)",
    "second: react (batch-1)",
    "note: the arms differ in these settings, which may cause different results:",
    "  --max-time: 10m and 20m",
    "note: the arms differ in these settings, which may cause different times:",
    "  --workers: 1 and 2",
    "2 tasks that both arms attempted",
    "first:  1 of 2 resolved (50.0 %, 95 % interval: 9.5 to 90.5 %); 2 called verified, 1 of them not resolved (t1); 0 resolved but not called verified",
    "second: 2 of 2 resolved (100.0 %, 95 % interval: 34.2 to 100.0 %); 2 called verified, 0 of them not resolved; 0 resolved but not called verified",
    "tasks resolved by both: 1, by neither: 0, only by the first: 0, only by the second: 1",
    "resolved, second minus first: +50.0 percentage points (95 % interval: 0.0 to +100.0)",
    "McNemar's exact test: p = 1.000. Equally good arms would differ at least this much in 100.0 % of comparisons",
    "sequential test, valid after each task: not decided. The evidence is 1.00; the test decides at 20, with an error rate of at most 5.0 %",
    "hidden tests that pass (hiddenTests), %, mean of 2 tasks: first 50.0, second 50.0, difference 0.0 (95 % interval: 0.0 to 0.0)",
    "seconds per task: first 10.0, second 10.0, difference 0.0 (95 % interval: 0.0 to 0.0)",
    "resolved only by the second: t1",
    "  first:  unresolved: it is unresolved (run-1)",
    "  second: resolved: it is resolved (run-1)",
    "  the runs first differ at step 3:",
    "    first:  edit",
    "    second: test",
  ]);
});
