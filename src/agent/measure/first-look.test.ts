import { partOf } from "../../../tests/part-of.ts";
/** The test results known when a model is first asked: few for a slow suite, whatever its size. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import type { TestCommand, TestFramework } from "../../languages/contract.ts";
import { openRecorder } from "../record/recorder.ts";
import type { BenchRun, Suite, TestBench } from "../suite.ts";
import { baselineOf } from "./baseline.ts";
import { measureSuite } from "./measure-suite.ts";
import type { MeasurementContext } from "./measurement.ts";

const outcome = (name: string, status: TestOutcome["status"]): TestOutcome => ({
  key: { package: "", target: "test_a.py", name },
  status,
  durationMs: 1,
});

interface Repository {
  readonly builds: boolean;
  /** The test results after this many milliseconds. */
  readonly outcomesAt: (ms: number) => readonly TestOutcome[];
  readonly neededMs: number;
}

async function open({ builds, outcomesAt, neededMs }: Repository) {
  const directory = mkdtempSync(join(tmpdir(), "millwright-first-look-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const recorder = await openRecorder(directory, () => {});
  onTestFinished(() => recorder.close());
  const asked: number[] = [];
  const framework = partOf<TestFramework>({
    ...{ name: "f", builds, detect: () => [] },
    recognise: (command: string): TestCommand => ({
      ...{ framework: "f", directory: "", command, foundBy: "", likelihood: 1 },
    }),
  });
  const context = partOf<MeasurementContext>({
    ...{ recorder, limits: { remainingMs: () => Number.POSITIVE_INFINITY }, frameworks: [framework] },
    ...{ testCommand: "run", workspace: { base: "b" }, task: { statement: "`test_owes` is wrong" } },
  });
  const bench = partOf<TestBench>({
    project: { files: [], read: () => undefined, exists: () => false },
    async run(_: TestCommand, { timeoutMs }: BenchRun) {
      asked.push(timeoutMs);
      const isCut = timeoutMs < neededMs;
      const outcomes = outcomesAt(Math.min(timeoutMs, neededMs));
      const invalid = isCut ? "it was cut off" : undefined;
      const report = { outcomes, coverage: new Map(), invalid };
      const durationMs = Math.min(timeoutMs, neededMs);
      return { report, end: isCut ? "timed-out" : "exited", exitCode: 1, durationMs, output: "" };
    },
  });
  return { context, bench, asked };
}

const wanted = { timeMs: 40_000, longestMs: 1_800_000 };
const both = [outcome("test_pays", "passed"), outcome("test_owes", "failed")];

test("of a few slow tests those count that ended in time, and the others run later", async () => {
  const slow = {
    builds: false,
    neededMs: 90_000,
    outcomesAt: (ms: number) => both.slice(0, ms < 90_000 ? 1 : 2),
  };
  const { context, bench, asked } = await open(slow);
  const suite = await measureSuite(context, bench, wanted);
  expect(suite).toMatchObject({
    ok: true,
    value: { part: { why: "first", isCut: true }, outcomes: [both[0]] },
  });
  expect(asked).toHaveLength(1);
  expect(asked[0]).toBeLessThanOrEqual(40_000);
});

test("tests that are still being built are no reason to wait for them", async () => {
  const { context, bench, asked } = await open({ builds: true, neededMs: 110_000, outcomesAt: () => [] });
  const suite = await measureSuite(context, bench, wanted);
  expect(suite).toMatchObject({ ok: true, value: { part: { why: "first" }, outcomes: [] } });
  expect(asked).toHaveLength(1);
});

test("a command of which nothing is known after that time is waited for, as long as it needs", async () => {
  const silent = { builds: false, neededMs: 90_000, outcomesAt: (ms: number) => (ms < 90_000 ? [] : both) };
  const { context, bench, asked } = await open(silent);
  const suite = await measureSuite(context, bench, wanted);
  expect(suite).toMatchObject({ ok: true, value: { outcomes: both } });
  expect(suite.ok && suite.value.part).toBeUndefined();
  expect(asked).toHaveLength(2);
});

test("a failing test that there was no time to run again is no target yet, and is asked again later", async () => {
  const slow = { builds: false, neededMs: 30_000, outcomesAt: (ms: number) => (ms < 30_000 ? [] : both) };
  const { context, bench, asked } = await open(slow);
  const command = { framework: "f", directory: "", command: "run", foundBy: "", likelihood: 1 };
  const suite: Suite = { command, outcomes: both, durationMs: 30_000, remarks: [] };
  const hurried = await baselineOf(context, bench, suite, { mostMs: 10_000 });
  expect(hurried).toMatchObject({ ok: false, message: expect.stringContaining("no time yet") });
  const later = await baselineOf(context, bench, suite, { key: ":again" });
  expect(later).toMatchObject({ ok: true, value: { targets: [{ key: { name: "test_owes" } }] } });
  expect(asked[0]).toBeLessThanOrEqual(10_000);
});
