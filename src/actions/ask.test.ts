import { expect, test } from "vitest";
import type { ActionContext } from "../agent/action.ts";
import { emptyState } from "../agent/state/task-state.ts";
import ask from "./ask.ts";

const context = { recorder: { step: async (_: unknown, run: () => unknown) => run() } } as ActionContext;

const asked = async (question: string, first: string, second: string) =>
  ask.run(context, emptyState, { question, choices: [first, second], assumption: first });

test("where nobody answers, what the statement means is assumed, and how the work goes on is no question", async () => {
  const meaning = await asked("Is a missing rate 0, or an error?", "0", "an error");
  expect(meaning.isError).toBeUndefined();
  expect(meaning.state.assumptions).toEqual(["Is a missing rate 0, or an error? 0 (nobody was asked)"]);
  const tests = await asked("Should a test of a missing file fail?", "yes", "no");
  expect(tests.isError).toBeUndefined();
  const process = await asked(
    "One written test is wrong. What now?",
    "the test is dropped; c1 is proposed",
    "wait",
  );
  expect(process).toMatchObject({ isError: true, state: { assumptions: [] } });
  expect(process.text).toContain("`review-patch`");
});
