import { expect, test } from "vitest";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { divideBase, divideCandidate, dividedIn } from "./divide.ts";

const all = { kind: "all" as const };
const part = { files: ["a", "b"], of: 100, why: "first" as const };

test("several processes run only suites that take long", () => {
  expect(divideBase({ durationMs: 100, part })).toBeUndefined();
  expect(divideBase({ durationMs: 1_000, part })).toEqual({ times: {} });
  expect(divideBase({ durationMs: 1_000, part: { ...part, files: [], isCut: true } })).toEqual({ times: {} });
  expect(divideBase({ durationMs: 1_000 })).toBeUndefined();
});

test("the times of an earlier run decide too, and make the parts equally long", () => {
  const times = new Map([["a", 30_000]]);
  expect(divideBase({ durationMs: 100, part }, times)).toEqual({ times: { a: 30_000 } });
  expect(divideBase({ durationMs: 100, part }, times, true)).toBeUndefined();
});

test("a candidate's tests run as the base's did", () => {
  const outcomes: TestOutcome[] = ["it", "that"].map((name) => ({
    ...{ key: { package: "", target: "a", name }, status: "passed", durationMs: 20_000 },
  }));
  const suite = { outcomes, durationMs: 40_000 };
  expect(divideCandidate({ ...suite, isDivided: true }, all)).toEqual({ times: { a: 40_000 } });
  for (const isDivided of [false, undefined])
    expect(divideCandidate({ ...suite, isDivided }, all)).toBeUndefined();
  expect(divideCandidate({ ...suite, isDivided: true, durationMs: 5_000 }, all)).toBeUndefined();
});

test("several processes also run named tests and files that take long", () => {
  const outcomeOf = (target: string, name: string, durationMs: number): TestOutcome => ({
    ...{ key: { package: "", target, name }, status: "passed", durationMs },
  });
  const outcomes = [
    outcomeOf("a", "it", 15_000),
    outcomeOf("b", "it", 15_000),
    outcomeOf("b", "that", 1_000),
  ];
  const suite = { outcomes, durationMs: 31_000, isDivided: true };
  const tests = outcomes.slice(0, 2).map(({ key }) => key);
  expect(divideCandidate(suite, { kind: "tests", tests })).toEqual({ times: { a: 15_000, b: 15_000 } });
  expect(divideCandidate(suite, { kind: "files", files: ["a", "b"] })).toEqual({
    times: { a: 15_000, b: 16_000 },
  });
  expect(divideCandidate(suite, { kind: "tests", tests: tests.slice(1) })).toBeUndefined();
  expect(divideCandidate({ ...suite, isDivided: false }, { kind: "tests", tests })).toBeUndefined();
});

test("a test that fails only beside other processes ends the use of several", () => {
  const run = {
    report: { outcomes: [], coverage: new Map(), invalid: undefined },
    ...{ end: "exited" as const, exitCode: 0, durationMs: 1, output: "" },
  };
  expect(dividedIn(run)).toEqual({});
  expect(dividedIn({ ...run, isDivided: true })).toEqual({ isDivided: true });
  expect(dividedIn({ ...run, isDivided: true, onlyTogether: ["a::it"] })).toEqual({ isDivided: false });
  expect(dividedIn({ ...run, isDivided: false })).toEqual({ isDivided: false });
});
