import { expect, test } from "vitest";
import { partOf } from "../../../../tests/part-of.ts";
import type { TestOutcome } from "../../../domain/test-outcome.ts";
import { findBroken, tellOthers } from "./try-tests.ts";

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

/** The result of a guard that failed with the patch once. `second`: its second run with the patch. */
async function breaks(second: TestOutcome["status"], end: "exited" | "timed-out", invalid?: string) {
  const guard: TestOutcome = {
    key: { package: "", target: "tests/test_fee.py", name: "test_guard" },
    ...{ status: "passed", durationMs: 1 },
  };
  const context = partOf<Parameters<typeof findBroken>[0]>({
    suite: { command: { framework: "pytest", command: "pytest" }, outcomes: [], durationMs: 1 },
    limits: { remainingMs: () => 60_000 },
    recorder: {
      has: () => false,
      step: async (_options: unknown, execute: (last: unknown) => unknown) => execute(undefined),
    } as never,
    workspace: { base: "base" },
    executor: {
      run: async (_, { tree }) => {
        const isPatched = tree === "patched";
        const outcomes = [{ ...guard, status: isPatched ? second : ("passed" as const) }];
        const report = { outcomes, ...(isPatched && invalid !== undefined && { invalid }) };
        return { end: isPatched ? end : "exited", report };
      },
    },
  });
  const runs = { tree: "tree", patched: "patched", outcomes: [{ ...guard, status: "failed" as const }] };
  const { broken, unsteady } = await findBroken(context, [guard], runs);
  return [broken.length, unsteady.length];
}

test("a guard that has no answer with the patch refutes nothing, and stays a guard", async () => {
  expect(await breaks("failed", "exited")).toEqual([1, 0]);
  expect(await breaks("not-run", "exited")).toEqual([1, 0]);
  expect(await breaks("passed", "exited")).toEqual([0, 1]);
  expect(await breaks("not-run", "timed-out")).toEqual([0, 0]);
  expect(await breaks("failed", "exited", "the report is incomplete")).toEqual([0, 0]);
});
