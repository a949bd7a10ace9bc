import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { ActionContext } from "../../agent/action.ts";
import { leftOpenOf } from "../../agent/state/left-open.ts";
import type { StandaloneProgram } from "../../agent/state/standalone-program.ts";
import {
  compareScores,
  emptyState,
  type MatrixRow,
  type Review,
  type TaskState,
} from "../../agent/state/task-state.ts";
import type { StrategyEnd } from "../../agent/strategy.ts";
import type { Arm } from "./arms.ts";
import { scoreReview } from "./choose.ts";
import { finalState } from "./final-state.ts";
import { type ArmRun, takeOver } from "./run-arms.ts";

const candidateOf = (id: string, tree = id, parent?: string) => ({
  ...{ id, tree, kind: id.startsWith("r") ? ("reproduction" as const) : ("code" as const), origin: "" },
  ...(parent === undefined ? {} : { parent }),
});
const runOf = (id: string, state: Partial<TaskState>): ArmRun =>
  takeOver(partOf<Arm>({ id }), partOf<StrategyEnd>({ state: { ...emptyState, ...state } }));
const programOf = (command: string) => partOf<StandaloneProgram>({ command });
const texts: Readonly<Record<string, string>> = { base: "a = 1\n", c1: "a = 2\n", c2: "a = 2  # two\n" };
const context = partOf<Pick<ActionContext, "task" | "workspace">>({
  task: { kind: "repair" },
  workspace: {
    base: "base",
    trees: {
      stat: async () => [{ path: "a.py", added: 1, removed: 1 }],
      read: async (tree) => Buffer.from(texts[tree] ?? ""),
    },
  },
});
const chosenOf = (of: ArmRun, id: string, reviewed?: TaskState) => {
  const candidate = of.candidates.find((each) => each.id === id);
  if (candidate === undefined) throw new Error("no such candidate");
  const judged = { candidate, of, row: partOf<MatrixRow>({}), passing: 0, tests: 0 };
  return { judged, because: "", ...(reviewed === undefined ? {} : { reviewed }) };
};
const fault = {
  ...{ targets: [], heldBack: [], baseRuns: [], reason: { holds: true, evidence: "" } },
};
const refusal: Review = { candidate: "c1", isApproved: false, verdict: "not approved: no", findings: [] };

test("what an arm says about its candidate counts for the chosen candidate, whichever arm's tests judge it", async () => {
  const tested = runOf("1", {
    fault,
    candidates: [candidateOf("c1"), candidateOf("r1")],
    leftOpen: [{ parts: ["of the other arm"] }],
    programs: [programOf("sh one")],
  });
  const own = runOf("2", {
    candidates: [candidateOf("c1"), candidateOf("c2", "c2", "c1")],
    reviews: [refusal],
    leftOpen: [{ candidate: "c1", parts: ["undone"] }],
    saysWrong: [{ test: "t", because: "" }],
    programs: [programOf("sh two")],
    ending: { form: "unverifiable", candidate: "c2", reason: "" },
  });
  const state = await finalState(context, [tested, own], [], chosenOf(own, "2.c2"));
  expect(state.fault).toBe(fault);
  expect(state.candidates.map(({ id }) => id)).toEqual(["2.c1", "1.r1", "2.c2"]);
  expect(leftOpenOf(state, "2.c2")).toEqual(["undone"]);
  expect(state.reviews).toEqual([{ ...refusal, candidate: "2.c1" }]);
  expect(state.saysWrong).toHaveLength(1);
  expect(state.programs?.map(({ command }) => command)).toEqual(["sh one", "sh two"]);
  expect(state.ending).toMatchObject({ form: "unverifiable", candidate: "2.c2" });
  const other = await finalState(context, [tested, own], [], chosenOf(own, "2.c1"));
  expect(other.ending).toBeUndefined();
});

test("an arm that found nothing to change takes no other arm's patch away", async () => {
  const idle = runOf("1", { fault, ending: { form: "nothing-to-change", evidence: "done" } });
  const own = runOf("2", { candidates: [candidateOf("c1")] });
  const state = await finalState(context, [idle, own], [], chosenOf(own, "2.c1"));
  expect(state.ending).toBeUndefined();
  expect(state.fault).toBe(fault);
});

test("the review that decided between equal candidates counts in the verdict, and a refusal more than doubts", async () => {
  const own = runOf("1", { candidates: [candidateOf("c1")] });
  const found = (weight: "objection" | "doubt") => ({ check: "x", weight, text: "" });
  const reviewed = {
    ...{ ...emptyState, candidates: own.candidates },
    reviews: [{ candidate: "1.c1", findings: [found("objection")] }],
  };
  const chosen = chosenOf(own, "1.c1", reviewed);
  expect((await finalState(context, [own], [], chosen)).reviews).toBe(reviewed.reviews);
  const { candidate } = chosen.judged;
  const scoreOf = (...findings: Review["findings"]) =>
    scoreReview({ ...reviewed, reviews: [{ candidate: candidate.id, findings }] }, candidate);
  const doubts = scoreOf(found("doubt"), found("doubt"));
  expect(compareScores(scoreOf(found("objection")), doubts)).toBeLessThan(0);
});
