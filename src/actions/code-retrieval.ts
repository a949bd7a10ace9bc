import { z } from "zod";
import { defineAction } from "../agent/action.ts";
import { toolsOver } from "../agent/code-tools.ts";
import { renderState } from "../agent/render-state.ts";
import type { Place } from "../agent/task-state.ts";
import { type ThinkTool, think } from "../agent/think.ts";

const found = z.object({
  places: z
    .array(
      z.object({
        file: z.string(),
        startLine: z.int().min(1),
        endLine: z.int().min(1),
        why: z.string().describe("what is decided there, in one sentence"),
      }),
    )
    .max(12),
  answer: z.string().describe("what was asked, in a few sentences with names and places"),
});

const system = `You read a repository to find the places in its source code that a task is about. You change nothing.
Begin with \`find\` on the statement's own words, then look at definitions, their callers and their tests until you know where the behaviour is decided, and not only where it shows.
When you know, call \`report\` with the fewest line ranges that someone who makes the change has to read, the likeliest first. Report what you looked at, not what you suppose.`;

export default defineAction({
  name: "code-retrieval",
  description:
    "Finds the places in the source code that matter, and answers a question about them. Take it first, and again whenever a place turned out to be wrong: say then which ones were.",
  input: z.object({ intent: z.string().min(1).describe("what to find, and why") }),
  kinds: ["repair", "partial-fix"],
  reads: ["codePlaces", "candidates"],
  writes: ["codePlaces"],
  async run(context, state, { intent }) {
    await context.view.lay(context.workspace.base);
    const report: ThinkTool<z.infer<typeof found>> = {
      name: "report",
      description: "Ends the search with what was found.",
      input: found,
      run: async (input) => ({ text: "Reported.", end: found.parse(input) }),
    };
    const ended = await think(context, {
      role: "retrieval",
      system,
      opening: `# The statement\n\n${context.task.statement}\n\n# What is known\n\n${renderState(state)}\n\n# Find\n\n${intent}`,
      tools: [...toolsOver(context.view, "read"), report],
      maxSteps: 20,
    });
    if (ended.kind === "stopped")
      return { state, text: `Nothing was reported: ${ended.message}.`, isError: true };
    const { places, answer } = ended.value;
    const codePlaces = mergePlaces(places, state.codePlaces);
    const listed = places.map(
      ({ file, startLine, endLine, why }) => `- ${file}:${startLine}-${endLine}: ${why}`,
    );
    return { state: { ...state, codePlaces }, text: [answer, ...listed].join("\n") };
  },
});

/** The new ones first; of two that begin at one line the new one. */
function mergePlaces(places: readonly Place[], known: readonly Place[]): Place[] {
  const isNew = (place: Place): boolean =>
    !places.some(({ file, startLine }) => file === place.file && startLine === place.startLine);
  return [...places, ...known.filter(isNew)];
}
