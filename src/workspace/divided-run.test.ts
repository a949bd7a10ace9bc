import { expect, test } from "vitest";
import type { TestOutcome } from "../domain/test-outcome.ts";
import { joinShares, runDivided, withAnswers } from "./divided-run.ts";
import type { TestRun } from "./test-runner.ts";

const at = (target: string, status: TestOutcome["status"] = "passed", name = "it"): TestOutcome => ({
  key: { package: "", target, name },
  status,
  durationMs: 10,
});

const run = (outcomes: readonly TestOutcome[], of: number, more: Partial<TestRun> = {}): TestRun => ({
  report: {
    ...{ outcomes, coverage: new Map(), invalid: undefined },
    share: { found: outcomes.filter(({ key }) => key.name !== "").length, of },
  },
  ...{ end: "exited", exitCode: 0, durationMs: 30, output: "said" },
  ...more,
});

const invalid = (outcomes: readonly TestOutcome[], of: number): TestRun => {
  const given = run(outcomes, of);
  return { ...given, report: { ...given.report, invalid: "exit code 3" } };
};

test("joins shares that together run each collected test once", () => {
  const joined = joinShares([run([at("a")], 3), run([at("b", "failed"), at("c")], 3, { exitCode: 1 })]);
  expect(joined).toMatchObject({ isDivided: true, end: "exited", exitCode: 1, durationMs: 60 });
  expect(joined?.report.outcomes.map(({ key }) => key.target)).toEqual(["a", "b", "c"]);
});

test("a share without tests and a file that no process can load are no contradiction", () => {
  const idle = invalid([], 2);
  const broken = at("c", "errored", "");
  const joined = joinShares([run([at("a"), broken], 2), idle, run([at("b"), broken], 2)]);
  expect(joined?.report.outcomes.map(({ key }) => key.target)).toEqual(["a", "c", "b"]);
});

test.for([
  ["a share is unreliable", [run([at("a")], 2), invalid([at("b")], 2)]],
  ["a process died", [run([at("a")], 2), run([at("b")], 2, { end: "signalled", exitCode: 137 })]],
  ["a test is missing", [run([at("a")], 3), run([at("b")], 3)]],
  ["the processes collected different tests", [run([at("a")], 2), run([at("b")], 3)]],
  ["a test ran twice", [run([at("a")], 2), run([at("a")], 2)]],
  ["no share has tests", [invalid([], 0), invalid([], 0)]],
] as const)("joins nothing if %s", ([, runs]) => {
  expect(joinShares(runs)).toBeUndefined();
});

test("failures count only after a run in one process", async () => {
  const asked: string[] = [];
  const alone = [at("a"), at("b", "failed")];
  const divide = (leftMs: number, shares: readonly TestRun[]) =>
    runDivided({
      of: shares.length,
      leftMs: () => leftMs,
      runShare: async ({ index }) => shares[index] ?? run([], 0),
      async runAlone(tests) {
        asked.push(...tests.map(({ target }) => target));
        return run(alone, 2);
      },
    });
  const shares = [run([at("a", "timed-out"), at("c")], 3), run([at("b", "failed")], 3)];
  const ended = await divide(1_000, shares);
  expect(ended?.report.outcomes.map(({ status }) => status)).toEqual(["passed", "passed", "failed"]);
  expect([asked, ended?.onlyTogether]).toEqual([["a", "b"], ["a::it"]]);
  // Without time for that run, the results are unknown.
  const late = await divide(0, shares);
  expect(late?.end).toBe("timed-out");
  expect(late?.report.outcomes.map(({ status }) => status)).toEqual(["not-run", "passed", "not-run"]);
  // A share that hangs before the limit may pass in one process.
  const hangs = [run([at("a")], 2), run([at("b", "timed-out")], 2, { end: "timed-out", exitCode: null })];
  expect([await divide(1_000, hangs), (await divide(0, hangs))?.end]).toEqual([undefined, "timed-out"]);
});

test("an invalid report makes no test pass, and its changes of the framework count", () => {
  const joined = joinShares([run([at("a")], 2), run([at("b", "timed-out")], 2, { exitCode: 1 })]);
  if (joined === undefined) throw new Error("the shares do not join");
  const alone = invalid([at("b")], 1);
  const changed = { ...alone, report: { ...alone.report, frameworkChanges: ["Runner.fail"] } };
  const answered = withAnswers(joined, changed);
  expect(answered.report.outcomes.map(({ status }) => status)).toEqual(["passed", "timed-out"]);
  expect(answered.report.frameworkChanges).toEqual(["Runner.fail"]);
  expect(answered.onlyTogether).toBeUndefined();
});

test("the results of tests that a limit kept from running alone are unknown", () => {
  const joined = joinShares([run([at("a", "failed")], 2), run([at("b", "failed")], 2)]);
  if (joined === undefined) throw new Error("the shares do not join");
  const cut = withAnswers(joined, run([at("b", "failed")], 1, { end: "timed-out" }));
  expect(cut.report.outcomes.map(({ status }) => status)).toEqual(["not-run", "failed"]);
});
