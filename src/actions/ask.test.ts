import { expect, test } from "vitest";
import type { ActionContext } from "../agent/action.ts";
import { emptyState, type TaskState } from "../agent/state/task-state.ts";
import type { Candidate } from "../domain/candidate.ts";
import ask from "./ask.ts";

const context = { recorder: { step: async (_: unknown, run: () => unknown) => run() } } as ActionContext;

const asked = async (question: string, first: string, second: string, state: TaskState = emptyState) =>
  ask.run(context, state, { question, choices: [first, second], assumption: first });
const made = (id: string, kind: Candidate["kind"]): Candidate => ({ id, tree: id, kind, origin: "" });
const written = { ...emptyState, candidates: [made("r1", "reproduction"), made("c1", "code")] };

test("where nobody answers, what the statement means is assumed, and how the work goes on is no question", async () => {
  const meaning = await asked("Is a missing rate 0, or an error?", "0", "an error");
  expect(meaning.isError).toBeUndefined();
  expect(meaning.state.assumptions).toEqual([
    "Is a missing rate 0, or an error? 0 (no answer from the user)",
  ]);
  const tests = await asked("Should a test of a missing file fail?", "yes", "no");
  expect(tests.isError).toBeUndefined();
  const process = await asked(
    "One written test is wrong. What now?",
    "the test is dropped; c1 is proposed",
    "wait",
    written,
  );
  expect(process).toMatchObject({ isError: true, state: { assumptions: [] } });
  expect(process.text).toContain("`review-patch`");
  expect(await asked("Go on with c1?", "yes", "no", written)).toMatchObject({ isError: true });
});

test("what a statement says of tests, patches and cells is no question of how the work goes on", async () => {
  for (const question of ["Does --quick ignore skipped tests?", "Is C1 a header?", "Are R2 and t3 sums?"])
    expect((await asked(question, "yes", "no")).isError).toBeUndefined();
  expect((await asked("Is cell C12 a header?", "yes", "no", written)).isError).toBeUndefined();
});
