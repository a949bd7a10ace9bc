import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { fail, succeed } from "../../base/result.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import type { JudgeContext } from "../action.ts";
import { emptyState, type MatrixRow, type TaskState } from "../state/task-state.ts";
import { reduceGiven } from "./reduce-hunks.ts";

const outcome = (name: string, isPassed = true): TestOutcome => ({
  key: { package: "", target: "tests/test_a.py", name },
  status: isPassed ? "passed" : "failed",
  durationMs: 1,
});

/** The trees by name, each with its lines. The first line is needed, the second is not. */
const texts: Readonly<Record<string, string>> = {
  base: "0\n0\n",
  attempt: "1\n1\n",
  less: "1\n0\n",
  wrong: "0\n1\n",
};
const hunk = (line: number): string => `--- a/a.py\n+++ b/a.py\n@@ -${line},1 +${line},1 @@\n-0\n+1\n`;

function contextOf(): JudgeContext {
  const isFixed = (tree: string): boolean => texts[tree]?.startsWith("1") === true;
  return partOf<JudgeContext>({
    suite: { outcomes: [outcome("old")], durationMs: 1, command: { framework: "pytest" } },
    ...{
      limits: { remainingMs: () => 1e9, exhausted: () => undefined },
      task: { kind: "partial-fix", statement: "" },
    },
    recorder: { events: [], append() {}, has: () => false, step: (_, execute) => execute() },
    baseSuite: { whole: async () => {} },
    regions: { isWhole: () => false, spansIn: async () => [] },
    workspace: {
      base: "base",
      trees: {
        list: async () => [{ path: "a.py" }],
        stat: async (from, to) => (from === to ? [] : [{ path: "a.py" }]),
        read: async (tree) => Buffer.from(texts[tree] ?? ""),
        diff: async () => `${hunk(1)}${hunk(2)}`,
        compose: async (_, candidates) => succeed(candidates[0]?.tree ?? ""),
        apply: async (tree, patch) => {
          if (tree !== "attempt") return fail("patch-rejected", "");
          return succeed(patch.includes("@@ -2") ? "less" : "wrong");
        },
      },
    },
    frameworks: [],
    executor: {
      judged: async (_, tree) => ({ tree, laid: [], changed: [] }),
      run: async (_, { tree }) => ({
        report: { outcomes: [outcome("old"), outcome("shows", isFixed(tree))], invalid: undefined },
        end: "exited",
      }),
    },
  });
}

test("hunks are judged by their own results, although the attempt has a row of all tests", async () => {
  const given = { id: "c1", tree: "attempt", kind: "code" as const, origin: "the given attempt" };
  const row: MatrixRow = {
    ...{ candidate: "c1", broken: [], invalid: undefined, score: [1, 0] },
    ...{ outcomes: [outcome("old"), outcome("shows")], targets: [outcome("shows")] },
  };
  const state: TaskState = {
    ...emptyState,
    candidates: [given],
    rows: [row],
    fault: {
      ...{ targets: [outcome("shows").key], heldBack: [], reason: { holds: true, evidence: "" } },
      baseRuns: [[outcome("shows", false)], [outcome("shows", false)]],
    },
  };
  const { best } = await reduceGiven(contextOf(), state, given);
  expect(best?.tree).toBe("less");
  const refused = { candidate: "c1", isApproved: false, findings: [] };
  const opposed = await reduceGiven(contextOf(), { ...state, reviews: [refused] }, given);
  expect(opposed.best).toBe(given);
  const needed = { ...contextOf(), workspace: { ...contextOf().workspace } };
  const trees = { ...needed.workspace.trees, diff: async () => hunk(1) };
  const kept = await reduceGiven({ ...needed, workspace: { ...needed.workspace, trees } }, state, given);
  expect(kept.best).toBe(given);
});

test("an attempt keeps its hunks if no test passes because of it", async () => {
  const given = { id: "c1", tree: "attempt", kind: "code" as const, origin: "the given attempt" };
  const state: TaskState = { ...emptyState, candidates: [given] };
  expect((await reduceGiven(contextOf(), state, given)).best).toBe(given);
  const key = outcome("also").key;
  const fault = {
    ...{ targets: [key], heldBack: [], reason: { holds: true, evidence: "" } },
    baseRuns: [[outcome("also", false)], [outcome("also", false)]],
  };
  expect((await reduceGiven(contextOf(), { ...state, fault }, given)).best).toBe(given);
});
