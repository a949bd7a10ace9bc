import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TestKey, TestOutcome } from "../../domain/test-outcome.ts";
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

interface Measured {
  readonly recorder?: string;
  readonly remainingMs?: number;
  readonly statement?: string;
}

/** Makes the folder of a record, for the time of the test. */
function makeRecord(): string {
  const directory = mkdtempSync(join(tmpdir(), "millwright-baseline-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

type Ran = Pick<Awaited<ReturnType<TestExecutor["run"]>>, "end"> & {
  readonly outcomes: readonly TestOutcome[];
};

/** Measures the baseline of a project whose tests end as `run` says. `keys`: the selected tests; empty for all. */
async function measure(
  run: (keys: readonly TestKey[], request: ExecutorRequest) => Ran,
  {
    recorder: directory = makeRecord(),
    remainingMs = Number.POSITIVE_INFINITY,
    statement = "",
  }: Measured = {},
) {
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
      task: { statement },
    },
  });
  const executor = partOf<TestExecutor>({
    project: { files: [], read: () => undefined, exists: () => false },
    async run(_: TestCommand, request: ExecutorRequest) {
      const { selection } = request;
      const { end, outcomes } = run(selection.kind === "tests" ? selection.tests : [], request);
      const report = { outcomes: [...outcomes], coverage: new Map(), invalid: undefined };
      return { report, end, exitCode: 1, durationMs: 1, output: "" };
    },
  });
  const baseline = await measureBaseline(context, executor);
  recorder.close();
  return baseline;
}

test("where a limit cut off the second run of what fails, a run with more time asks it anew", async () => {
  const recorder = makeRecord();
  const asked: string[] = [];
  const measureIn = async (remainingMs: number, neededMs: number) => {
    const baseline = await measure(
      (keys, { selection, timeoutMs }) => {
        asked.push(selection.kind);
        const isCut = keys.length > 0 && timeoutMs < neededMs;
        const outcomes = selection.kind === "all" ? first : [outcome("test_owes", "passed")];
        return { outcomes: isCut ? [] : outcomes, end: isCut ? "timed-out" : "exited" };
      },
      { recorder, remainingMs, statement: "`test_owes` is wrong" },
    );
    return baseline.ok ? baseline.value.flaky : baseline.message;
  };
  expect(await measureIn(5_000, 20_000)).toEqual([]);
  expect(await measureIn(60_000, 20_000)).toMatch(/each failing test passed on a second run/);
  expect(await measureIn(Number.POSITIVE_INFINITY, 20_000)).toMatch(/passed on a second run/);
  expect(asked).toEqual(["all", "tests", "tests"]);
});

const at = (target: string, name: string, status: TestOutcome["status"]): TestOutcome => ({
  ...outcome(name, status),
  key: { package: "", target, name },
});
const withSlow = [
  at("a.py", "test_pays", "passed"),
  at("a.py", "test_hangs", "timed-out"),
  at("a.py", "test_hangs_too", "timed-out"),
  at("b.py", "test_slow", "timed-out"),
];
const withMoreTime = (keys: readonly TestKey[]): TestOutcome[] =>
  keys.map(({ target, name }) => at(target, name, name === "test_slow" ? "passed" : "timed-out"));
const asking = (keys: readonly TestKey[], { testTimeoutMs }: ExecutorRequest): string =>
  `${keys.map(({ name }) => name).join(" ") || "all"} ${testTimeoutMs}`;

test("a test that met our limit is asked again alone with more time: what passes then is slow, what does not hangs", async () => {
  const asked: string[] = [];
  const baseline = await measure((keys, request) => {
    asked.push(asking(keys, request));
    return { outcomes: keys.length === 0 ? withSlow : withMoreTime(keys), end: "exited" };
  });
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
  const asked: string[] = [];
  const baseline = await measure((keys, request) => {
    asked.push(asking(keys, request));
    const isCut = keys.some(({ name }) => name.startsWith("test_hangs"));
    const outcomes = keys.length === 0 ? withSlow : isCut ? [] : withMoreTime(keys);
    return { outcomes, end: isCut ? "timed-out" : "exited" };
  });
  expect(asked).toEqual(["all 10000", "test_hangs 30000", "test_hangs_too 30000", "test_slow 30000"]);
  expect(baseline).toMatchObject({ ok: false, message: expect.stringMatching(/^No test fails/) });
});

test("of tests that a limit of their own ended, one per file is asked again before the others", async () => {
  const failure = { type: "TestTimedOutException", message: "timed out", frames: [], text: "" };
  const late = (target: string, name: string): TestOutcome => ({
    ...at(target, name, "failed"),
    ...{ durationMs: 3_000, failure },
  });
  const all = [late("A", "hangs"), late("A", "hangs_too"), late("B", "waits"), late("B", "waits_too")];
  const asked: string[] = [];
  const baseline = await measure((keys) => {
    asked.push(keys.map(({ name }) => name).join(" ") || "all");
    const said = keys.map(
      ({ target, name }): TestOutcome => ({
        ...late(target, name),
        ...(target === "B" && { status: "passed" }),
      }),
    );
    return { outcomes: keys.length === 0 ? all : said, end: "exited" };
  });
  if (!baseline.ok) throw new Error(baseline.message);
  expect(asked).toEqual(["all", "hangs waits", "waits_too"]);
  expect(baseline.value.targets.map(({ key }) => key.name)).toEqual(["hangs", "hangs_too"]);
  expect(baseline.value.flaky).toEqual(["B::waits", "B::waits_too"]);
});
