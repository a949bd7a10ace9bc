import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import { checkProtocol } from "./check-task.ts";
import type { GradedTask } from "./graded-task.ts";
import type { Verdict } from "./graders/contract.ts";
import type { OpenTask } from "./open-task.ts";

const resolved: Verdict = {
  ...{ outcome: "resolved", reason: "shown", unmatched: [], ambiguous: [] },
  ...{ failToPass: { success: ["t"], failure: [] }, passToPass: { success: [], failure: [] } },
};

function check(doubt: string | undefined) {
  const open = partOf<OpenTask>({ options: { frameworks: [] }, notes: [] });
  const task = partOf<GradedTask>({ task: { id: "one" }, hidden: { lists: undefined } });
  const protocol = {
    gold: () => "patch",
    measure: async () => ({ measurement: { restored: [], runs: {} }, findDoubt: async () => doubt }),
    judge: async () => ({ official: resolved, verdict: resolved, others: [], measures: {} }),
  };
  return checkProtocol(protocol, { open, task }, 3, undefined);
}

test("a task whose gold patch would be doubted in grading is unfit", async () => {
  expect((await check(undefined)).state).toBe("fit");
  expect(await check("the tests compare the code's text")).toMatchObject({
    ...{ state: "unfit", gold: "unresolved" },
    exceptions: ["the gold patch is unresolved: the tests compare the code's text"],
  });
});
