import { describe, expect, test } from "vitest";
import { noUsage } from "../domain/solve-report.ts";
import { countOutcomes, summariseArms } from "./batch-report.ts";
import type { GradedTask } from "./graded-task.ts";
import passAndFail from "./graders/pass-and-fail.ts";
import { sampleTasks } from "./sample.ts";
import type { TryResult } from "./try.ts";

function tryOf(
  id: string,
  attempt: number,
  outcome: TryResult["outcome"],
  more: Partial<TryResult> = {},
): TryResult {
  return {
    ...{ id, attempt, outcome, strategy: "react", model: "a/b", reason: "", verdict: null, strength: null },
    ...{
      verdictReason: "",
      patch: "",
      restored: [],
      byTests: "unresolved",
      run: "r",
      agentSeconds: 2,
      gradingSeconds: 1,
      known: false,
    },
    usage: { ...noUsage, calls: 3, usd: 0.5 },
    ...more,
  };
}

describe("summariseArms", () => {
  const tries = [
    tryOf("one", 1, "resolved", { verdict: "verified" }),
    tryOf("two", 1, "infrastructure-error"),
    tryOf("three", 1, "agent-error"),
    tryOf("one", 2, "unresolved", { verdict: "verified" }),
    tryOf("two", 2, "resolved"),
    tryOf("three", 2, "unresolved"),
  ];

  test("counts every task in each attempt's denominator", () => {
    const [arm] = summariseArms(tries);
    expect(arm?.attempts).toMatchObject([
      { attempt: 1, tasks: 3, resolved: 1, agentErrors: 1, infrastructureErrors: 1, rate: 1 / 3 },
      { attempt: 2, tasks: 3, resolved: 1, unresolved: 2 },
    ]);
    expect(countOutcomes(tries)).toMatchObject({ tasks: 6, resolved: 2 });
  });

  test("pass@k is the mean over tasks; verified patches and costs are summed", () => {
    const [arm] = summariseArms(tries);
    expect(arm?.passAt).toEqual({ 1: 1 / 3, 2: 2 / 3 });
    // A task with one attempt says nothing about two.
    const [uneven] = summariseArms(tries.slice(0, -1));
    expect(uneven?.passAt).toEqual({ 1: 1 / 3, 2: 1 });
    expect(summariseArms(tries.filter(({ attempt }) => attempt === 1))[0]?.passAt).toEqual({ 1: 1 / 3 });
    expect(arm).toMatchObject({
      verified: { count: 2, resolved: 1 },
      usage: { calls: 18, usd: 3 },
      agentSeconds: 12,
    });
  });

  test("an arm is a strategy with a model", () => {
    const other = tryOf("one", 1, "resolved", { model: null, strategy: "search-repair" });
    expect(summariseArms([...tries, other]).map(({ strategy }) => strategy)).toEqual([
      "react",
      "search-repair",
    ]);
  });
});

describe("sampleTasks", () => {
  const taskOf = (repository: string, at: number): GradedTask => ({
    dataset: "swe-bench",
    task: {
      ...{ id: `${repository}-${at}`, kind: "repair", statement: "", repository },
      ...{ baseCommit: "0".repeat(40), version: "" },
    },
    environment: {},
    hidden: {
      goldPatch: "",
      testPatch: "",
      tests: { command: undefined, files: [], limitMs: undefined },
      lists: undefined,
    },
    grader: passAndFail,
    place: "",
  });
  const tasks = [...Array(60).keys()].map((at) => taskOf(at < 40 ? "a" : at < 57 ? "b" : "c", at));
  const idsOf = (chosen: readonly GradedTask[]): string[] => chosen.map(({ task }) => task.id);

  test("each repository has its share, by largest remainders", () => {
    const chosen = sampleTasks(tasks, 10, 1);
    const counts = Map.groupBy(chosen, ({ task }) => task.repository);
    expect([...counts].map(([name, members]) => [name, members.length])).toEqual([
      ["a", 7],
      ["b", 3],
    ]);
  });

  test("is the same for the same seed, whatever the order, and another for another", () => {
    const first = idsOf(sampleTasks(tasks, 10, 1));
    expect(idsOf(sampleTasks([...tasks].reverse(), 10, 1)).sort()).toEqual([...first].sort());
    expect(idsOf(sampleTasks(tasks, 10, 2))).not.toEqual(first);
    expect(sampleTasks(tasks, 100, 1)).toHaveLength(60);
  });
});
