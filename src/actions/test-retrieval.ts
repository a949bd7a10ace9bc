import { z } from "zod";
import { defineAction } from "../agent/action.ts";
import { describeFound, mergePlaces, retrievePlaces } from "../agent/candidates/retrieve-places.ts";
import { severalCalls } from "../agent/code/tool-roles.ts";
import { taskKindSchema } from "../domain/task.ts";

const system = `You read a repository to find the tests that belong to some places in its source code, and how tests of such code are written there. You change nothing.
Begin with \`related-tests\` of the known code locations, and with \`find\` on their names. Then read the nearest tests from top to bottom: imports, fixtures and setup, helpers, names of cases, how they expect errors.
When you know, call \`report\` with the line ranges of the tests that a new one should follow or join, the likeliest first. In the answer, say in which file a new test belongs, what it must import and set up, and how to name it. Report code that you read, not code that you suppose. ${severalCalls}`;

export default defineAction({
  name: "test-retrieval",
  description:
    "Finds the tests of the code locations, their structure and names, and the place for a new one. Not needed before `reproduction`, which does this itself.",
  input: z.object({ intent: z.string().min(1).describe("which tests to find, and for which purpose") }),
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
