import { describe, expect, test } from "vitest";
import type { TestOutcome, TestStatus } from "../../domain/test-outcome.ts";
import type { TestLists } from "../task.ts";
import type { GradedRun } from "./contract.ts";
import passAndFail from "./pass-and-fail.ts";

function run(statuses: Readonly<Record<string, TestStatus>>, more: Partial<GradedRun> = {}): GradedRun {
  const outcomes: TestOutcome[] = Object.entries(statuses).map(([name, status]) => ({
    key: { package: "", target: "t.py", name },
    status,
    durationMs: 1,
  }));
  return { framework: "pytest", outcomes, invalid: undefined, end: "exited", ...more };
}

const hidden = {
  goldPatch: "",
  testPatch: "",
  tests: { command: undefined, files: [], limitMs: undefined },
  lists: undefined,
};
const gradeRun = (graded: GradedRun, given: TestLists) => passAndFail.judge(graded, given, hidden);
const lists = { failToPass: ["t.py::a"], passToPass: ["t.py::b"], flaky: [] };

describe("pass-and-fail", () => {
  test.each<[TestStatus | undefined, TestStatus | undefined, string]>([
    ["passed", "passed", "resolved"],
    ["expected-failure", "expected-failure", "resolved"],
    ["passed", "skipped", "resolved"],
    ["skipped", "passed", "unresolved"],
    ["failed", "passed", "unresolved"],
    ["errored", "passed", "unresolved"],
    ["not-run", "passed", "unresolved"],
    [undefined, "passed", "unresolved"],
    ["passed", "failed", "unresolved"],
    ["passed", "errored", "unresolved"],
    ["passed", "not-run", "unresolved"],
    ["passed", undefined, "unresolved"],
  ])("fail-to-pass %s, pass-to-pass %s: %s", (a, b, outcome) => {
    const statuses = { ...(a && { a }), ...(b && { b }) };
    expect(gradeRun(run(statuses), lists).outcome).toBe(outcome);
  });

  test("names what fails and what is missing", () => {
    const verdict = gradeRun(run({ a: "failed" }), lists);
    expect(verdict.failToPass).toEqual({ success: [], failure: ["t.py::a"] });
    expect(verdict.unmatched).toEqual(["t.py::b"]);
    expect(verdict.reason).toBe(
      "1 of 1 fail-to-pass test does not pass: t.py::a; 1 of 1 pass-to-pass test is broken (1 of them matches no test that ran): t.py::b",
    );
  });

  test("says why tests are missing when their file does not load", () => {
    const broken = run({ "": "errored" });
    const failure = { type: "ImportError", message: "no module x\nfor y", frames: [], text: "" };
    const outcomes = broken.outcomes.map((outcome) => ({ ...outcome, failure }));
    const { reason } = gradeRun({ ...broken, outcomes }, { ...lists, passToPass: [] });
    expect(reason).toBe(
      "1 of 1 fail-to-pass test does not pass (1 of them matches no test that ran): t.py::a; t.py does not load: ImportError: no module x",
    );
  });

  test("a run that cannot be trusted resolves nothing, whatever it reports", () => {
    const good = { a: "passed", b: "passed" } as const;
    const invalid = gradeRun(run(good, { invalid: "exit code 1, and no test failed" }), lists);
    expect(invalid).toMatchObject({
      outcome: "unresolved",
      reason: expect.stringContaining("cannot be trusted"),
    });
    expect(gradeRun(run(good, { end: "timed-out" }), lists).reason).toBe("the tests reached the time limit");
    expect(gradeRun(run(good, { end: "out-of-memory" }), lists).outcome).toBe("unresolved");
  });

  test("flaky tests count for nothing, and without a fail-to-pass test nothing is resolved", () => {
    const flakyRest = { ...lists, flaky: ["t.py::b"] };
    expect(gradeRun(run({ a: "passed", b: "failed" }), flakyRest).outcome).toBe("resolved");
    const flakyAll = { ...lists, flaky: ["t.py::a"] };
    expect(gradeRun(run({ a: "passed", b: "passed" }), flakyAll)).toMatchObject({
      outcome: "unresolved",
      reason: expect.stringContaining("no fail-to-pass test is left"),
    });
  });
});
