import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { succeed } from "../../base/result.ts";
import type { TestOutcome, TestStatus } from "../../domain/test-outcome.ts";
import type { ActionContext } from "../action.ts";
import { emptyState, type TaskState } from "../state/task-state.ts";
import { judgeAdded } from "./added-tests.ts";

const outcome = (name: string, status: TestStatus = "passed"): TestOutcome => ({
  key: { package: "", target: "tests/test_a.py", name },
  status,
  durationMs: 1,
});

/** The runs of the tests end with these results in order; no further run may start. */
function contextOf(...runs: (readonly TestOutcome[])[]): { context: ActionContext; asked: string[][] } {
  return contextWith(undefined, ...runs);
}

function contextWith(invalid: string | undefined, ...runs: (readonly TestOutcome[])[]) {
  const asked: string[][] = [];
  const context = partOf<ActionContext>({
    suite: { outcomes: [outcome("test_old")], durationMs: 1, command: { framework: "pytest" } },
    limits: { remainingMs: () => Number.POSITIVE_INFINITY },
    recorder: { has: () => false, step: (_, execute) => execute() },
    workspace: { base: "base", trees: { compose: async () => succeed("composed") } },
    frameworks: [],
    executor: {
      run: async (_, { selection }) => {
        asked.push(selection.kind === "tests" ? selection.tests.map(({ name }) => name) : []);
        return { report: { outcomes: runs[asked.length - 1] ?? [], invalid }, end: "exited" };
      },
    },
  });
  return { context, asked };
}

const state: TaskState = {
  ...emptyState,
  fault: {
    targets: [outcome("test_old").key, outcome("test_shows").key],
    heldBack: [],
    guards: [outcome("test_guard")],
    baseRuns: [],
    reason: { holds: true, evidence: "" },
  },
};
const candidate = (kind: "code" | "test") => ({ id: "c1", tree: "tree", kind, origin: "" });

test("of code, what a review added has to pass: tests that show what is asked for, and guards", async () => {
  const good = contextOf([outcome("test_shows"), outcome("test_guard")]);
  expect(await judgeAdded(good.context, state, candidate("code"))).toEqual([
    { predicate: "added-tests-pass", holds: true, evidence: "2 tests that the run added pass" },
  ]);
  expect(good.asked).toEqual([["test_shows", "test_guard"]]);
  const bad = contextOf(
    [outcome("test_shows"), outcome("test_guard", "failed")],
    [outcome("test_guard", "failed")],
  );
  const [broken] = await judgeAdded(bad.context, state, candidate("code"));
  expect([broken?.holds, broken?.evidence]).toEqual([
    false,
    "1 of 2 tests that the run added does not pass: tests/test_a.py::test_guard",
  ]);
});

test("of tests the guards alone, a flaky one speaks against nobody, and where nothing was added nothing is asked", async () => {
  const flaky = contextOf([outcome("test_guard", "failed")], [outcome("test_guard")]);
  const [held] = await judgeAdded(flaky.context, state, candidate("test"));
  expect(held?.holds).toBe(true);
  expect(flaky.asked).toEqual([["test_guard"], ["test_guard"]]);
  expect(await judgeAdded(contextOf().context, emptyState, candidate("code"))).toEqual([]);
});

test("a report that cannot be trusted shows of no test that it passes", async () => {
  const all = [outcome("test_shows"), outcome("test_guard")];
  const { context } = contextWith("its report was changed", all, all);
  const [untold] = await judgeAdded(context, state, candidate("code"));
  expect(untold?.holds).toBe(false);
});
