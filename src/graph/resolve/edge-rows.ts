import type { Place } from "../../domain/code-symbols.ts";
import type { EdgeKind } from "../contract.ts";
import type { Store } from "../store/open-store.ts";
import { confidenceUnit, edgeKinds } from "../store/schema.ts";

export interface NewEdge {
  /** That it is written in. */
  readonly file: number;
  readonly kind: EdgeKind;
  readonly source: number;
  readonly target: number;
  readonly at: Place;
  /** 0..1. */
  readonly confidence: number;
}

const kindNumbers = new Map<EdgeKind, number>(edgeKinds.map((kind, number) => [kind, number]));

export function writeEdge(store: Store, { file, kind, source, target, at, confidence }: NewEdge): void {
  store
    .prepare("INSERT INTO edges VALUES (?,?,?,?,?,?,?)")
    .run(
      file,
      kindNumbers.get(kind) ?? 0,
      source,
      at.line,
      at.column,
      target,
      Math.round(confidence * confidenceUnit),
    );
}

/** Of files that are resolved again, all at once: for a table without an index. */
export function dropUnresolvedEdges(store: Store): void {
  store.prepare("DELETE FROM edges WHERE file IN (SELECT id FROM files WHERE resolved = 0)").run();
}

/** All that the file's references led to. */
export function dropEdges(store: Store, file: number): void {
  store.prepare("DELETE FROM edges WHERE file = ?").run(file);
}
