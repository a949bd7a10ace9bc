import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { JudgeContext } from "../../agent/action.ts";
import { emptyState } from "../../agent/state/task-state.ts";
import { fail } from "../../base/result.ts";
import { crossValidate, stateBeside } from "./cross-validate.ts";
import type { ArmRun } from "./run-arms.ts";

const candidateOf = (id: string, kind: "code" | "test") => ({ id, tree: id, kind, origin: "" });
const runOf = (...candidates: ArmRun["candidates"]) => partOf<ArmRun>({ state: emptyState, candidates });

test("a patch that conflicts with its own arm's tests stays a candidate, below all others", async () => {
  const context = partOf<JudgeContext>({
    task: { kind: "repair" },
    suite: { outcomes: [] },
    baseSuite: { whole: async () => {} },
    workspace: { base: "base", trees: { compose: async () => fail("conflict", "both write a.py") } },
  });
  const judged = await crossValidate(context, [runOf(candidateOf("1.c1", "code"))]);
  expect(judged.map(({ candidate, row }) => [candidate.id, row.invalid, row.score])).toEqual([
    ["1.c1", "both write a.py", []],
  ]);
});

test("tests are judged with the fixes of all arms, and with those of their own arm last", () => {
  const own = runOf(candidateOf("1.c1", "code"), candidateOf("1.t1", "test"));
  const other = runOf(candidateOf("2.c1", "code"));
  const task = partOf<JudgeContext["task"]>({ kind: "regression-test" });
  const { candidates } = stateBeside({ task }, [own, other], own, candidateOf("1.t1", "test"));
  expect(candidates.map(({ id }) => id)).toEqual(["2.c1", "1.c1", "1.t1"]);
});
