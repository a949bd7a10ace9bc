import { describe, expect, test } from "vitest";
import type { TestOutcome, TestStatus } from "../domain/test-outcome.ts";
import type { GradedRun } from "./graders/contract.ts";
import passAndFail from "./graders/pass-and-fail.ts";
import { type CheckRuns, judgeCheck as judgeTask } from "./judge-check.ts";
import type { TestLists } from "./task.ts";

function judgeCheck(runs: CheckRuns, lists: TestLists | undefined) {
  const tests = { command: undefined, files: [], limitMs: undefined };
  return judgeTask(runs, { hidden: { goldPatch: "", testPatch: "", tests, lists }, grader: passAndFail });
}

function run(statuses: Readonly<Record<string, TestStatus>>, more: Partial<GradedRun> = {}): GradedRun {
  const outcomes = Object.entries(statuses).map(
    ([name, status]): TestOutcome => ({
      key: { package: "web", target: "t.js", name },
      status,
      durationMs: 1,
      ...(name === "" && { failure: { type: "SyntaxError", message: "no brace", frames: [], text: "" } }),
    }),
  );
  return { framework: "mocha", outcomes, invalid: undefined, end: "exited", ...more };
}

const before = run({ fixed: "failed", kept: "passed", odd: "failed" });
const after = run({ fixed: "passed", kept: "passed", odd: "failed" });

describe("judgeCheck", () => {
  test("computes the lists: what the fix mends, what it leaves whole, and not what fails with it too", () => {
    const judged = judgeCheck({ base: before, empty: [before, before], gold: [after, after] }, undefined);
    expect(judged).toMatchObject({
      state: "fit",
      listsFrom: "computed",
      lists: { failToPass: ["web/t.js::fixed"], passToPass: ["web/t.js::kept"], flaky: [] },
      exceptions: [],
    });
  });

  test("a test whose file does not load without the fix fails there", () => {
    const broken = run({ "": "errored" });
    const { lists, state } = judgeCheck({ base: before, empty: [broken], gold: [after] }, undefined);
    expect(state).toBe("fit");
    expect(lists).toMatchObject({ failToPass: ["web/t.js::fixed", "web/t.js::kept"], passToPass: [] });
  });

  test("leaves a flaky test out of given lists, by the name that they have for it", () => {
    const given = { failToPass: ["fixed"], passToPass: ["kept", "odd"], flaky: [] };
    const lucky = run({ fixed: "passed", kept: "passed", odd: "passed" });
    const judged = judgeCheck({ base: before, empty: [before, before], gold: [after, lucky] }, given);
    expect(judged).toMatchObject({
      state: "fit",
      repeatsAgree: true,
      lists: { flaky: ["odd"] },
      exceptions: [expect.stringContaining("odd is flaky, so it is excluded")],
    });
  });

  test("says in how many runs the gold patch failed, and which tests it left wrong", () => {
    const given = { failToPass: ["fixed"], passToPass: ["kept", "gone"], flaky: [] };
    const slow = run({}, { end: "timed-out" });
    const judged = judgeCheck({ base: before, empty: [before], gold: [after, slow] }, given);
    expect(judged).toMatchObject({
      state: "unfit",
      gold: "unresolved",
      unmatched: ["gone", "fixed", "kept"],
      goldFailures: ["gone", "fixed", "kept"],
    });
    expect(judged.exceptions).toEqual([
      "the gold patch is unresolved: 1 of 2 pass-to-pass tests is broken (1 of them matches no test that ran): gone",
    ]);
    const once = judgeCheck({ base: before, empty: [before], gold: [after, slow] }, undefined);
    expect(once).toMatchObject({
      state: "unfit",
      repeatsAgree: false,
      lists: { failToPass: ["web/t.js::fixed"], flaky: [] },
      exceptions: ["the gold patch is unresolved in 1 of 2 runs: the tests reached the time limit"],
    });
  });

  test("notes what given lists leave out", () => {
    const given = { failToPass: ["fixed"], passToPass: [], flaky: [] };
    const more = run({ fixed: "passed", kept: "passed", odd: "passed" });
    expect(judgeCheck({ base: before, empty: [before], gold: [more] }, given).notes).toEqual([
      "1 other test fails without the gold patch and passes with it, such as web/t.js::odd",
    ]);
  });

  test("where nothing runs even on the base, the environment is at fault", () => {
    const dead = run({ "": "errored" }, { invalid: "no test ran (exit code 1)" });
    expect(judgeCheck({ base: dead, empty: [dead], gold: [dead] }, undefined)).toMatchObject({
      state: "infrastructure-error",
      exceptions: expect.arrayContaining([
        "no test ran, not even on the base: no test ran (exit code 1); SyntaxError: no brace",
      ]),
    });
  });
});
