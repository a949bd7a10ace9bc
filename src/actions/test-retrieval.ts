import { z } from "zod";
import { defineAction } from "../agent/action.ts";
import { describeFound, mergePlaces, retrievePlaces } from "../agent/candidates/retrieve-places.ts";
import { taskKindSchema } from "../domain/task.ts";
import { testSearchPrompt } from "./test-retrieval.prompt.ts";

export default defineAction({
  name: "test-retrieval",
  description:
    "Finds the tests of the code locations, their structure and names, and the place for a new test. Not needed before `reproduction`, because that action finds the tests itself.",
  input: z.object({ intent: z.string().min(1).describe("the tests to find, and the purpose") }),
  example: { intent: "Find the tests of Cart.total, to add a case with an empty cart." },
  kinds: taskKindSchema.options,
  effect: "reads",
  reads: ["codePlaces", "testPlaces"],
  writes: ["testPlaces", "answers"],
  async run(context, state, { intent }) {
    const ended = await retrievePlaces(context, state, {
      role: "test-retrieval",
      system: testSearchPrompt,
      intent,
    });
    if (ended.kind === "stopped")
      return { state, text: `The search ended without a report: ${ended.message}.`, isError: true };
    const testPlaces = mergePlaces(ended.value.places, state.testPlaces);
    const answers = { ...state.answers, tests: ended.value.answer };
    return { state: { ...state, testPlaces, answers }, text: describeFound(ended.value) };
  },
});
