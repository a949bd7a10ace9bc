/** Lists an entity's edges, with the entity at the other end of each edge. */
import type {
  Edge,
  EdgeKind,
  Entity,
  EntityNumber,
  Neighbour,
  Relation,
  RelationOptions,
} from "../contract.ts";
import type { Store } from "../store/open-store.ts";
import { confidenceUnit, edgeKinds } from "../store/schema.ts";
import { findEntity } from "./find-entities.ts";

const mostRelations = 1000;

export function findIncoming(
  store: Store,
  id: EntityNumber,
  kinds: readonly EdgeKind[] = edgeKinds,
  options: RelationOptions = {},
): readonly Relation[] {
  return find(store, `x.target = ? AND x.kind IN (${numbers(kinds)})`, [id], options);
}

export function findOutgoing(
  store: Store,
  id: EntityNumber,
  kinds: readonly EdgeKind[] = edgeKinds,
  options: RelationOptions = {},
): readonly Relation[] {
  const file = fileOf(store, id);
  // A type may inherit in a different file (Rust's `impl`).
  const place = "((x.file = ? AND x.source = ?) OR (x.kind = 3 AND x.source = ?))";
  return find(store, `${place} AND x.kind IN (${numbers(kinds)})`, [file, id, id], options);
}

function fileOf(store: Store, id: EntityNumber): number {
  return Number(store.prepare("SELECT file FROM entities WHERE id = ?").get(id)?.file) || id;
}

function numbers(kinds: readonly EdgeKind[]): string {
  return kinds.map((kind) => edgeKinds.indexOf(kind)).join();
}

function find(
  store: Store,
  condition: string,
  values: readonly number[],
  { limit = mostRelations, minConfidence = 0 }: RelationOptions,
): Relation[] {
  const rows = store
    .prepare(
      `SELECT x.kind, x.source, x.target, x.line, x.column, x.confidence FROM edges x
       WHERE ${condition} AND x.confidence >= ? ORDER BY x.confidence DESC, x.file, x.line, x.column LIMIT ?`,
    )
    .all(...values, Math.ceil(minConfidence * confidenceUnit), limit);
  const known = new Map<EntityNumber, Entity | undefined>();
  const entity = (id: EntityNumber): Entity | undefined => {
    if (!known.has(id)) known.set(id, findEntity(store, id));
    return known.get(id);
  };
  return rows.flatMap((row) => {
    const edge: Edge = {
      kind: edgeKinds[Number(row.kind)] ?? "references",
      from: Number(row.source),
      to: Number(row.target),
      at: { line: Number(row.line), column: Number(row.column) },
      confidence: Number(row.confidence) / confidenceUnit,
    };
    const [from, to] = [entity(edge.from), entity(edge.to)];
    return from === undefined || to === undefined ? [] : [{ edge, from, to }];
  });
}

export function findNeighbours(store: Store, id: EntityNumber): readonly Neighbour[] {
  const own = store.prepare("SELECT file, parent FROM entities WHERE id = ?").get(id);
  if (own === undefined) return [];
  const found: Neighbour[] = [];
  const add = (rows: readonly Record<string, unknown>[], reverse: boolean): void => {
    for (const row of rows) {
      const kind = edgeKinds[Number(row.kind)] ?? "references";
      const weight = Number(row.weight) / confidenceUnit;
      found.push({ from: id, to: Number(row.other), kind, reverse, weight });
    }
  };
  const out =
    "SELECT kind, target AS other, sum(confidence) AS weight FROM edges WHERE file = ? AND source = ?";
  add(store.prepare(`${out} GROUP BY kind, target`).all(Number(own.file) || id, id), false);
  const into = "SELECT kind, source AS other, sum(confidence) AS weight FROM edges WHERE target = ?";
  add(store.prepare(`${into} GROUP BY kind, source`).all(id), true);
  const parent = Number(own.parent);
  if (parent > 0) found.push({ from: id, to: parent, kind: "contains", reverse: true, weight: 1 });
  const below = store
    .prepare("SELECT id FROM entities WHERE file = ? AND parent = ?")
    .all(Number(own.file) || id, id);
  for (const child of below)
    found.push({ from: id, to: Number(child.id), kind: "contains", reverse: false, weight: 1 });
  return found.filter(({ to }) => to !== id);
}
