import { expect, test } from "vitest";
import { judgeLeftOpen, leftOpenOf, withLeftOpen } from "./left-open.ts";
import { emptyState } from "./task-state.ts";

test("an open part keeps its candidate from the gate, and says which part it is", () => {
  const state = withLeftOpen(emptyState, [" the option --all ", ""], "c1");
  expect(judgeLeftOpen(state, { id: "c1" })).toEqual([
    {
      predicate: "nothing-left-open",
      holds: false,
      evidence: "according to the agent, parts of the statement are not done: the option --all",
    },
  ]);
});

test("a part is open for the named candidate, or for all of the work", () => {
  const state = withLeftOpen(emptyState, ["the option --all"], "c1");
  expect(judgeLeftOpen(state, { id: "c2" })).toEqual([]);
  const both = withLeftOpen(state, ["the docs"]);
  expect(leftOpenOf(both, "c2")).toEqual(["the docs"]);
  expect(leftOpenOf(both, "c1")).toEqual(["the option --all", "the docs"]);
});

test("without an open part there is no predicate, and a later statement replaces an earlier one", () => {
  expect(judgeLeftOpen(emptyState, { id: "c1" })).toEqual([]);
  const done = withLeftOpen(withLeftOpen(emptyState, ["the docs"], "c1"), [], "c1");
  expect(done).toEqual(emptyState);
});
