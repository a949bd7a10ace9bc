import { describe, expect, test } from "vitest";
import type { TestOutcome, TestStatus } from "../../domain/test-outcome.ts";
import { findRegressions } from "../measure/regressions.ts";
import { describeBroken } from "./broken-tests.ts";

function outcome(name: string, status: TestStatus = "passed", target = "test_zone.py"): TestOutcome {
  return { key: { package: "", target, name }, status, durationMs: 1 };
}

const base = ["A::first", "A::second", "B::third"].map((name) => outcome(name));

function tell(...candidate: TestOutcome[]): string {
  return describeBroken(findRegressions(base, candidate), base, candidate);
}

describe("what became of tests that passed before", () => {
  test.each<[string, TestOutcome[], string]>([
    [
      "failing and removed apart",
      [outcome("A::first", "failed"), outcome("B::third")],
      "1 fails: test_zone.py::A::first; 1 was removed: test_zone.py::A::second",
    ],
    [
      "renamed in its group",
      [outcome("A::first"), outcome("A::second_again"), outcome("B::third")],
      "1 was renamed: test_zone.py::A::second is now test_zone.py::A::second_again",
    ],
    [
      "moved to another file",
      [outcome("A::first"), outcome("A::second"), outcome("B::third", "passed", "test_moved.py")],
      "1 was renamed: test_zone.py::B::third is now test_moved.py::B::third",
    ],
    [
      "a tear-down that fails after passing tests",
      [...base, outcome("", "errored")],
      "1 fails outside any test: test_zone.py::",
    ],
    [
      "a new test that fails replaces none",
      [outcome("A::first"), outcome("A::new", "failed"), outcome("B::third")],
      "1 was removed: test_zone.py::A::second",
    ],
    [
      "two removed and one new: nobody knows which became it",
      [outcome("A::new"), outcome("B::third")],
      "2 were removed: test_zone.py::A::first, test_zone.py::A::second",
    ],
    [
      "a file that does not load",
      [outcome("", "errored")],
      "3 do not load: test_zone.py::A::first, test_zone.py::A::second, test_zone.py::B::third",
    ],
    [
      "skipped, and never come to",
      [outcome("A::first", "skipped"), outcome("A::second", "not-run"), outcome("B::third")],
      "1 is skipped: test_zone.py::A::first; 1 did not run: test_zone.py::A::second",
    ],
  ])("%s", (_, candidate, expected) => {
    expect(tell(...candidate)).toBe(expected);
  });
});
