import { expect, test } from "vitest";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { changedInput } from "../../judging/probe-calls.ts";
import { judgeDisturbed, judgeEffects } from "./judge-effects.ts";

const outcome = (message?: string, type = "AssertionError"): TestOutcome => {
  const key = { package: "", target: "tests/test_a.py", name: "test_a" };
  if (message === undefined) return { key, status: "passed", durationMs: 1 };
  return { key, status: "failed", durationMs: 1, failure: { type, message, frames: [], text: "" } };
};
const plainly = {
  name: "get",
  isMethod: false,
  type: "",
  hasParameters: true,
  mayKeepState: false,
  mayChangeInput: false,
};
const base = { plain: outcome("1 != 2"), probed: outcome("1 != 2") };
const judge = (patched?: TestOutcome, own = plainly, without = base) =>
  judgeEffects("tests/test_a.py::test_a", [own], {
    patched: { plain: outcome(), probed: patched },
    without,
  }).map(({ text, isDoubt }) => [isDoubt, text]);

test("a second call with another result, and a changed input, are effects", () => {
  expect(judge(outcome("3 != 2"))).toEqual([[false, expect.stringContaining("runs twice")]]);
  const shown = {
    plain: outcome("assert 1 == 2\n +  where 1 = get(3)"),
    probed: outcome("assert 1 == 2\n +  where 1 = <function>(1, 1)"),
  };
  expect(judge(outcome("3 != 2"), plainly, shown)).toHaveLength(1);
  expect(judge(outcome(changedInput, "Error"))).toEqual([[false, expect.stringContaining("changes a list")]]);
});

test("a function that may have the effect, or an error of the base, leave only a doubt", () => {
  expect(judge(outcome("3 != 2"), { ...plainly, mayKeepState: true })).toEqual([[true, expect.anything()]]);
  expect(judge(outcome(changedInput), { ...plainly, mayChangeInput: true })).toEqual([
    [true, expect.anything()],
  ]);
  const broken = { plain: outcome("x", "KeyError"), probed: outcome("x", "KeyError") };
  expect(judge(outcome("3 != 2"), plainly, broken)).toEqual([[true, expect.anything()]]);
});

test("a passing test, an error of another kind, and an effect that the base has are none", () => {
  expect(judge(outcome())).toEqual([]);
  expect(judge()).toEqual([]);
  expect(judge(outcome("it exists", "KeyError"))).toEqual([]);
  expect(judge(outcome("3 != 2"), plainly, { ...base, probed: outcome(changedInput) })).toEqual([]);
});

test("a further call of a changed method must not break a passing test", () => {
  const disturb = (mayKeepState: boolean, without = { plain: outcome(), probed: outcome() }) =>
    judgeDisturbed("tests/test_a.py::test_a", [{ name: "median", mayKeepState }], {
      patched: { plain: outcome(), probed: outcome("1 != 2") },
      without,
    }).map(({ isDoubt }) => isDoubt);
  expect(disturb(false)).toEqual([false]);
  expect(disturb(true)).toEqual([true]);
  expect(disturb(false, { plain: outcome(), probed: outcome("1 != 2") })).toEqual([]);
});
