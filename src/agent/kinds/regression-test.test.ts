import { expect, test } from "vitest";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { failsTwice, weighReasons } from "./regression-test.ts";

const outcome = (name: string): TestOutcome => ({
  key: { package: "", target: "tests/test_whole.py", name },
  status: "failed",
  durationMs: 1,
});
const isCode = (file: string): boolean => file.startsWith("src/");
const matched = (name: string, matches: boolean) => ({
  outcome: outcome(name),
  match: {
    matches,
    isStrong: matches,
    evidence: matches ? "InsufficientFunds" : "the statement names nothing in the failure",
  },
});

test("beside a test that fails for the stated reason, others hold only where a fix makes all pass", () => {
  const both = [matched("test_whole", true), matched("test_typo", false)];
  const without = weighReasons(both, { isFixed: false, isCode });
  expect(without.predicate.holds).toBe(false);
  expect(without.predicate.evidence).toMatch(
    /^1 of 2 failing new tests fails as the statement says; .*1 other fails for another reason, and no fix shows that it would pass: write a fix, or remove the test$/,
  );
  expect(without.others).toEqual([
    "tests/test_whole.py::test_typo: the statement names nothing in the failure",
  ]);
  const fixed = weighReasons(both, { isFixed: true, isCode });
  expect(fixed.predicate.holds).toBe(true);
  expect(fixed.predicate.evidence).toContain("1 other fails for another reason, and passes with the fix");
  expect(weighReasons([matched("test_whole", true)], { isFixed: false, isCode }).predicate.holds).toBe(true);
  expect(weighReasons([matched("test_typo", false)], { isFixed: true, isCode }).predicate.holds).toBe(false);
  expect(weighReasons([], { isFixed: true, isCode }).predicate.holds).toBe(false);
});

test("a test that fails with the same error at the same place of the code fails for the same reason", () => {
  const failing = (name: string, matches: boolean, message: string, file = "src/account.py") => {
    const { outcome: plain, match } = matched(name, matches);
    const failure = { type: "TypeError", message, frames: [{ file, line: 95 }], text: "" };
    return { outcome: { ...plain, failure }, match };
  };
  const shown = failing("test_whole", true, "No '__dict__' on None");
  const like = failing("test_members", false, "No '__dict__' on None");
  expect(weighReasons([shown, like], { isFixed: false, isCode }).predicate.evidence).toMatch(
    /^2 of 2 failing new tests fail as the statement says/,
  );
  for (const unlike of [
    failing("test_typo", false, "another message"),
    failing("test_typo", false, "No '__dict__' on None", "src/other.py"),
  ])
    expect(weighReasons([shown, unlike], { isFixed: false, isCode }).predicate.holds).toBe(false);
  // An error that the test itself raises is not the code's.
  for (const file of ["tests/test_whole.py", "/usr/lib/python3/unittest/case.py"]) {
    const own = ["test_one", "test_other"].map((name, at) => failing(name, at === 0, "same", file));
    expect(weighReasons(own, { isFixed: false, isCode }).predicate.holds).toBe(false);
  }
});

test("a new test that fails only now and then is to be taken out", () => {
  const [one, other] = [outcome("test_whole"), outcome("test_now_and_then")];
  const fresh = [one, other];
  expect(failsTwice({ fresh, invalid: undefined }, fresh, fresh).holds).toBe(true);
  const flaky = failsTwice({ fresh, invalid: undefined }, fresh, [one]);
  expect([flaky.holds, flaky.evidence]).toEqual([
    false,
    "1 of 2 new tests fails without a fix, in each of two runs; remove the flaky tests, which did not fail the second time: tests/test_whole.py::test_now_and_then",
  ]);
});
