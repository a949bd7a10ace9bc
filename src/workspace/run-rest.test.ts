import { expect, test } from "vitest";
import type { TestKey, TestOutcome } from "../domain/test-outcome.ts";
import { runRest } from "./run-rest.ts";
import type { TestRun } from "./test-runner.ts";

const failure = {
  type: "TimeoutError",
  message: "too long",
  frames: [],
  text: "",
  endedProcess: true as const,
};

function of(name: string, status: TestOutcome["status"]): TestOutcome {
  const hung = status === "timed-out" ? { failure } : {};
  return { key: { package: "", target: "t.py", name }, status, durationMs: 1, ...hung };
}

function runOf(report: Partial<TestRun["report"]>): TestRun {
  const none = { outcomes: [], coverage: new Map(), invalid: undefined };
  return { report: { ...none, ...report }, end: "exited", exitCode: 1, durationMs: 5, output: "" };
}

const cut = {
  invalid: "python-1 is cut off: the run ended early (exit code 1): text",
  isCutOff: true as const,
};

async function rest(first: TestRun, answer: TestRun = runOf({ outcomes: [of("b", "passed")] })) {
  const asked: string[] = [];
  const run = await runRest(first, async (tests: readonly TestKey[]) => {
    asked.push(...tests.map(({ name }) => name));
    return answer;
  });
  return { run, asked };
}

test("the tests after a hanging test that ended the process run again without it", async () => {
  const outcomes = [of("a", "passed"), of("stuck", "timed-out"), of("b", "not-run")];
  const { run, asked } = await rest(
    runOf({ outcomes, ...cut, frameworkChanges: ["x"] }),
    runOf({ outcomes: [of("b", "passed")], frameworkChanges: ["y"] }),
  );
  expect(asked).toEqual(["b"]);
  expect(run.stuck).toEqual(["t.py::stuck"]);
  expect(run.report.invalid).toBeUndefined();
  expect(run.report.frameworkChanges).toEqual(["x", "y"]);
  expect(run.report.outcomes.map(({ status }) => status)).toEqual(["passed", "timed-out", "passed"]);
  expect(run.durationMs).toBe(10);
});

test("a hanging test that is the last leaves no test without a result", async () => {
  const { run, asked } = await rest(
    runOf({ outcomes: [of("a", "passed"), of("stuck", "timed-out")], ...cut }),
  );
  expect(asked).toEqual([]);
  expect(run.report.invalid).toBeUndefined();
  expect(run.report.outcomes.map(({ status }) => status)).toEqual(["passed", "timed-out"]);
});

test("another fault of the report, or a fourth hanging test, stays", async () => {
  const outcomes = [of("stuck", "timed-out"), of("b", "not-run")];
  const forged = await rest(runOf({ outcomes, invalid: "twice" }));
  expect(forged.run.report.invalid).toBe("twice");
  const many = await rest(
    runOf({ outcomes, ...cut }),
    runOf({ outcomes: [of("more", "timed-out")], ...cut }),
  );
  expect(many.run.report.invalid).toMatch(/^t\.py::more hangs and ended the run: /);
  expect(many.run.stuck).toHaveLength(4);
});
