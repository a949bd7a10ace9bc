import { z } from "zod";
import { fail, succeed } from "../base/result.ts";
import { defineCodeTool } from "./contract.ts";
import { entityInput, findEntities } from "./meant-entity.ts";
import { readRelations, relationDocument, relationLine } from "./relations.ts";

export default defineCodeTool({
  name: "references",
  title: "Who uses a definition",
  description:
    "Every use of a definition in the repository: calls, types, imports, subclasses, tests and documents that name it, with its place and how sure the code graph is. For calls alone use `callers`.",
  input: z.object({ ...entityInput, limit: z.int().min(1).max(500).default(50) }),
  effect: "reads",
  async run(context, input) {
    const graph = await context.graph();
    const meant = findEntities(graph, input);
    if (!meant.ok) return meant;
    const found = readRelations(graph, meant.value, undefined, input.limit);
    if (found.length === 0)
      return fail("not-found", `Nothing in the repository uses ${meant.value[0]?.qualified}.`);
    return succeed({
      data: { references: found.map(relationDocument) },
      text: found.map(relationLine).join("\n"),
    });
  },
});
