import { expect, test } from "vitest";
import { judgeProgram } from "./replay-reproduction.ts";

const ended = ([exitCode, stdout]: readonly [number, string]) => {
  return { end: "exited", exitCode, stdout, stderr: "" };
};

const missing = "ModuleNotFoundError: No module named 'x'";
test.each([
  ["fails only on the base", [1, "AssertionError"], [1, "AssertionError"], [0, "ok"], "valid"],
  ["prints something else", [0, "False"], [0, "False"], [0, "True"], "valid"],
  ["prints durations", [0, "in 0.12s"], [0, "in 0.34s"], [0, "in 0.56s"], "irrelevant"],
  ["changes each time", [0, "a"], [0, "b"], [0, "c"], "irrelevant"],
  ["fails on the base by chance", [1, "a"], [0, "b"], [0, "b"], "irrelevant"],
  ["fails everywhere", [1, "AssertionError"], [1, "AssertionError"], [1, "AssertionError"], "irrelevant"],
  ["lacks a module", [1, missing], [1, missing], [1, missing], "dependency"],
  ["lacks a module, and another command succeeds", [0, missing], [0, missing], [0, missing], "dependency"],
  ["lacks a module that the fix adds", [1, missing], [1, missing], [0, "ok"], "valid"],
  ["does not parse", [1, "SyntaxError: x"], [1, "SyntaxError: x"], [1, "SyntaxError: x"], "does not compile"],
] as const)("a program that %s", (_, first, again, fixed, validity) => {
  const shown = { first: ended(first), again: ended(again), fixed: ended(fixed) };
  expect(judgeProgram("command", shown, true).validity).toBe(validity);
});

test("without a known fix nothing is measured, but the output on the base is kept", () => {
  const one = ended([1, "AssertionError"]);
  expect(judgeProgram("program", { first: one, again: one, fixed: one }, false)).toMatchObject({
    ...{ validity: "not replayed", outputs: [{ on: "base", text: "exit code 1\nAssertionError" }] },
  });
});
