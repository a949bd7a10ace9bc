import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import type { ActionContext } from "../agent/action.ts";
import { emptyState, type TaskState } from "../agent/state/task-state.ts";
import { openReview } from "./open-review.ts";

test("a review is reused, unless a limit was reached during the review", async () => {
  let limit: string | undefined = "the time limit was reached";
  let reviews = 0;
  const act = {
    run: async (_: unknown, state: TaskState) => {
      reviews += 1;
      return { state, text: "" };
    },
  };
  const review = openReview(partOf<ActionContext>({ switches: { without: [] } }), act);
  const context = partOf<ActionContext>({ limits: { exhausted: () => limit } });
  const candidate = { id: "c1", tree: "t", kind: "code", origin: "" } as const;
  const ask = async (): Promise<number> => {
    await review?.(context, emptyState, candidate);
    return reviews;
  };
  expect(await ask()).toBe(1);
  limit = undefined;
  expect(await ask()).toBe(2);
  expect(await ask()).toBe(2);
});
