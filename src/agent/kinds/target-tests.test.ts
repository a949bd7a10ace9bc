import { expect, test } from "vitest";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { failsAnew } from "./target-tests.ts";

const failing = (message: string, type = "AssertionError"): TestOutcome => ({
  key: { package: "", target: "test_fee.py", name: "test_fee" },
  ...{ status: "failed", durationMs: 1 },
  failure: { type, message, frames: [], text: "" },
});
const isAnew = (before: TestOutcome, after: TestOutcome): boolean =>
  failsAnew(after, new Map([["test_fee.py::test_fee", before]]));

test("a test that fails as on the base says nothing about the target, unless the target still returns nothing", () => {
  expect(isAnew(failing("assert None == 15"), failing("assert 14 == 15"))).toBe(true);
  expect(isAnew(failing("no route to host", "OSError"), failing("no route to host", "OSError"))).toBe(false);
  expect(isAnew(failing("assert None == 15"), failing("assert None == 15"))).toBe(true);
  expect(isAnew(failing("", "NotImplementedError"), failing("", "NotImplementedError"))).toBe(true);
  expect(isAnew(failing("expected undefined to be 15"), failing("expected undefined to be 15"))).toBe(true);
});
