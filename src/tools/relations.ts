/** Edges of the graph that lead to definitions, and how they look in an answer. */
import type { CodeGraph, EdgeKind, Entity, Relation } from "../graph/contract.ts";
import { formatEntityId } from "../graph/entity-id.ts";

/** Below this two places that only share a name are connected. */
const certain = 0.5;

export function readRelations(
  graph: CodeGraph,
  entities: readonly Entity[],
  kinds: readonly EdgeKind[] | undefined,
  limit: number,
): readonly Relation[] {
  return entities
    .flatMap(({ id }) => graph.incoming(id, kinds, { limit }))
    .sort((a, b) => b.edge.confidence - a.edge.confidence)
    .slice(0, limit);
}

export function relationDocument({ edge, from, to }: Relation): Readonly<Record<string, unknown>> {
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
export function relationLine({ edge, from }: Relation): string {
  const within = from.kind === "file" ? "" : `  in ${from.qualified}`;
  const doubt = edge.confidence < certain ? "  (perhaps)" : "";
  return `${from.path}:${edge.at.line}  ${edge.kind}${within}${doubt}`;
}
