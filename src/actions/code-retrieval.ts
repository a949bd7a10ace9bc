import { z } from "zod";
import { defineAction } from "../agent/action.ts";
import { touchedByGiven } from "../agent/candidates/given-attempt.ts";
import {
  describeFound,
  mergePlaces,
  retrievePlaces,
  seenTests,
} from "../agent/candidates/retrieve-places.ts";
import { taskKindSchema } from "../domain/task.ts";
import { codeSearchPrompt } from "./code-retrieval.prompt.ts";

export default defineAction({
  name: "code-retrieval",
  description:
    "Finds the places in the source code that matter, and answers a question about them. Call it again if a place turned out to be wrong, and name this place.",
  input: z.object({ intent: z.string().min(1).describe("what to find, and why") }),
  example: { intent: "Find the code that computes the total of a cart, to correct its rounding." },
  kinds: taskKindSchema.options,
  effect: "reads",
  reads: ["codePlaces", "candidates"],
  writes: ["codePlaces", "testPlaces", "answers"],
  async run(context, state, { intent }) {
    const ended = await retrievePlaces(context, state, {
      role: "code-retrieval",
      system: codeSearchPrompt,
      intent,
    });
    if (ended.kind === "stopped")
      return { state, text: `The search ended without a report: ${ended.message}.`, isError: true };
    const codePlaces = mergePlaces(ended.value.places, state.codePlaces);
    const answers = { ...state.answers, code: ended.value.answer };
    const testPlaces = mergePlaces(seenTests(ended.value), state.testPlaces);
    const touched = await touchedByGiven(context, state, ended.value.places);
    const text = [describeFound(ended.value), ...(touched === "" ? [] : [touched])].join("\n");
    return { state: { ...state, codePlaces, testPlaces, answers }, text };
  },
});
