import { describe, expect, test } from "vitest";
import type { GradedRun } from "../bench/graders/contract.ts";
import type { TestFailure, TestStatus } from "../domain/test-outcome.ts";
import { judgeStates, judgeWithoutBase } from "./judge-states.ts";

const assertion: TestFailure = { type: "AssertionError", message: "1 != 2", frames: [], text: "" };

function run(statuses: Record<string, TestStatus>, failure = assertion): GradedRun {
  const outcomes = Object.entries(statuses).map(([name, status]) => ({
    key: { package: "", target: "t.py", name },
    status,
    durationMs: 0,
    ...(status === "failed" || status === "errored" ? { failure } : {}),
  }));
  return { framework: "pytest", outcomes, invalid: undefined, end: "exited" };
}

const never = () => false;
const once = (base: GradedRun, tests: GradedRun, gold: GradedRun) =>
  judgeStates({ base: [base], tests: [tests], gold: [gold] }, never);

describe("judgeStates", () => {
  test("a test that fails without the fix and passes with it makes a task", () => {
    const judged = once(
      run({ a: "passed" }),
      run({ a: "passed", b: "failed" }),
      run({ a: "passed", b: "passed" }),
    );
    expect(judged).toMatchObject({
      verdict: "kept",
      value: {
        lists: { failToPass: ["t.py::b"], passToPass: ["t.py::a"], flaky: [] },
        failures: { "t.py::b": "asserts" },
      },
    });
  });

  test("one that is skipped without the fix, or absent though its file loads, does not show the fault", () => {
    const gold = run({ a: "passed", b: "passed" });
    expect(once(run({ a: "passed" }), run({ a: "passed" }), gold)).toMatchObject({
      cause: "no-fail-to-pass",
      detail: expect.stringContaining(
        "or with line numbers of the code in their names, fail without the fix and pass with it: t.py::b",
      ),
    });
    expect(once(run({ a: "passed", b: "skipped" }), run({ a: "passed", b: "skipped" }), gold)).toMatchObject({
      cause: "no-fail-to-pass",
    });
  });

  test("one whose file does not load is told from one that asserts", () => {
    const judged = once(run({ a: "passed" }), run({ "": "errored" }), run({ a: "passed", b: "passed" }));
    expect(judged).toMatchObject({
      verdict: "kept",
      value: { failures: { "t.py::a": "does-not-build", "t.py::b": "does-not-build" } },
    });
  });

  test("a test that passed and fails with the fix is a regression, one that differs between repeats is flaky", () => {
    expect(
      once(run({ a: "passed" }), run({ a: "passed", b: "failed" }), run({ a: "failed", b: "passed" })),
    ).toMatchObject({ cause: "regression", detail: expect.stringContaining("t.py::a") });
    const [base, tests] = [run({ a: "passed" }), run({ a: "passed", b: "failed" })];
    const gold = [run({ a: "passed", b: "passed" }), run({ a: "failed", b: "passed" })];
    expect(judgeStates({ base: [base, base], tests: [tests, tests], gold }, never)).toMatchObject({
      verdict: "kept",
      value: { lists: { failToPass: ["t.py::b"], passToPass: [], flaky: ["t.py::a"] } },
    });
    expect(
      judgeStates(
        { base: [base], tests: [tests, run({ a: "passed", b: "passed" })], gold: [gold[0] ?? base] },
        never,
      ),
    ).toMatchObject({ cause: "flaky" });
  });

  test("an environment in which most tests fail even with the fix is wrong, and says nothing of the change", () => {
    const broken = run({ a: "passed", b: "failed", c: "failed" });
    expect(once(run({ a: "passed", b: "failed" }), broken, broken)).toMatchObject({
      cause: "wrong-environment",
      detail: "2 of 3 tests fail even with the fix: AssertionError: 1 != 2",
    });
  });

  test("tests that pass without the fix, or fail with it, decide before the base runs", () => {
    const passes = run({ a: "passed", b: "passed" });
    const fails = run({ a: "failed", b: "failed" });
    const judge = (tests: GradedRun, gold: GradedRun) => judgeWithoutBase({ tests, gold }, never);
    expect(judge(passes, passes)).toMatchObject({ cause: "no-fail-to-pass" });
    expect(judge(fails, fails)).toMatchObject({ cause: "wrong-environment" });
    expect(judge(run({ a: "passed", b: "failed" }), passes)).toBeUndefined();
    expect(judge(run({}), passes), "tests that do not build").toBeUndefined();
  });

  test("a run with the fix that cannot be read, or in which nothing runs, is no failure of the fix", () => {
    const base = run({ a: "passed" });
    expect(once(base, base, { ...base, invalid: "the exit code contradicts it" })).toMatchObject({
      cause: "unparsed",
    });
    expect(once(base, base, run({}))).toMatchObject({ cause: "never-built" });
    const invalid = "no test ran (exit code 101): error: no matching package named `get-size` found";
    expect(once(base, base, { ...run({}), invalid })).toMatchObject({
      cause: "never-built",
      detail: expect.stringContaining("no matching package"),
    });
    expect(once(base, base, { ...base, end: "timed-out" })).toMatchObject({ cause: "never-ends" });
  });
});
