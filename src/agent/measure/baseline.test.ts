import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import type { TestCommand, TestFramework } from "../../languages/contract.ts";
import { openRecorder } from "../record/recorder.ts";
import type { ExecutorRequest, TestExecutor } from "../suite.ts";
import { measureBaseline } from "./baseline.ts";
import type { MeasurementContext } from "./measurement.ts";

const outcome = (name: string, status: TestOutcome["status"]): TestOutcome => ({
  key: { package: "", target: "test_a.py", name },
  status,
  durationMs: 1,
});
const first = [outcome("test_pays", "passed"), outcome("test_owes", "failed")];

test("where a limit cut off the second run of what fails, a run with more time asks it anew", async () => {
  const directory = mkdtempSync(join(tmpdir(), "millwright-baseline-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const asked: string[] = [];
  const measure = async (remainingMs: number, neededMs: number) => {
    const recorder = await openRecorder(directory, () => {});
    const framework = partOf<TestFramework>({
      name: "f",
      detect: () => [],
      recognise: (command: string): TestCommand => ({
        ...{ framework: "f", directory: "", command, foundBy: "", likelihood: 1 },
      }),
    });
    const context = partOf<MeasurementContext>({
      ...{ recorder, limits: { remainingMs: () => remainingMs }, frameworks: [framework] },
      ...{
        testCommand: "run",
        workspace: { base: "b", trees: { list: async () => [] } },
        task: { statement: "`test_owes` is wrong" },
      },
    });
    const executor = partOf<TestExecutor>({
      project: { files: [], read: () => undefined, exists: () => false },
      async run(_: TestCommand, { selection, timeoutMs }: ExecutorRequest) {
        asked.push(selection.kind);
        const isCut = selection.kind === "tests" && timeoutMs < neededMs;
        const outcomes = selection.kind === "all" ? first : [outcome("test_owes", "passed")];
        const report = { outcomes: isCut ? [] : outcomes, coverage: new Map(), invalid: undefined };
        return { report, end: isCut ? "timed-out" : "exited", exitCode: 1, durationMs: 1, output: "" };
      },
    });
    const baseline = await measureBaseline(context, executor);
    recorder.close();
    return baseline.ok ? baseline.value.flaky : baseline.message;
  };
  expect(await measure(5_000, 20_000)).toEqual([]);
  expect(await measure(60_000, 20_000)).toMatch(/passed on a second run, so it is flaky/);
  expect(await measure(Number.POSITIVE_INFINITY, 20_000)).toMatch(/flaky/);
  expect(asked).toEqual(["all", "tests", "tests"]);
});

test("a test that met our limit is asked again alone with more time: what passes then is slow, what does not hangs", async () => {
  const directory = mkdtempSync(join(tmpdir(), "millwright-baseline-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const at = (target: string, name: string, status: TestOutcome["status"]): TestOutcome => ({
    key: { package: "", target, name },
    status,
    durationMs: 1,
  });
  const all = [
    at("a.py", "test_pays", "passed"),
    at("a.py", "test_hangs", "timed-out"),
    at("a.py", "test_hangs_too", "timed-out"),
    at("b.py", "test_slow", "timed-out"),
  ];
  const asked: string[] = [];
  const framework = partOf<TestFramework>({
    name: "f",
    detect: () => [],
    recognise: (command: string): TestCommand => ({
      ...{ framework: "f", directory: "", command, foundBy: "", likelihood: 1 },
    }),
  });
  const recorder = await openRecorder(directory, () => {});
  const context = partOf<MeasurementContext>({
    ...{ recorder, limits: { remainingMs: () => Number.POSITIVE_INFINITY }, frameworks: [framework] },
    ...{
      testCommand: "run",
      workspace: { base: "b", trees: { list: async () => [] } },
      task: { statement: "" },
    },
  });
  const executor = partOf<TestExecutor>({
    project: { files: [], read: () => undefined, exists: () => false },
    async run(_: TestCommand, { selection, testTimeoutMs }: ExecutorRequest) {
      const keys = selection.kind === "tests" ? selection.tests : [];
      asked.push(`${keys.map(({ name }) => name).join(" ") || "all"} ${testTimeoutMs}`);
      const said = keys.map(({ target, name }) =>
        at(target, name, name === "test_slow" ? "passed" : "timed-out"),
      );
      const report = { outcomes: keys.length === 0 ? all : said, coverage: new Map(), invalid: undefined };
      return { report, end: "exited", exitCode: 1, durationMs: 1, output: "" };
    },
  });
  const baseline = await measureBaseline(context, executor);
  recorder.close();
  if (!baseline.ok) throw new Error(baseline.message);
  expect(asked).toEqual(["all 10000", "test_hangs 30000", "test_slow 30000"]);
  expect(baseline.value.targets.map(({ key, status }) => `${key.name} ${status}`)).toEqual([
    "test_hangs timed-out",
    "test_hangs_too timed-out",
  ]);
  expect(baseline.value.remarks.at(-1)).toBe(
    "excluded, because they exceeded Millwright's limit of 10 s for one test: b.py::test_slow",
  );
});

test("a test that the limit of the whole run kept from a second run does not make the others of its file hang", async () => {
  const directory = mkdtempSync(join(tmpdir(), "millwright-baseline-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const at = (target: string, name: string, status: TestOutcome["status"]): TestOutcome => ({
    key: { package: "", target, name },
    status,
    durationMs: 1,
  });
  const all = [
    at("a.py", "test_pays", "passed"),
    at("a.py", "test_hangs", "timed-out"),
    at("a.py", "test_hangs_too", "timed-out"),
    at("b.py", "test_slow", "timed-out"),
  ];
  const asked: string[] = [];
  const framework = partOf<TestFramework>({
    name: "f",
    detect: () => [],
    recognise: (command: string): TestCommand => ({
      ...{ framework: "f", directory: "", command, foundBy: "", likelihood: 1 },
    }),
  });
  const recorder = await openRecorder(directory, () => {});
  const context = partOf<MeasurementContext>({
    ...{ recorder, limits: { remainingMs: () => Number.POSITIVE_INFINITY }, frameworks: [framework] },
    ...{
      testCommand: "run",
      workspace: { base: "b", trees: { list: async () => [] } },
      task: { statement: "" },
    },
  });
  const executor = partOf<TestExecutor>({
    project: { files: [], read: () => undefined, exists: () => false },
    async run(_: TestCommand, { selection, testTimeoutMs }: ExecutorRequest) {
      const keys = selection.kind === "tests" ? selection.tests : [];
      asked.push(`${keys.map(({ name }) => name).join(" ") || "all"} ${testTimeoutMs}`);
      const said = keys.map(({ target, name }) =>
        at(target, name, name === "test_slow" ? "passed" : "timed-out"),
      );
      const isCut = keys.some(({ name }) => name.startsWith("test_hangs"));
      const outcomes = keys.length === 0 ? all : isCut ? [] : said;
      const report = { outcomes, coverage: new Map(), invalid: undefined };
      return { report, end: isCut ? "timed-out" : "exited", exitCode: 1, durationMs: 1, output: "" };
    },
  });
  const baseline = await measureBaseline(context, executor);
  recorder.close();
  expect(asked).toEqual(["all 10000", "test_hangs 30000", "test_hangs_too 30000", "test_slow 30000"]);
  expect(baseline).toMatchObject({ ok: false, message: expect.stringMatching(/^No test fails/) });
});

test("of tests that a limit of their own ended, one per file is asked again before the others", async () => {
  const directory = mkdtempSync(join(tmpdir(), "millwright-baseline-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const failure = { type: "TestTimedOutException", message: "timed out", frames: [], text: "" };
  const at = (target: string, name: string): TestOutcome => ({
    ...{ key: { package: "", target, name }, status: "failed", durationMs: 3_000, failure },
  });
  const all = [at("A", "hangs"), at("A", "hangs_too"), at("B", "waits"), at("B", "waits_too")];
  const asked: string[] = [];
  const framework = partOf<TestFramework>({
    name: "f",
    detect: () => [],
    recognise: (command: string): TestCommand => ({
      ...{ framework: "f", directory: "", command, foundBy: "", likelihood: 1 },
    }),
  });
  const recorder = await openRecorder(directory, () => {});
  const context = partOf<MeasurementContext>({
    ...{ recorder, limits: { remainingMs: () => Number.POSITIVE_INFINITY }, frameworks: [framework] },
    ...{
      testCommand: "run",
      workspace: { base: "b", trees: { list: async () => [] } },
      task: { statement: "" },
    },
  });
  const executor = partOf<TestExecutor>({
    project: { files: [], read: () => undefined, exists: () => false },
    async run(_: TestCommand, { selection }: ExecutorRequest) {
      const keys = selection.kind === "tests" ? selection.tests : [];
      asked.push(keys.map(({ name }) => name).join(" ") || "all");
      const said = keys.map(
        ({ target, name }): TestOutcome => ({
          ...at(target, name),
          ...(target === "B" && { status: "passed" }),
        }),
      );
      const report = { outcomes: keys.length === 0 ? all : said, coverage: new Map(), invalid: undefined };
      return { report, end: "exited", exitCode: 1, durationMs: 1, output: "" };
    },
  });
  const baseline = await measureBaseline(context, executor);
  recorder.close();
  if (!baseline.ok) throw new Error(baseline.message);
  expect(asked).toEqual(["all", "hangs waits", "waits_too"]);
  expect(baseline.value.targets.map(({ key }) => key.name)).toEqual(["hangs", "hangs_too"]);
  expect(baseline.value.flaky).toEqual(["B::waits", "B::waits_too"]);
});
