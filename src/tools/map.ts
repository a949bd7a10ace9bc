import { z } from "zod";
import { fail, succeed } from "../base/result.ts";
import { entityDocument } from "../graph/describe-entity.ts";
import { defineCodeTool } from "./contract.ts";

export default defineCodeTool({
  name: "map",
  title: "Map of the repository",
  description:
    "Gives an overview: the most used definitions by file, as signatures. To find something specific, use `find`.",
  input: z.object({
    budget: z.int().min(1).max(50_000).default(2000).describe("maximum length, in tokens"),
  }),
  effect: "reads",
  async run(context, { budget }) {
    const graph = await context.graph();
    const { files, text, tokens } = graph.map({ tokens: budget });
    if (files.length === 0)
      return fail(
        "not-found",
        "The repository has no known definitions, or none fits the budget: allow more tokens.",
      );
    const documents = files.map(({ path, score, entities }) => {
      return { path, score, entities: entities.map(entityDocument) };
    });
    return succeed({ data: { tokens, files: documents }, text });
  },
});
