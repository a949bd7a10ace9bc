/** Edges of the graph that lead to definitions, and how they look in an answer. */
import { z } from "zod";
import { fail, type Result, succeed } from "../base/result.ts";
import type { EdgeKind, Relation } from "../graph/contract.ts";
import { formatEntityId } from "../graph/entity-id.ts";
import type { CodeContext, ToolAnswer, ToolFailureKind } from "./contract.ts";
import { type EntityInput, entityInput, findEntities } from "./meant-entity.ts";

/** Below this two places that only share a name are connected. */
const certain = 0.5;

export const relationInput = {
  ...entityInput,
  limit: z.int().min(1).max(500).default(50),
};

/** What leads to the definitions that are meant, the surest first; of these kinds, or all. `none`: what is said of a name when
 *  there is nothing. */
export async function answerRelations(
  context: CodeContext,
  input: EntityInput & { readonly limit: number },
  kinds: readonly EdgeKind[] | undefined,
  none: (name: string) => string,
): Promise<Result<ToolAnswer, ToolFailureKind>> {
  const graph = await context.graph();
  const meant = findEntities(graph, input);
  if (!meant.ok) return meant;
  const found = meant.value
    .flatMap(({ id }) => graph.incoming(id, kinds, { limit: input.limit }))
    .sort((a, b) => b.edge.confidence - a.edge.confidence)
    .slice(0, input.limit);
  if (found.length === 0) return fail("not-found", none(meant.value[0]?.qualified ?? ""));
  return succeed({
    data: { relations: found.map(relationDocument) },
    text: found.map(relationLine).join("\n"),
  });
}

function relationDocument({ edge, from, to }: Relation): Readonly<Record<string, unknown>> {
  return {
    kind: edge.kind,
    path: from.path,
    line: edge.at.line,
    column: edge.at.column,
    confidence: edge.confidence,
    from: formatEntityId(from),
    to: formatEntityId(to),
  };
}

/** `src/a.py:12  calls  in Cart.pick`. */
function relationLine({ edge, from }: Relation): string {
  const within = from.kind === "file" ? "" : `  in ${from.qualified}`;
  const doubt = edge.confidence < certain ? "  (perhaps)" : "";
  return `${from.path}:${edge.at.line}  ${edge.kind}${within}${doubt}`;
}
