/**
 * The resolved edges of the graph around a piece, read from the index as they are asked for, and kept. Fields and constants are
 * nodes of their own: what sets a field leads to what reads it, and not to all of its type.
 */
import { hashTerm } from "../forms/words.ts";
import type { Store } from "../store/open-store.ts";
import { confidenceUnit, edgeKinds } from "../store/schema.ts";
import { entityColumns, type GraphNodes, keepNodes, type Row } from "./graph-nodes.ts";
import type { SearchIndex } from "./search-index.ts";

export interface GraphEdge {
  readonly node: number;
  readonly weight: number;
}

export interface GraphEdges {
  /** What a node uses and what uses it. A piece is the node of its number. */
  around(node: number): readonly GraphEdge[];
  /** In which a node stands; itself for a piece. */
  pieceOf(node: number): number;
}

/** How much of a walk follows an edge, by its kind. */
const kindWeights: Readonly<Record<(typeof edgeKinds)[number], number>> = {
  imports: 0.5,
  calls: 1,
  references: 0.8,
  inherits: 1,
  overrides: 1,
  tests: 1,
  documents: 0.7,
};
/** To what uses a node, in the share of what the node uses. */
const backwards = 0.6;
/** Of a node that uses everything, or that everything uses. */
const mostUses = 150;
const mostUsers = 30;
/** Nodes whose edges are kept. */
const mostKept = 50_000;

/** Of an edge, and of the entity at its other end. */
const columns = `edges.kind AS edge, confidence AS sure, ${entityColumns}`;

/** Undefined while a first build has not come to the references: without their indexes each question would read all edges. */
export function readGraphEdges(store: Store, index: SearchIndex): GraphEdges | undefined {
  const ready = store.prepare(
    "SELECT count(*) AS n FROM sqlite_master WHERE name IN ('edges_file', 'edges_target')",
  );
  if (Number(ready.get()?.["n"]) < 2) return undefined;
  const nodes = keepNodes(store, index);
  const usesOf = store.prepare(
    `SELECT ${columns} FROM edges JOIN entities AS other ON other.id = target WHERE edges.file = ? AND source BETWEEN ? AND ? LIMIT ${mostUses}`,
  );
  const usersOf = store.prepare(
    `SELECT ${columns} FROM edges JOIN entities AS other ON other.id = source WHERE target BETWEEN ? AND ? LIMIT ${mostUsers}`,
  );
  const kept = new Map<number, readonly GraphEdge[]>();
  const read = (node: number): GraphEdge[] => {
    const edges = new Map<number, number>();
    const add = (row: Row, used: number | undefined, share: number): void => {
      const found = nodes.nodeOf(row);
      if (found === undefined || found === node) return;
      const weight =
        (share * kindWeights[edgeKinds[Number(row["edge"])] ?? "references"] * Number(row["sure"])) /
        confidenceUnit;
      edges.set(found, (edges.get(found) ?? 0) + weight / rarityOf(index, nodes, used ?? found));
    };
    const { file, runs } = nodes.entitiesOf(node);
    for (const [first, last] of runs) {
      for (const row of usesOf.all(file, first, last)) add(row, undefined, 1);
      for (const row of usersOf.all(first, last)) add(row, node, backwards);
    }
    return [...edges].map(([other, weight]) => ({ node: other, weight }));
  };
  return {
    around: (node) => {
      const found = kept.get(node) ?? read(node);
      if (kept.size >= mostKept) kept.clear();
      kept.set(node, found);
      return found;
    },
    pieceOf: nodes.pieceOf,
  };
}

/** What everything uses leads nowhere. */
function rarityOf(index: SearchIndex, nodes: GraphNodes, node: number): number {
  const name = nodes.nameOf(node);
  const rows = name === "" ? undefined : index.rowsOf(hashTerm(name, "identifier"));
  return Math.log2(2 + (rows === undefined ? 0 : rows.to - rows.from));
}
