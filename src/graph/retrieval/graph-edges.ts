/**
 * Reads the graph's resolved edges around a piece on demand, and caches them. Fields and constants are separate nodes.
 * So code that sets a field leads to the code that reads this field, not to the field's whole type.
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
  /** The nodes that `node` uses, and the nodes that use `node`. The node of a piece has the piece's number. */
  around(node: number): readonly GraphEdge[];
  /** The piece of a node; itself for a piece. */
  pieceOf(node: number): number;
}

/** The share of a walk that follows an edge, by kind. */
const kindWeights: Readonly<Record<(typeof edgeKinds)[number], number>> = {
  imports: 0.5,
  calls: 1,
  references: 0.8,
  inherits: 1,
  overrides: 1,
  tests: 1,
  documents: 0.7,
};
/** The share that goes to a node's users, relative to the nodes that it uses. */
const backwards = 0.6;
/** Maximum numbers of edges read from and to a node, because some nodes use many others or have many users. */
const mostUses = 150;
const mostUsers = 30;
/** Maximum number of nodes with cached edges. */
const mostKept = 50_000;

/** Columns of an edge and of the entity at its other end. */
const columns = `edges.kind AS edge, confidence AS sure, ${entityColumns}`;

/**
 * Opens the graph's edges. Undefined until a first build has resolved all references. Before that, the table of edges
 * has no database indexes, so each question would read all edges.
 */
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

/**
 * The divisor of an edge's weight, at least 1. It grows with the number of pieces that contain the node's name, because
 * a node with many users says little.
 */
function rarityOf(index: SearchIndex, nodes: GraphNodes, node: number): number {
  const name = nodes.nameOf(node);
  const rows = name === "" ? undefined : index.rowsOf(hashTerm(name, "identifier"));
  return Math.log2(2 + (rows === undefined ? 0 : rows.to - rows.from));
}
