import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { emptyState, type MatrixRow } from "../state/task-state.ts";
import { listContenders } from "./conclude.ts";

test("the patch from which Millwright took hunks is judged too, before others that no full run has judged", () => {
  const candidateOf = (id: string) => ({ id, tree: id, kind: "code" as const, origin: "" });
  const [chosen, open, best] = [candidateOf("c1"), candidateOf("c2"), candidateOf("c3")];
  const rowOf = (candidate: string, rest: Partial<MatrixRow>) =>
    partOf<MatrixRow>({ ...{ candidate, outcomes: [], targets: [], score: [1] }, ...rest });
  const rows = [rowOf("c1", { broken: [] }), rowOf("c2", {}), rowOf("c3", { broken: [] })];
  const state = { ...emptyState, candidates: [chosen, open, best], rows };
  expect(listContenders(state, best, chosen)).toEqual([chosen, open]);
  expect(listContenders(state, best, best)).toEqual([open]);
});
