import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { succeed } from "../../base/result.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import type { JudgeContext } from "../action.ts";
import { forJudgement } from "../record/limits.ts";
import { emptyState, type MatrixRow, rowOf } from "../state/task-state.ts";
import { chooseMeasured, tellOpinions } from "./judge-work.ts";
import { measureNewest } from "./measure-newest.ts";

const unmet = ["failure-is-the-stated-one", "no-test-breaks"].map((predicate) => ({
  predicate,
  holds: false,
  evidence: "",
}));

test("an author is asked only for opinions that can count", () => {
  const broken = ["tests/a.py::test_total"];
  expect(tellOpinions(unmet, { delivers: "code", broken, isExplained: false })).toHaveLength(2);
  expect(tellOpinions(unmet, { delivers: "code", broken: [], isExplained: false })).toEqual([
    expect.stringContaining("`because`"),
  ]);
  // New tests alone have no patch that a review could compare with the statement.
  expect(tellOpinions(unmet, { delivers: "test", broken: [], isExplained: false })).toEqual([]);
});

/** An attempt that was measured before, and an own patch without results; only the reserve is left. */
function lateWork() {
  const outcomeOf = (status: "passed" | "failed", name = "shows"): TestOutcome => ({
    key: { package: "", target: "tests/test_a.py", name },
    ...{ status, durationMs: 1 },
  });
  const [failed, passed, old] = [outcomeOf("failed"), outcomeOf("passed"), outcomeOf("passed", "old")];
  const given = { id: "c1", tree: "attempt", kind: "code" as const, origin: "the given attempt" };
  const own = { id: "c2", tree: "own", kind: "code" as const, origin: "mended" };
  const row = { candidate: "c1", outcomes: [failed, old], targets: [failed], broken: [], score: [0, 0] };
  const fault = { targets: [failed.key], heldBack: [], baseRuns: [], reason: { holds: true, evidence: "" } };
  const state = { ...emptyState, candidates: [given, own], fault, rows: [partOf<MatrixRow>(row)] };
  const context = partOf<JudgeContext>({
    suite: { outcomes: [old], durationMs: 1, command: { framework: "pytest" } },
    limits: { remainingMs: () => 0, full: { remainingMs: () => 60_000 } },
    task: { kind: "partial-fix", statement: "" },
    recorder: { events: [], append() {}, has: () => false, step: (_, execute) => execute() },
    baseSuite: { whole: async () => {} },
    workspace: {
      base: "base",
      trees: {
        compose: async (_, candidates) => succeed(candidates[0]?.tree ?? ""),
        list: async () => [],
      },
    },
    frameworks: [],
    executor: {
      run: async (_, { timeoutMs }) => ({
        report: { outcomes: timeoutMs > 10_000 ? [passed, old] : [], invalid: undefined },
        end: timeoutMs > 10_000 ? "exited" : "timed-out",
      }),
    },
  });
  return { context, state, own };
}

test("at the end of the time, the reserve decides between the own patch and an attempt that was measured before", async () => {
  const { context, state, own } = lateWork();
  expect((await chooseMeasured(context, state)).best).toBe(own);
});

test("the newest of several candidates is measured if a limit ended the work before", async () => {
  const { context, state, own } = lateWork();
  const [given] = state.candidates;
  const late = forJudgement(context);
  const measured = await measureNewest(late, state);
  expect(rowOf(measured, own.id)?.score[0]).toBe(1);
  expect(await measureNewest(late, measured)).toBe(measured);
  const alone = { ...state, candidates: given === undefined ? [] : [given] };
  expect(await measureNewest(late, alone)).toBe(alone);
});
