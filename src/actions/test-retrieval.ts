import { z } from "zod";
import { defineAction } from "../agent/action.ts";
import { describeFound, mergePlaces, retrievePlaces } from "../agent/candidates/retrieve-places.ts";
import { severalCalls } from "../agent/code/tool-roles.ts";
import { taskKindSchema } from "../domain/task.ts";

const system = `You read a repository to find the tests that belong to some places in its source code, and how tests of such code are written there. You change nothing.
Begin with \`related-tests\` of the code locations that are known, and with \`find\` on their names; then view the nearest tests from top to bottom: imports, fixtures and what is set up, helpers, how cases are named, how errors are expected.
When you know, call \`report\`: with the line ranges of the tests that a new one should be modelled on or stand beside, the likeliest first, and with an answer that says in which file a new test belongs, what it has to import and set up, and how it is named. Report what you looked at, not what you suppose. ${severalCalls}`;

export default defineAction({
  name: "test-retrieval",
  description:
    "Finds the tests of the code locations, how they are built and named, and where a new one belongs. Not needed before `reproduction`, which looks at them by itself.",
  input: z.object({ intent: z.string().min(1).describe("which tests to find, and what for") }),
  kinds: taskKindSchema.options,
  effect: "reads",
  reads: ["codePlaces", "testPlaces"],
  writes: ["testPlaces", "answers"],
  async run(context, state, { intent }) {
    const ended = await retrievePlaces(context, state, { role: "test-retrieval", system, intent });
    if (ended.kind === "stopped")
      return { state, text: `Nothing was reported: ${ended.message}.`, isError: true };
    const testPlaces = mergePlaces(ended.value.places, state.testPlaces);
    const answers = { ...state.answers, tests: ended.value.answer };
    return { state: { ...state, testPlaces, answers }, text: describeFound(ended.value) };
  },
});
