import { partOf } from "../../../tests/part-of.ts";
/** The test results known when a model is first asked: few for a slow suite, whatever its size. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import type { TestCommand, TestFramework } from "../../languages/contract.ts";
import { openPace } from "../record/pace.ts";
import { openRecorder } from "../record/recorder.ts";
import type { ExecutorRequest, Suite, TestExecutor } from "../suite.ts";
import { baselineOf } from "./baseline.ts";
import { measureSuite, testTimeoutOf, usualTimeOf } from "./measure-suite.ts";
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

async function open({ builds, outcomesAt, neededMs }: Repository, replayed?: string, original?: string) {
  const directory = mkdtempSync(join(tmpdir(), "millwright-first-look-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const pace = openPace({ folder: directory, replayed, of: () => "the task" });
  const recorder = await openRecorder(directory, () => {}, undefined, { pace, original });
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
    ...{
      testCommand: "run",
      workspace: { base: "b", trees: { list: async () => [] } },
      task: { statement: "`test_owes` is wrong" },
    },
  });
  const executor = partOf<TestExecutor>({
    project: { files: [], read: () => undefined, exists: () => false },
    async run(_: TestCommand, { timeoutMs }: ExecutorRequest) {
      asked.push(timeoutMs);
      const isCut = timeoutMs < neededMs;
      const outcomes = outcomesAt(Math.min(timeoutMs, neededMs));
      const invalid = isCut ? "it was cut off" : undefined;
      const report = { outcomes, coverage: new Map(), invalid };
      const durationMs = Math.min(timeoutMs, neededMs);
      return { report, end: isCut ? "timed-out" : "exited", exitCode: 1, durationMs, output: "" };
    },
  });
  return { context, executor, asked, directory };
}

const command: TestCommand = { framework: "f", directory: "", command: "run", foundBy: "", likelihood: 1 };
const wanted = { timeMs: 40_000, longestMs: 1_800_000 };
const both = [outcome("test_pays", "passed"), outcome("test_owes", "failed")];

test("of a few slow tests those count that ended in time, and the others run later", async () => {
  const slow = {
    builds: false,
    neededMs: 90_000,
    outcomesAt: (ms: number) => both.slice(0, ms < 90_000 ? 1 : 2),
  };
  const { context, executor, asked } = await open(slow);
  const suite = await measureSuite(context, executor, wanted);
  expect(suite).toMatchObject({
    ok: true,
    value: { part: { why: "first", isCut: true }, outcomes: [both[0]] },
  });
  expect(asked).toHaveLength(1);
  expect(asked[0]).toBeLessThanOrEqual(40_000);
});

test("tests that are still being built are no reason to wait for them", async () => {
  const { context, executor, asked } = await open({ builds: true, neededMs: 110_000, outcomesAt: () => [] });
  const suite = await measureSuite(context, executor, { ...wanted, first: { files: ["test_a.py"], of: 20 } });
  const part = { why: "first", files: [], nearest: ["test_a.py"] };
  expect(suite).toMatchObject({ ok: true, value: { part, outcomes: [] } });
  expect(asked).toHaveLength(1);
});

test("a command of which nothing is known after that time is waited for, as long as it needs", async () => {
  const silent = { builds: false, neededMs: 90_000, outcomesAt: (ms: number) => (ms < 90_000 ? [] : both) };
  const { context, executor, asked } = await open(silent);
  const suite = await measureSuite(context, executor, wanted);
  expect(suite).toMatchObject({ ok: true, value: { outcomes: both } });
  expect(suite.ok && suite.value.part).toBeUndefined();
  expect(asked).toHaveLength(2);
});

test("the chosen tests, not all, get more time if the limit ended the likeliest command before a test ended", async () => {
  const { context, executor } = await open({ builds: false, neededMs: 0, outcomesAt: () => both });
  const asked: string[] = [];
  const late = partOf<TestExecutor>({
    ...executor,
    run(command: TestCommand, request: ExecutorRequest) {
      const { kind } = request.selection;
      asked.push(`${command.command} ${kind}`);
      const isQuick = command.command === "part" && kind === "all";
      const needsMs = isQuick ? 0 : 60_000;
      const isCut = request.timeoutMs < needsMs;
      const report = { outcomes: isCut ? [] : both, coverage: new Map(), invalid: isCut ? "cut" : undefined };
      const end = isCut ? "timed-out" : "exited";
      const durationMs = Math.min(request.timeoutMs, needsMs);
      return Promise.resolve({ report, end, exitCode: 1, durationMs, output: "" });
    },
  });
  const detected = ["whole", "part"].map((text) => ({ ...command, command: text }));
  const [framework] = context.frameworks;
  const frameworks = [{ ...framework, detect: () => detected }];
  const given = partOf<MeasurementContext>({ ...context, frameworks, testCommand: undefined });
  const suite = await measureSuite(given, late, { ...wanted, first: { files: ["test_a.py"], of: 20 } });
  expect(suite).toMatchObject({ ok: true, value: { command: { command: "whole" }, part: { of: 20 } } });
  expect(asked).toEqual(["whole files", "part files", "whole files"]);
});

test("a failing test that there was no time to run again is no target yet, and is asked again later", async () => {
  const slow = { builds: false, neededMs: 30_000, outcomesAt: (ms: number) => (ms < 30_000 ? [] : both) };
  const { context, executor, asked } = await open(slow);
  const suite: Suite = { command, outcomes: both, durationMs: 30_000, remarks: [] };
  const hurried = await baselineOf(context, executor, suite, { mostMs: 10_000 });
  expect(hurried).toMatchObject({ ok: false, message: expect.stringContaining("for lack of time") });
  const later = await baselineOf(context, executor, suite, { key: ":again" });
  expect(later).toMatchObject({ ok: true, value: { targets: [{ key: { name: "test_owes" } }] } });
  expect(asked[0]).toBeLessThanOrEqual(10_000);
});

/** Three tests, each of which takes a third of the time. */
const three = ["test_pays", "test_owes", "test_waits"].map((name) => outcome(name, "passed"));
const steady = (neededMs: number): Repository => ({
  builds: false,
  neededMs,
  outcomesAt: (ms) => three.slice(0, Math.floor((3 * ms) / neededMs)),
});

test.each([
  ["those that ended in time", 90_000, 1],
  ["all", 30_000, 3],
])("a replay knows the same tests at any speed, here %s", async (_, neededMs, count) => {
  const recorded = await open(steady(neededMs));
  const known = await measureSuite(recorded.context, recorded.executor, wanted);
  expect(known).toMatchObject({ ok: true, value: { outcomes: three.slice(0, count) } });
  for (const otherMs of [3_000, 60_000, 600_000]) {
    const { context, executor } = await open(steady(otherMs), recorded.directory);
    const again = await measureSuite(context, executor, wanted);
    expect(again).toMatchObject({ ok: true, value: { outcomes: three.slice(0, count) } });
    expect(again.ok && again.value.part).toEqual(known.ok && known.value.part);
  }
});

const lasting = (neededMs: number, ...durations: readonly number[]): Repository => ({
  ...{ builds: false, neededMs },
  outcomesAt: () => three.map((each, at) => ({ ...each, durationMs: durations[at] ?? 0 })),
});

test.each([
  ["with", true],
  ["without", false],
])("a repeated run has its own time limits too, %s recorded decisions", async (_, isPaced) => {
  const recorded = await open(lasting(6_000, 100, 5_900, 0));
  await measureSuite(recorded.context, recorded.executor, wanted);
  const { directory: first } = recorded;
  const repeated = await open(lasting(300, 100, 100, 100), first, first);
  await measureSuite(repeated.context, repeated.executor, wanted);
  const { directory: second } = repeated;
  const { context, executor } = await open(
    lasting(8_100, 8_000, 100, 0),
    isPaced ? second : undefined,
    second,
  );
  const again = await measureSuite(context, executor, wanted);
  if (!again.ok) throw new Error(again.message);
  expect(again.value).toMatchObject({ durationMs: 6_000, own: { durationMs: 8_100, testMs: 16_000 } });
  expect(testTimeoutOf(again.value)).toBe(16_000);
});

test("recorded times count up to ten times this machine's, so a false recording does not make a replay wait", async () => {
  const recorded = await open(lasting(6_000, 100, 5_900, 0));
  await measureSuite(recorded.context, recorded.executor, wanted);
  rewritePace(recorded.directory, (text) => text.replaceAll(/:5900\b|:6000\b/g, ":1e15"));
  const { context, executor } = await open(lasting(300, 100, 100, 100), recorded.directory);
  const again = await measureSuite(context, executor, wanted);
  if (!again.ok) throw new Error(again.message);
  expect(again.value.durationMs).toBe(1e15);
  expect(testTimeoutOf(again.value)).toBe(10_000);
  expect(usualTimeOf(again.value)).toBe(3_000);
});

test("a repeated run with a part of the tests keeps its own results, not those of the original", async () => {
  const [first, ...others] = three;
  if (first === undefined) throw new Error("there are no tests");
  const failed = [{ ...first, status: "failed" as const }, ...others];
  const recorded = await open({ ...steady(90_000), outcomesAt: () => failed.slice(0, 1) });
  await measureSuite(recorded.context, recorded.executor, wanted);
  const { context, executor } = await open(steady(90_000), recorded.directory, recorded.directory);
  const again = await measureSuite(context, executor, wanted);
  expect(again).toMatchObject({
    ok: true,
    value: { outcomes: [{ status: "passed" }], part: { why: "first" } },
  });
});

test("a repeated run takes no test for failing that it did not run again itself", async () => {
  const hanging = ["a", "b", "c", "d"].map((file) => ({
    ...outcome("test_owes", "timed-out"),
    key: { package: "", target: `test_${file}.py`, name: "test_owes" },
  }));
  const suite: Suite = { command, outcomes: hanging, durationMs: 1, remarks: [] };
  const recorded = await open({ builds: false, neededMs: 1, outcomesAt: () => [] });
  const schema = z.object({ outcomes: z.array(z.never()), unasked: z.array(z.string()) });
  const options = { key: "rerun-failing", title: "run the failing tests again", schema };
  await recorded.context.recorder.step(options, async () => ({ outcomes: [], unasked: [] }));
  const { context, executor } = await open(
    { builds: false, neededMs: 1, outcomesAt: () => [] },
    ...[undefined, recorded.directory],
  );
  const again = await baselineOf(context, executor, suite);
  expect(again).toMatchObject({ ok: true, value: { flaky: [expect.stringContaining("test_d.py")] } });
});

test("a replay of a run that found no tests shows none, and keeps those that it found for its verdict", async () => {
  const recorded = await open({ builds: false, neededMs: 1, outcomesAt: () => [] });
  const none = await measureSuite(recorded.context, recorded.executor, wanted);
  if (none.ok) throw new Error("tests were found");
  const replayed = await open(lasting(300, 100, 100, 100), recorded.directory);
  const again = await measureSuite(replayed.context, replayed.executor, wanted);
  const shown = { ok: false, message: none.message };
  expect(again).toMatchObject({ ...shown, unshown: { outcomes: [{}, {}, {}], durationMs: 300 } });
  // A replay of this replay shows none either.
  const { context, executor } = await open(lasting(200, 100, 100, 0), replayed.directory, replayed.directory);
  expect(await measureSuite(context, executor, wanted)).toMatchObject({
    ...shown,
    unshown: { durationMs: 200 },
  });
});

test("later choices in a replay depend on the recorded durations, and limits on those of this machine", async () => {
  const recorded = await open(lasting(6_000, 100, 5_900, 0));
  await measureSuite(recorded.context, recorded.executor, wanted);
  // One test is slow here, but all together are as fast as before.
  const { context, executor } = await open(lasting(8_100, 8_000, 100, 0), recorded.directory);
  const again = await measureSuite(context, executor, wanted);
  if (!again.ok) throw new Error(again.message);
  expect(again.value.outcomes.map(({ durationMs }) => durationMs)).toEqual([100, 5_900, 0]);
  expect(again.value.durationMs).toBe(6_000);
  expect(testTimeoutOf(again.value)).toBe(16_000);
  expect(usualTimeOf(again.value)).toBe(8_100);
});

test("a replay credits no patch with a test that its own second run shows to be flaky", async () => {
  const failing = ["test_owes", "test_pays"].map((name) => outcome(name, "failed"));
  const suite: Suite = { command, outcomes: failing, durationMs: 1, remarks: [] };
  const second = (fails: number, neededMs: number): Repository => ({
    ...{ builds: false, neededMs },
    outcomesAt: (ms) =>
      [outcome("test_owes", "failed"), outcome("test_pays", "passed")].slice(0, fails + Number(ms > 5_000)),
  });
  const recorded = await open(second(1, 10_000));
  const cut = await baselineOf(recorded.context, recorded.executor, suite, { longestMs: 5_000 });
  expect(cut).toMatchObject({ ok: true, value: { flaky: [] } });
  const { context, executor } = await open(second(2, 10), recorded.directory);
  const again = await baselineOf(context, executor, suite, { longestMs: 5_000 });
  expect(again).toMatchObject({ ok: true, value: { flaky: [expect.stringContaining("test_pays")] } });
});

function rewritePace(directory: string, change: (text: string) => string): void {
  const [file = ""] = readdirSync(directory).filter((name) => name.endsWith(".pace.jsonl"));
  const path = join(directory, file);
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

test("a replay that drops what it measured has a part, even if the recorded decisions do not say so", async () => {
  const recorded = await open(steady(90_000));
  await measureSuite(recorded.context, recorded.executor, wanted);
  rewritePace(recorded.directory, (text) => text.replace(/"part":\{[^}]*\},/, ""));
  const { context, executor } = await open(steady(3_000), recorded.directory);
  const again = await measureSuite(context, executor, wanted);
  expect(again).toMatchObject({ ok: true, value: { outcomes: three.slice(0, 1), part: { why: "time" } } });
});

test("a replay gives tests that a limit ended the recorded time, and no more if it reached the same", async () => {
  const recorded = await open(steady(90_000));
  await measureSuite(recorded.context, recorded.executor, wanted);
  const same = await open(steady(90_000), recorded.directory);
  await measureSuite(same.context, same.executor, wanted);
  expect(Math.max(...same.asked)).toBeLessThanOrEqual(40_000);
});
