import { expect, test } from "vitest";
import { judgeLeftOpen, leftOpenOf, withLeftOpen } from "./left-open.ts";
import { emptyState } from "./task-state.ts";

test("an open part keeps its candidate from the gate, and says which part it is", () => {
  const state = withLeftOpen(emptyState, [" the option --all ", ""], "c1");
  expect(judgeLeftOpen(state, { id: "c1" })).toEqual([
    {
      predicate: "nothing-left-open",
      holds: false,
      evidence: "according to the agent, the patch leaves 1 part of the statement undone: the option --all",
    },
  ]);
});

test("a part is open for the named candidate and those made from it, or for all of the work", () => {
  const made = (id: string, parent?: string) =>
    ({ id, tree: "", kind: "code", origin: "", ...(parent === undefined ? {} : { parent }) }) as const;
  const candidates = [made("c1"), made("c2"), made("c3", "c1"), made("c4", "c3")];
  const state = withLeftOpen({ ...emptyState, candidates }, ["the option --all"], "c1");
  expect(judgeLeftOpen(state, { id: "c2" })).toEqual([]);
  expect(leftOpenOf(state, "c4")).toEqual(["the option --all"]);
  const done = withLeftOpen(state, [], "c3");
  expect([leftOpenOf(done, "c1"), leftOpenOf(done, "c4")]).toEqual([["the option --all"], []]);
  const both = withLeftOpen(state, ["the docs"]);
  expect(leftOpenOf(both, "c2")).toEqual(["the docs"]);
  expect(leftOpenOf(both, "c1")).toEqual(["the docs", "the option --all"]);
});

test("what says nothing of open parts leaves what was said; a word for none is no part", () => {
  const state = withLeftOpen(emptyState, ["the option --all"], "c1");
  expect(withLeftOpen(state, undefined, "c1")).toEqual(state);
  expect(withLeftOpen(emptyState, [], "c1")).toEqual(emptyState);
  for (const none of [[], [" "], ["None."], ["n/a"]])
    expect(judgeLeftOpen(withLeftOpen(state, none, "c1"), { id: "c1" })).toEqual([]);
});
