import { expect, test } from "vitest";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { nameFailing } from "./passing-tests.ts";

const outcome = (name: string, more: Partial<TestOutcome>): TestOutcome => ({
  key: { package: "", target: "test/debug.ts", name },
  status: "failed",
  durationMs: 1,
  ...more,
});

test("a new test that fails in a later run is named with the beginning of its failure", () => {
  const failure = { type: "TypeError", message: "it is undefined\nat line 3", frames: [], text: "" };
  expect(nameFailing([outcome("tells", { failure }), outcome("waits", { status: "not-run" })])).toBe(
    "test/debug.ts::tells (TypeError: it is undefined), test/debug.ts::waits (not-run)",
  );
});
