import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import type { RunContext } from "../action.ts";
import { nameFailing, passEachTime } from "./passing-tests.ts";

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

test("a new test does not pass in a repeated run whose report cannot be trusted", async () => {
  const fresh = [outcome("tells", { status: "passed" })];
  const context = partOf<RunContext>({
    suite: { outcomes: [], durationMs: 1, command: { framework: "vitest" } },
    limits: { remainingMs: () => Number.POSITIVE_INFINITY },
    recorder: { has: () => false, step: (_, execute) => execute() },
    workspace: { base: "base" },
    executor: {
      run: async () => ({ report: { outcomes: fresh, invalid: "it was changed" }, end: "exited" }),
    },
  });
  const candidate = { id: "t1", tree: "tree", kind: "test" as const, origin: "" };
  const changed = { tests: [], code: [], inside: [] };
  const ran = { changed, fresh, outcomes: fresh, invalid: undefined, isWhole: false };
  expect(await passEachTime(context, candidate, ran)).toMatchObject({ holds: false });
});
