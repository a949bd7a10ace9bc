import { expect, test } from "vitest";
import { z } from "zod";
import { partOf } from "../../../tests/part-of.ts";
import type { NewRunEvent } from "../../domain/run-event.ts";
import { type ActionContext, defineAction } from "../action.ts";
import { createLimits } from "../record/limits.ts";
import { emptyState } from "../state/task-state.ts";
import { beginWork, performAction } from "./perform-action.ts";

test("an action that is entered again with its user's answer counts once", async () => {
  const events: NewRunEvent[] = [];
  const limits = createLimits({ maxMs: undefined, maxSteps: 2, usedMs: 0 });
  const context = partOf<ActionContext>({
    limits,
    recorder: { events, append: (event: NewRunEvent) => events.push(event) },
  });
  let isAnswered = false;
  const action = defineAction({
    name: "ask",
    description: "",
    input: z.object({}),
    kinds: ["repair"],
    effect: "decides",
    reads: [],
    writes: [],
    async run(_, state) {
      if (!isAnswered) throw new Error("the user is asked");
      return { state, text: "The user says: no" };
    },
  });
  const work = beginWork(emptyState);
  await expect(performAction(context, work, action, {})).rejects.toThrow("the user is asked");
  isAnswered = true;
  expect((await performAction(context, work, action, {})).text).toBe("The user says: no");
  expect([work.rounds, limits.remainingSteps()]).toEqual([1, 1]);
  expect(events.map(({ event }) => event)).toEqual(["action-started", "action-ended"]);
});
