import { z } from "zod";
import { defineAction } from "../../src/agent/action.ts";
import { withFacts } from "../../src/agent/state/task-state.ts";
import { taskKindSchema } from "../../src/domain/task.ts";

const mostMarkers = 5;

export default defineAction({
  name: "note-markers",
  description:
    "Notes lines that are marked as unfinished: in the files of the code locations, or in all where none is known.",
  input: z.object({ word: z.string().min(1).default("TODO").describe("the mark") }),
  kinds: taskKindSchema.options,
  effect: "reads",
  reads: ["codePlaces"],
  writes: ["facts"],
  async run({ workspace }, state, { word }) {
    const known = state.codePlaces.map(({ file }) => file);
    const all = await workspace.trees.list(workspace.base);
    const files = new Set(known.length > 0 ? known : all.map(({ path }) => path));
    const found: string[] = [];
    for (const file of files) {
      const text = (await workspace.trees.read(workspace.base, file))?.toString("utf8") ?? "";
      for (const [index, line] of text.split("\n").entries())
        if (line.includes(word)) found.push(`${file}:${index + 1} says: ${line.trim()}`);
    }
    if (found.length === 0) return { state, text: `No line has ${word}.` };
    const shown = found.slice(0, mostMarkers);
    const facts = withFacts(
      state.facts,
      shown.map((text) => ({ kind: "project", text })),
    );
    return { state: { ...state, facts }, text: shown.join("\n") };
  },
});
