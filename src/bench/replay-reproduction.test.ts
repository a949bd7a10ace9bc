import { expect, test } from "vitest";
import type { TestStatus } from "../domain/test-outcome.ts";
import type { CommandEnd } from "../sandbox/contract.ts";
import { judgeProgram, judgeTests } from "./replay-reproduction.ts";

const ended = ([exitCode, stdout]: readonly [number, string]) => {
  return { end: "exited", exitCode, stdout, stderr: "" } as const;
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

const traceback = (line: number) => `File "/r/a.py", line ${line}, in pay\nValueError: x`;
const endless = { end: "timed-out", exitCode: null, stdout: "", stderr: "" } as const;
const broken = (line: number) => ended([1, `SyntaxError: x\n  file:///r/a.js:${line}:1`]);
test.each([
  ["fails alike on moved lines", ended([1, traceback(40)]), ended([1, traceback(42)]), "irrelevant"],
  ["does not parse, and says where differently", broken(3), ended([1, "SyntaxError: y"]), "does not compile"],
  ["never ends with the fix", ended([0, "a"]), endless, "irrelevant"],
  ["never ends only on the base", endless, ended([0, "a"]), "valid"],
  ["never ends on the base, and fails with the fix", endless, ended([1, "a"]), "irrelevant"],
  ["never ends", endless, endless, "irrelevant"],
  ["fails with another exception", ended([1, traceback(40)]), ended([1, "KeyError: x"]), "valid"],
  ["lacks a module only on the base", ended([1, missing]), ended([1, "ValueError: x"]), "valid"],
] as const)("a program that %s", (_, first, fixed, validity) => {
  expect(judgeProgram("command", { first, again: first, fixed }, true).validity).toBe(validity);
});

const key = { package: "", target: "a.py", name: "test_a" };
const runOf = (status?: TestStatus, end: CommandEnd = "exited") => ({
  ...{ outcomes: status === undefined ? [] : [{ key, status, durationMs: 1 }], invalid: undefined, end },
});
test.each([
  ["fail only on the base", runOf("failed"), runOf("passed"), "valid"],
  ["fail everywhere", runOf("failed"), runOf("failed"), "irrelevant"],
  ["pass everywhere", runOf("passed"), runOf("passed"), "irrelevant"],
  ["reach the time limit on the base", runOf(undefined, "timed-out"), runOf("passed"), "not replayed"],
  ["reach the memory limit with the fix", runOf("failed"), runOf(undefined, "out-of-memory"), "not replayed"],
  ["report nothing", runOf(), runOf(), "not replayed"],
] as const)("tests that %s", (_, first, fixed, validity) => {
  expect(judgeTests({ first, again: first, fixed }, true).validity).toBe(validity);
});

test("without a known fix, failing tests are not measured", () => {
  const one = runOf("failed");
  expect(judgeTests({ first: one, again: one, fixed: one }, false)).toMatchObject({
    ...{ validity: "not replayed", outputs: [{ on: "base" }] },
  });
});

test("a crash that the fix turns into another failure is a difference", () => {
  const first = { ...ended([139, ""]), end: "signalled" } as const;
  expect(judgeProgram("command", { first, again: first, fixed: ended([1, "a"]) }, true).validity).toBe(
    "valid",
  );
});
