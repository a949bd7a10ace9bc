import type { Place } from "../../domain/code-symbols.ts";
import type { EdgeKind } from "../contract.ts";
import type { Store } from "../store/open-store.ts";
import { confidenceUnit, edgeKinds } from "../store/schema.ts";

export interface NewEdge {
  /** The number of the file that contains the use. */
  readonly file: number;
  readonly kind: EdgeKind;
  readonly source: number;
  readonly target: number;
  readonly at: Place;
  /** The confidence of the edge, from 0 to 1. */
  readonly confidence: number;
}

const kindNumbers = new Map<EdgeKind, number>(edgeKinds.map((kind, number) => [kind, number]));

const columns = 7;
/** Rows per statement: each execution of a statement costs as much as several rows. */
const rowsAtOnce = 64;
const insertOf = (rows: number): string =>
  `INSERT INTO edges VALUES ${Array.from({ length: rows }, () => `(${Array(columns).fill("?").join()})`).join()}`;
const insertMany = insertOf(rowsAtOnce);
const insertOne = insertOf(1);

export function writeEdges(store: Store, edges: readonly NewEdge[]): void {
  const whole = edges.length - (edges.length % rowsAtOnce);
  for (let at = 0; at < whole; at += rowsAtOnce) {
    const values: number[] = [];
    for (let index = at; index < at + rowsAtOnce; index++) pushValues(edges[index], values);
    store.prepare(insertMany).run(...values);
  }
  for (const edge of edges.slice(whole)) {
    const values: number[] = [];
    pushValues(edge, values);
    store.prepare(insertOne).run(...values);
  }
}

function pushValues(edge: NewEdge | undefined, values: number[]): void {
  if (edge === undefined) return;
  const { file, kind, source, target, at, confidence } = edge;
  values.push(file, kindNumbers.get(kind) ?? 0, source, at.line, at.column, target);
  values.push(Math.round(confidence * confidenceUnit));
}

/**
 * Drops the edges of all files with unresolved references. Uses one pass, because the table may have no database index
 * yet.
 */
export function dropUnresolvedEdges(store: Store): void {
  store.prepare("DELETE FROM edges WHERE file IN (SELECT id FROM files WHERE resolved = 0)").run();
}

/** Drops the edges of the file's references. */
export function dropEdges(store: Store, file: number): void {
  store.prepare("DELETE FROM edges WHERE file = ?").run(file);
}
