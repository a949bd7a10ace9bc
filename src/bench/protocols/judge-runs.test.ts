/** Judges measurements whose runs say little about the patch. The framework is a fake: its report is the run's output. */
import { expect, test } from "vitest";
import { z } from "zod";
import { partOf } from "../../../tests/part-of.ts";
import type { TestStatus } from "../../domain/test-outcome.ts";
import type { TestFramework } from "../../languages/contract.ts";
import type { GradedTask } from "../graded-task.ts";
import type { Grader } from "../graders/contract.ts";
import type { Coverage, Measurement } from "../measurement.ts";
import type { ExecutionLog, RunLog } from "../run-log.ts";
import { protocolOf } from "./index.ts";

const statuses = z.record(z.string(), z.custom<TestStatus>());
const framework = partOf<TestFramework>({
  name: "fake",
  parse({ stdout, exitCode }) {
    const outcomes = Object.entries(statuses.parse(JSON.parse(stdout))).map(([id, status]) => {
      const [target = "", name = ""] = id.split("::");
      const failure = { type: "SyntaxError", message: "no colon", frames: [], text: "" };
      const key = { package: "", target, name };
      return { key, status, durationMs: 1, ...(status === "passed" ? {} : { failure }) };
    });
    const invalid = exitCode === 0 ? undefined : "the report is cut off";
    return { outcomes, coverage: new Map<string, Record<string, number[]>>(), invalid };
  },
});

function run(found: Readonly<Record<string, TestStatus>>, more: Partial<ExecutionLog> = {}): RunLog {
  const log = {
    ...{ selection: { kind: "all" as const }, testTimeoutMs: 1000, root: "/repo", end: "exited" as const },
    ...{ exitCode: 0, durationMs: 1, stdout: JSON.stringify(found), stderr: "", received: { streams: [] } },
    files: {},
  };
  return { framework: "fake", command: "fake", executions: [{ ...log, ...more }] };
}

async function judge(asks: Grader["asks"], runs: Measurement["runs"], more: Partial<Measurement> = {}) {
  const lists = { failToPass: ["tests/test_old.py::old"], passToPass: [] };
  const task = partOf<GradedTask>({ hidden: { lists } });
  const measured: Measurement = { restored: [], runs, coverage, ...more };
  const { official, verdict } = await protocolOf({ asks }).judge(measured, task, [framework]);
  return { official: official.outcome, outcome: verdict.outcome, reason: verdict.reason };
}

const coverage: Coverage = { lines: 1, executed: 1, left: [] };
const cut = { end: "timed-out" as const, exitCode: null };
const old = { "tests/test_old.py::old": "passed" } as const;
const both = { ...old, "tests/test_new.py::new": "passed" } as const;
const broken = { ...both, "tests/test_more.py::": "errored" } as const;
const passes = (found: Readonly<Record<string, TestStatus>>) => ({
  ...{ first: run(found), second: run(found), third: run(found) },
});
const hidden = { "hidden-tests": run(old) };
const failing = { "tests/test_new.py::new": "failed" } as const;

test("every rule reports a missing test command as an infrastructure error", async () => {
  const stderr = "sh: 1: fake: not found\n";
  const absent = run({}, { exitCode: 127, stderr });
  const expected = {
    outcome: "infrastructure-error",
    reason: "the tests cannot start: the program fake is not on the PATH",
  };
  expect(await judge("feature", { ...hidden, "own-tests": absent })).toMatchObject(expected);
  expect(await judge("written-tests", { before: absent, after: absent })).toMatchObject(expected);
  expect(await judge("target-tests", { first: absent, second: absent, third: absent })).toMatchObject(
    expected,
  );
});

test("a limit in a run without the patch neither blames nor supports the patch", async () => {
  const none = run({}, cut);
  const expected = {
    official: "infrastructure-error",
    outcome: "infrastructure-error",
    reason: "the tests reached the time limit without the patch",
  };
  expect(await judge("target-tests", { before: none, ...passes(old) })).toEqual(expected);
  expect(await judge("feature", { ...hidden, "own-tests-before": none, "own-tests": run(old) })).toEqual(
    expected,
  );
  const sides = { before: run({ ...old, ...failing }), after: run(both) };
  expect(await judge("written-tests", { ...sides, "base-before": run(old), "base-after": none })).toEqual(
    expected,
  );
});

test("tests show no issue if they reach a limit without the fix, or with it", async () => {
  const late = await judge("written-tests", { before: run({}, cut), after: run(both) });
  expect(late).toEqual({
    ...{ official: "unresolved", outcome: "unresolved" },
    reason: "the tests reached the time limit without the fix",
  });
  const sides = { before: run(failing), after: run(both, { end: "out-of-memory" }) };
  expect((await judge("written-tests", sides)).reason).toBe("the tests reached the memory limit");
});

test("a new test file that does not load counts against the patch", async () => {
  const reason = "tests/test_more.py does not load: SyntaxError: no colon";
  const before = run(old);
  const wrong = { outcome: "unresolved", reason };
  expect(await judge("target-tests", { before, ...passes(broken) })).toMatchObject(wrong);
  const own = (found: Readonly<Record<string, TestStatus>>) => ({
    ...{ ...hidden, "own-tests-before": before, "own-tests": run(found) },
  });
  expect(await judge("feature", own(broken))).toMatchObject({ ...wrong, official: "resolved" });
  expect(await judge("written-tests", { before: run(failing), after: run(broken) })).toMatchObject({
    ...{ ...wrong, official: "resolved" },
  });
  // Data of the tests, and a file that did not load before either.
  expect((await judge("feature", own({ ...both, "tests/data/wrong.py::": "errored" }))).outcome).toBe(
    "resolved",
  );
  const known = { ...passes(broken), before: run({ ...old, "tests/test_more.py::": "errored" }) };
  expect((await judge("target-tests", known)).outcome).toBe("resolved");
});

test("a feature's own tests need a report that can be trusted", async () => {
  const runs = { ...hidden, "own-tests": run(both, { exitCode: 1 }) };
  expect(await judge("feature", runs)).toMatchObject({
    outcome: "unresolved",
    reason: "the report of the tests cannot be trusted: the report is cut off",
  });
  // Its own tests fail, so their coverage does not matter.
  const late = { coverage: { lines: 0, executed: 0, left: [], because: "the report is cut off" } };
  expect(await judge("feature", runs, late)).toMatchObject({
    ...{ outcome: "unresolved", official: "infrastructure-error" },
  });
});

test("mutants that did not run for lack of time do not count against the tests", async () => {
  const strength = (mutants: NonNullable<Measurement["mutants"]>) =>
    judge("target-tests", { before: run({}), ...passes(both) }, { mutants });
  const late = { tried: 12, noticed: 4, unknown: 8, survivors: [] };
  expect(await strength(late)).toEqual({
    ...{ official: "resolved", outcome: "infrastructure-error" },
    reason: "8 mutants of 12 did not run for lack of time, so the tests' strength is undecided",
  });
  expect((await strength({ ...late, noticed: 6, unknown: 6 })).outcome).toBe("resolved");
  const weak = { tried: 12, noticed: 1, unknown: 2, survivors: ["a.py:1: no test detects that x"] };
  expect(await strength(weak)).toMatchObject({
    outcome: "unresolved",
    reason:
      "the new tests detect 1 of 10 mutants of the target; they miss, for example, a.py:1: no test detects that x",
  });
});
