import { z } from "zod";
import { fail, succeed } from "../base/result.ts";
import { defineCodeTool } from "./contract.ts";
import { entityInput, findEntities } from "./meant-entity.ts";
import { readRelations, relationDocument, relationLine } from "./relations.ts";

export default defineCodeTool({
  name: "callers",
  title: "Who calls a function",
  description:
    "The functions that call a function or construct a class, with the place of each call and how sure the code graph is.",
  input: z.object({ ...entityInput, limit: z.int().min(1).max(500).default(50) }),
  effect: "reads",
  async run(context, input) {
    const graph = await context.graph();
    const meant = findEntities(graph, input);
    if (!meant.ok) return meant;
    const found = readRelations(graph, meant.value, ["calls"], input.limit);
    if (found.length === 0)
      return fail("not-found", `Nothing in the repository calls ${meant.value[0]?.qualified}.`);
    return succeed({
      data: { callers: found.map(relationDocument) },
      text: found.map(relationLine).join("\n"),
    });
  },
});
