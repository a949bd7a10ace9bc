import { expect, test } from "vitest";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { findBrokenTests } from "./code-generation.ts";

const passed = (name: string): TestOutcome => ({
  ...{ key: { package: "", target: "codes_test.go", name }, status: "passed", durationMs: 1 },
});

test("the gate counts a lost test, although a new one passes under another number", () => {
  const base = [passed("TestCodes/404"), passed("TestCodes/500")];
  const row = { outcomes: [passed("TestCodes/405"), passed("TestCodes/500")] };
  expect(findBrokenTests(base, { fault: undefined }, row)).toEqual(["codes_test.go::TestCodes/404"]);
});
