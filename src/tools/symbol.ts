import { z } from "zod";
import { succeed } from "../base/result.ts";
import { entityDocument, entityLine } from "../graph/describe-entity.ts";
import { withoutGenerated } from "../graph/generated-files.ts";
import { defineCodeTool } from "./contract.ts";
import { findEntities } from "./meant-entity.ts";

export default defineCodeTool({
  name: "symbol",
  title: "Find definitions by name",
  description: "Finds the definitions of a name: `pick`, `Cart.pick` or `shop/cart.py:Cart.pick`.",
  input: z.object({
    name: z.string().min(1).describe("a plain or qualified name, or an entity's id"),
    limit: z.int().min(1).max(200).default(20),
  }),
  effect: "reads",
  async run(context, { name, limit }) {
    const graph = await context.graph();
    const meant = findEntities(context.repository, graph, { name });
    if (!meant.ok) return { ...meant, data: { entities: [], total: 0, ...meant.data } };
    const { entities: found, made } = withoutGenerated(graph, meant.value.entities);
    const shown = found.slice(0, limit);
    const more = [
      ...(found.length > limit ? [`… and ${found.length - limit} more`] : []),
      ...(made > 0 ? [`(and ${made} in generated or built files)`] : []),
    ];
    return succeed({
      data: { entities: shown.map(entityDocument), total: meant.value.entities.length },
      text: [...shown.map(entityLine), ...more].join("\n"),
    });
  },
});
