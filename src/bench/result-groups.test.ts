import { expect, test } from "vitest";
import type { BatchTry } from "./batch-document.ts";
import { calibrate, groupResults, resolvedBySize } from "./result-groups.ts";
import type { TaskFacts } from "./task-facts.ts";

const task = (id: string, lines: number | null, language: string | null = "python"): TaskFacts => ({
  ...{ id, kind: "repair", repository: "acme/one", language },
  fix: lines === null ? null : { files: 1, hunks: 1, lines },
});
const made = (id: string, isResolved: boolean, verdict: BatchTry["verdict"] = "none") => ({
  ...{ id, verdict },
  outcome: isResolved ? ("resolved" as const) : ("unresolved" as const),
});

test("results are grouped by what divides the tasks, with an interval for each group", () => {
  const facts = [
    task("a", 2),
    task("b", 5),
    task("c", 6, "rust"),
    task("d", 300, "rust"),
    task("e", null, null),
  ];
  const tries = ["a", "b", "c", "d", "e"].map((id) => made(id, id === "a" || id === "c"));
  const groups = groupResults(tries, facts);
  expect(groups.map(({ by, value, count, of }) => [by, value, count, of])).toEqual([
    ["language", "python", 1, 2],
    ["language", "rust", 1, 2],
    ["lines of the fix", "1 to 5", 1, 2],
    ["lines of the fix", "6 to 20", 1, 1],
    ["lines of the fix", "over 200", 0, 1],
  ]);
  // statsmodels 0.14: proportion_confint(1, 2, method="wilson")
  expect(groups[0]?.interval?.low).toBeCloseTo(0.09453120573423074, 9);
  expect(groups[0]?.interval?.high).toBeCloseTo(0.9054687942657694, 9);
});

test("results are grouped by the age of the issue and by its comments, in their order", () => {
  const known: readonly (readonly [number, number])[] = [
    [200, 11],
    [0.5, 0],
    [6, 1],
    [7, 2],
    [31, 3],
  ];
  const facts = known.map(([days, comments], at) => ({ ...task(String(at), null, null), days, comments }));
  const tries = facts.map(({ id }) => made(id, id === "1"));
  expect(groupResults(tries, facts).map(({ by, value, count, of }) => [by, value, count, of])).toEqual([
    ["from issue to merge", "up to a day", 1, 1],
    ["from issue to merge", "up to a week", 0, 2],
    ["from issue to merge", "up to six months", 0, 1],
    ["from issue to merge", "longer", 0, 1],
    ["comments on the issue", "0", 1, 1],
    ["comments on the issue", "1 to 2", 0, 2],
    ["comments on the issue", "3 to 5", 0, 1],
    ["comments on the issue", "over 10", 0, 1],
  ]);
});

test("results are grouped by kind, by type of the issue, and by dataset if the report has several", () => {
  const facts: TaskFacts[] = [
    { ...task("a", null, null), dataset: "swe-bench-pro", issueTypes: ["bug", "security"] },
    { ...task("b", null, null), dataset: "swe-bench-pro", issueTypes: ["bug"], kind: "feature" },
    { ...task("c", null, null), dataset: "swe-bench-pro" },
  ];
  const tries = ["a", "b", "c"].map((id) => made(id, id === "a"));
  const kinds = [
    ["kind", "feature", 0, 1],
    ["kind", "repair", 1, 2],
    ["type of the issue", "bug", 1, 2],
    ["type of the issue", "security", 1, 1],
  ];
  const groups = (areSeveral: boolean) =>
    groupResults(tries, facts, areSeveral).map(({ by, value, count, of }) => [by, value, count, of]);
  expect(groups(false)).toEqual(kinds);
  expect(groups(true)).toEqual([["dataset", "swe-bench-pro", 1, 3], ...kinds]);
});

test("several attempts at a task have no interval: they are not independent", () => {
  const facts = [task("a", 2), task("b", 50)];
  const tries = [made("a", true), made("a", false), made("b", false)];
  expect(
    groupResults(tries, facts).map(({ count, of, interval }) => [count, of, interval === undefined]),
  ).toEqual([
    [1, 2, true],
    [0, 1, false],
  ]);
});

// sklearn.metrics.precision_score and recall_score of resolved = [1,1,1,1,0,0,0,0], verified = [1,1,1,0,1,0,0,0]
test("the word verified is held against the tests", () => {
  const right = ["a", "b", "c"].map((id) => made(id, true, "verified"));
  const others = [
    made("d", true, "unverified"),
    made("e", false, "verified"),
    made("f", false, "unverified"),
  ];
  const { precision, recall } = calibrate([...right, ...others, made("g", false), made("h", false)]);
  expect(precision.count / precision.of).toBe(0.75);
  expect(recall.count / recall.of).toBe(0.75);
  expect(calibrate([made("a", false)]).precision).toMatchObject({ count: 0, of: 0 });
});

test("tasks resolved up to each size of the fix are counted once, whatever the attempts", () => {
  const facts = [task("a", 10), task("b", 3), task("c", 10), task("d", null), task("not attempted", 1)];
  const tries = [made("a", false), made("a", true), made("b", true), made("c", false), made("d", true)];
  expect(resolvedBySize(tries, facts)).toEqual([
    { lines: 3, tasks: 1, resolved: 1 },
    { lines: 10, tasks: 3, resolved: 2 },
  ]);
});
