import { expect, test } from "vitest";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { divideBase, divideCandidate, dividedIn } from "./divide.ts";

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
  expect(divideCandidate({ ...suite, isDivided: true })).toEqual({ times: { a: 40_000 } });
  for (const isDivided of [false, undefined])
    expect(divideCandidate({ ...suite, isDivided })).toBeUndefined();
  expect(divideCandidate({ ...suite, isDivided: true, durationMs: 5_000 })).toBeUndefined();
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
