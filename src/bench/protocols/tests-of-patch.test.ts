import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { OpenTask } from "../open-task.ts";
import type { TestPlan, TimedRun } from "../task-tests.ts";
import { isSame } from "./tests-of-patch.ts";

const key = { package: "", target: "tests/test_new.py", name: "new" };
const cut = partOf<TimedRun>({ end: "timed-out", outcomes: [] });
const passed = partOf<TimedRun>({ end: "exited", outcomes: [{ key, status: "passed", durationMs: 1 }] });

/** Repeats the test with the fix. */
function again(...runs: readonly TimedRun[]) {
  const left = [...runs];
  const open = partOf<OpenTask>({
    checkouts: { open: async () => ({}), leave: async () => {} },
    run: async () => left.shift() ?? cut,
  });
  return isSame(open, partOf<TestPlan>({}), { tree: "tree", tests: [key], wanted: "passes" });
}

test("a repeated run that reaches a limit counts only if it does so again", async () => {
  expect(await again(cut, passed)).toBe(true);
  expect(await again(cut, cut)).toBe(false);
});
