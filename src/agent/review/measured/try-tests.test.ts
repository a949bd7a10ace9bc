import { expect, test } from "vitest";
import type { TestOutcome } from "../../../domain/test-outcome.ts";
import { tellOthers } from "./try-tests.ts";

test("a reviewer learns why a failing test does not count", () => {
  const key = { package: "", target: "tests/test_fee.py", name: "test_fee" };
  const failure = { type: "AssertionError", message: "3 != 4", frames: [], text: "" };
  const stranger: TestOutcome = { key, status: "failed", durationMs: 1, failure };
  const doubts = ["- test_fee: the failure has no word of the statement", "- test_other: another"];
  const told = (status: TestOutcome["status"]) =>
    tellOthers({ written: { strangers: [stranger], doubts }, outcomes: [{ key, status, durationMs: 1 }] });
  expect(told("passed").join("\n")).toContain("test_fee: the failure has no word of the statement");
  expect(told("passed").join("\n")).not.toContain("another");
  expect(told("failed")).toEqual([]);
});
