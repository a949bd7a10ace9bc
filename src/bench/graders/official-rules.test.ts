/** Rules that use more than lists: the official harness's verdicts on such runs, next to ours. */
import { describe, expect, test } from "vitest";
import type { TestOutcome, TestStatus } from "../../domain/test-outcome.ts";
import { compareSides } from "../protocols/transitions.ts";
import type { GradedRun, ListGrader } from "./contract.ts";
import repocod from "./repocod.ts";
import rustSweBench from "./rust-swe-bench.ts";

function runOf(framework: string, outcomes: readonly (readonly [string, string, TestStatus])[]): GradedRun {
  const all = outcomes.map(
    ([target, name, status]): TestOutcome => ({
      key: { package: "", target, name },
      status,
      durationMs: 0,
      failure: undefined,
    }),
  );
  return { framework, outcomes: all, invalid: undefined, end: "exited" };
}

const hidden = {
  ...{ goldPatch: "", testPatch: "", lists: undefined },
  tests: { command: undefined, files: [], limitMs: undefined },
};

/** The verdicts of the official rule and of ours. */
function judge(
  grader: ListGrader,
  run: GradedRun,
  failToPass: readonly string[],
  passToPass: readonly string[] = [],
) {
  const lists = { failToPass: [...failToPass], passToPass: [...passToPass], flaky: [] };
  const ours = grader.judgeOwn ?? grader.judge;
  return [grader.judge(run, lists, hidden).outcome, ours(run, lists, hidden).outcome];
}

describe("rust-swe-bench", () => {
  const cargo = (...outcomes: readonly (readonly [string, string, TestStatus])[]) =>
    runOf("cargo-test", outcomes);

  test.each<[string, GradedRun, readonly string[], readonly [string, string]]>([
    ["all pass", cargo(["src/lib.rs", "a", "passed"]), ["a"], ["resolved", "resolved"]],
    [
      "a target that does not compile has no tests",
      cargo(["tests/b.rs", "", "errored"]),
      ["a"],
      ["unresolved", "unresolved"],
    ],
    [
      "of two tests of one name the last counts there, both here",
      cargo(["tests/a.rs", "same", "failed"], ["tests/b.rs", "same", "passed"]),
      ["same"],
      ["resolved", "unresolved"],
    ],
    [
      "our key means the one test",
      cargo(["tests/a.rs", "same", "failed"], ["tests/b.rs", "same", "passed"]),
      ["tests/b.rs::same"],
      ["resolved", "resolved"],
    ],
    [
      "an ignored test is neither there, and no success here",
      cargo(["src/lib.rs", "a", "skipped"]),
      ["a"],
      ["resolved", "unresolved"],
    ],
  ])("%s", (_, run, ids, expected) => {
    expect(judge(rustSweBench, run, ids)).toEqual(expected);
    if (ids[0] !== "a") expect(judge(rustSweBench, run, [], ids)[0]).toBe(expected[0]);
  });
});

describe("repocod", () => {
  test.each<[TestStatus | undefined, readonly [string, string]]>([
    ["passed", ["resolved", "resolved"]],
    ["expected-failure", ["resolved", "resolved"]],
    ["skipped", ["resolved", "unresolved"]],
    ["failed", ["unresolved", "unresolved"]],
    [undefined, ["unresolved", "unresolved"]],
  ])("a listed test that is %s", (status, expected) => {
    const run = runOf("pytest", status === undefined ? [] : [["t.py", "one", status]]);
    expect(judge(repocod, run, ["t.py::one"])).toEqual(expected);
  });
});

test("swt-bench knows tests that pass, that fail, and that are not there", () => {
  const before = runOf("pytest", [
    ["t.py", "mended", "failed"],
    ["t.py", "loads", "errored"],
    ["t.py", "stays", "passed"],
    ["t.py", "breaks", "passed"],
    ["t.py", "gone", "passed"],
    ["t.py", "errs", "errored"],
    ["t.py", "never", "timed-out"],
  ]);
  const after = runOf("pytest", [
    ["t.py", "mended", "passed"],
    ["t.py", "loads", "passed"],
    ["t.py", "stays", "passed"],
    ["t.py", "breaks", "failed"],
    ["t.py", "errs", "errored"],
    ["t.py", "never", "failed"],
    ["t.py", "fresh", "failed"],
  ]);
  const { failToPass, passToPass, passToFail, failToFail } = compareSides(before, after);
  const names = (ids: ReadonlySet<string>): string[] => [...ids].map((id) => id.split("::")[1] ?? "").sort();
  expect(names(failToPass)).toEqual(["loads", "mended"]);
  expect(names(passToPass)).toEqual(["stays"]);
  expect(names(passToFail)).toEqual(["breaks", "gone"]);
  expect(names(failToFail)).toEqual(["fresh", "never"]);
});
