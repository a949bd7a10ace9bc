import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import type { Arm } from "../bench/attempt.ts";
import type { GradedTask } from "../bench/graded-task.ts";
import type { TryResult } from "../bench/try.ts";
import { errorPercent, refuseUndecidable, tellStop, watchDecision } from "./bench-stop.ts";

const arms: readonly Arm[] = ["react", "unified"].map((strategy) => ({
  strategy,
  model: null,
  settings: {},
}));
const tasks = Array.from({ length: 20 }, (_, at) => partOf<GradedTask>({ task: { id: `t${at}` } }));

test("a batch of two arms ends once one is better by the asked certainty, and says so", () => {
  const watch = watchDecision(tasks, arms, errorPercent("5"));
  for (const [at, { task }] of tasks.slice(0, 8).entries()) {
    expect(watch.isDecided(), `after ${at} tasks`).toBe(false);
    for (const { strategy } of arms)
      watch.add(
        partOf<TryResult>({
          ...{ id: task.id, strategy, model: null },
          outcome: strategy === "unified" ? "resolved" : "unresolved",
        }),
      );
  }
  expect(watch.isDecided()).toBe(true);
  const stopped = watch.stopped();
  expect(stopped).toMatchObject({ tasks: 8, error: 0.05, better: { strategy: "unified", model: null } });
  expect(stopped && tellStop(stopped, 20)).toContain(
    "decided after 8 of 20 tasks: unified resolves more (evidence 28.4, needed 20; the error rate is at most 5 %)",
  );
});

test("other than two arms with one attempt each are refused, and so is no error rate", () => {
  expect(() => refuseUndecidable(arms, 1)).not.toThrow();
  expect(() => refuseUndecidable(arms.slice(1), 1)).toThrow("1 arm, with 1 attempt");
  expect(() => refuseUndecidable(arms, 3)).toThrow("2 arms, with 3 attempts");
  for (const text of ["0", "50", "five"]) expect(() => errorPercent(text)).toThrow("in percent");
});
