import { expect, test } from "vitest";
import { findStatus, ranOutOfTime, statusFinder, type TestOutcome } from "./test-outcome.ts";

const outcome = (target: string, name: string, status: TestOutcome["status"]): TestOutcome => ({
  key: { package: "", target, name },
  status,
  durationMs: 1,
});

test("a whole target has passed once a test of it is reported and its own failure is not", () => {
  const outcomes = [outcome("a", "x", "failed"), outcome("b", "y", "not-run"), outcome("c", "", "errored")];
  const whole = (target: string) => ({ package: "", target, name: "" });
  expect(["a", "b", "c", "d"].map((target) => findStatus(outcomes, whole(target)))).toEqual([
    "passed",
    "not-run",
    "errored",
    "not-run",
  ]);
  expect(findStatus(outcomes, { package: "", target: "a", name: "z" })).toBe("not-run");
  // Where some of its tests are asked by name, a file that cannot be built is an error of each.
  const unbuilt = [outcome("e", "x", "errored"), outcome("e", "y", "not-run")];
  expect(findStatus(unbuilt, whole("e"))).toBe("errored");
  expect(findStatus([...unbuilt, outcome("e", "w", "failed")], whole("e"))).toBe("passed");
});

test("a run of which thousands of tests are asked is read once", () => {
  const outcomes = Array.from({ length: 5_000 }, (_, at) => outcome("a", `test_${at}`, "failed"));
  let reads = 0;
  const counted = outcomes.map((each) => ({
    ...each,
    get key() {
      reads++;
      return each.key;
    },
  }));
  const statusOf = statusFinder(counted);
  expect(outcomes.every(({ key }) => statusOf(key) === "failed")).toBe(true);
  expect(reads).toBe(outcomes.length);
});

test("a test that a limit of its own ended ran out of time, one that only speaks of a limit did not", () => {
  const failing = (durationMs: number, type: string, message: string): TestOutcome => {
    const failure = { type, message, frames: [], text: "" };
    return { ...outcome("a", "x", "failed"), durationMs, failure };
  };
  expect(ranOutOfTime(outcome("a", "x", "timed-out"))).toBe(true);
  expect(
    ranOutOfTime(failing(3_000, "TestTimedOutException", "test timed out after 3000 milliseconds")),
  ).toBe(true);
  expect(ranOutOfTime(failing(3_000, "Failed", "Timeout >3.0s"))).toBe(true);
  expect(ranOutOfTime(failing(3_000, "AssertionError", "expected 3 to be 4"))).toBe(false);
  expect(ranOutOfTime(failing(5, "AssertionError", "expected timeout to be 4"))).toBe(false);
  expect(ranOutOfTime({ ...outcome("a", "x", "passed"), durationMs: 3_000 })).toBe(false);
});
