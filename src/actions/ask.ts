import { z } from "zod";
import { defineAction } from "../agent/action.ts";
import { byUser, type TaskState } from "../agent/state/task-state.ts";
import { hashData } from "../base/hash.ts";
import { taskKindSchema } from "../domain/task.ts";

export default defineAction({
  name: "ask",
  description:
    "Asks the user, who answers at most one question in a run. Use it if readings of the statement lead to different code, and neither code nor tests decide between them. If nobody answers, the run uses and reports your assumption.",
  input: z.object({
    question: z.string().min(1).describe("one question"),
    choices: z.array(z.string().min(1)).min(2).max(5).describe("the readings, each in a few words"),
    assumption: z.string().min(1).describe("one of the choices, word for word"),
  }),
  example: {
    question: "Should an empty list give 0 or an error?",
    choices: ["0", "an error"],
    assumption: "0",
  },
  kinds: taskKindSchema.options,
  effect: "decides",
  reads: ["assumptions"],
  writes: ["assumptions"],
  async run({ recorder, ask }, state, { question, choices, assumption }) {
    if (!choices.includes(assumption))
      return {
        state,
        text: "The assumption must repeat one of the choices word for word.",
        isError: true,
      };
    const way = ask === undefined ? wayOf(state, `${question} ${choices.join(" ")}`) : undefined;
    if (way !== undefined) return { state, text: way, isError: true };
    if (state.assumptions.some((known) => known.startsWith(`${question} `)))
      return {
        state,
        text: "This question is already settled: see the assumptions in the state.",
        isError: true,
      };
    const mayAsk = !state.assumptions.some((known) => known.endsWith(byUser));
    const answer = await recorder.step(
      {
        key: `ask:${hashData([question, choices])}`,
        title: "ask the user",
        schema: z.string().nullable(),
        decides: "nothing",
      },
      async () => (mayAsk ? ((await ask?.({ question, choices })) ?? null) : null),
    );
    const taken = answer === null ? `${assumption} (no answer from the user)` : `${answer} ${byUser}`;
    return {
      state: { ...state, assumptions: [...state.assumptions, `${question} ${taken}`] },
      text: answer === null ? `The user gave no answer. Assumed: ${assumption}` : `The user says: ${answer}`,
    };
  },
});

/** Names of actions on a candidate. */
const ofActions = /\b(?:edit-code|review-patch|execute-tests)\b/i;
/** Words in questions about the run's own tests, patches and programs. */
const ofWritten =
  /\b(?:drop|discard|ignore|rewrite|replace|propose)\w*\s+(?:\w+\s+){0,3}(?:tests?|candidates?|reproductions?|patch(?:es)?)\b|\b(?:tests?|reproductions?)\s+(?:is|are|be)\s+(?:dropped|discarded|ignored|rewritten|replaced)\b/i;

/**
 * Names the action to use instead, if the question is about how to continue: an assumption would have no effect. Before
 * the run writes anything, tests and patches in the question belong to the statement.
 */
function wayOf({ candidates }: TaskState, text: string): string | undefined {
  const isNamed = candidates.some(({ id }) => new RegExp(`\\b${id}\\b`).test(text));
  const isOfProcess = ofActions.test(text) || isNamed || (candidates.length > 0 && ofWritten.test(text));
  if (!isOfProcess) return undefined;
  return "This question asks how to continue the work, not how to read the statement, so an assumption would not help. To replace a wrong test that this run wrote, use `reproduction`. To drop it, use `review-patch` on a candidate that passes another test of the fault and breaks no test of the repository. To change a candidate, use `edit-code`. To propose one, use `finish`.";
}
