/** The resolved edges of the graph around a piece, read from the index as they are asked for, and kept. */
import { hashTerm } from "../forms/words.ts";
import type { Store } from "../store/open-store.ts";
import { confidenceUnit, edgeKinds } from "../store/schema.ts";
import { pieceAtLine, type SearchIndex } from "./search-index.ts";

export interface PieceEdge {
  readonly piece: number;
  readonly weight: number;
}

/** What a piece uses and what uses it. */
export type PieceEdges = (piece: number) => readonly PieceEdge[];

/** How much of a walk follows an edge, by its kind. */
const kindWeights: Readonly<Record<(typeof edgeKinds)[number], number>> = {
  imports: 0.5,
  calls: 1,
  references: 0.5,
  inherits: 1,
  overrides: 1,
  tests: 1,
  documents: 0.7,
};
/** To what uses a piece, in the share of what the piece uses. */
const backwards = 0.6;
/** Of a piece that everything uses. */
const mostUsers = 100;
/** Pieces whose edges are kept. */
const mostKept = 50_000;

export function readPieceEdges(store: Store, index: SearchIndex): PieceEdges {
  const numberOf = new Map(index.files.map(({ path }, number) => [path, number]));
  const ids = new Map<number, number>(); // number of a file in the index → in the store
  const numbers = new Map<number, number>();
  for (const { id, path } of store.prepare("SELECT id, path FROM files").iterate()) {
    const number = numberOf.get(String(path));
    if (number === undefined) continue;
    ids.set(number, Number(id));
    numbers.set(Number(id), number);
  }
  const entities = keepEntities(store, index, numbers);
  const usesOf = store.prepare(
    "SELECT target AS other, kind, confidence AS sure FROM edges WHERE file = ? AND source BETWEEN ? AND ?",
  );
  const usersOf = store.prepare(
    `SELECT source AS other, kind, confidence AS sure FROM edges WHERE target BETWEEN ? AND ? LIMIT ${mostUsers}`,
  );
  const kept = new Map<number, readonly PieceEdge[]>();
  return (piece) => {
    const known = kept.get(piece);
    if (known !== undefined) return known;
    const file = ids.get(index.fileOfPiece[piece] ?? -1);
    const edges = new Map<number, number>();
    const add = (row: Row, named: number | undefined, share: number): void => {
      const other = entities.pieceOf(Number(row.other));
      if (other === undefined || other === piece) return;
      const kind = edgeKinds[Number(row.kind)] ?? "references";
      const weight = (share * kindWeights[kind] * Number(row.sure)) / confidenceUnit;
      const rarity = Math.log2(2 + timesSaid(index, named ?? other));
      edges.set(other, (edges.get(other) ?? 0) + weight / rarity);
    };
    for (const [first, last] of file === undefined ? [] : entities.inPiece(file, piece)) {
      for (const row of usesOf.all(file ?? 0, first, last)) add(row, undefined, 1);
      for (const row of usersOf.all(first, last)) add(row, piece, backwards);
    }
    const found = [...edges].map(([other, weight]) => ({ piece: other, weight }));
    if (kept.size >= mostKept) kept.clear();
    kept.set(piece, found);
    return found;
  };
}

type Row = Readonly<Record<string, unknown>>;

/** How many pieces say the name: what everything uses leads nowhere. */
function timesSaid(index: SearchIndex, piece: number): number {
  const { name } = index.piece(piece);
  const rows = name === "" ? undefined : index.rowsOf(hashTerm(name, "identifier"));
  return rows === undefined ? 0 : rows.to - rows.from;
}

type Run = [first: number, last: number];

interface Entities {
  /** The innermost piece around an entity; a file is its first piece. */
  pieceOf(entity: number): number | undefined;
  /** Entities of which the piece is the innermost, as runs of numbers in the store, both ends included. */
  inPiece(file: number, piece: number): readonly Run[];
}

/** Which entities stand in which pieces, a file at a time. */
function keepEntities(store: Store, index: SearchIndex, numbers: ReadonlyMap<number, number>): Entities {
  const fileOf = store.prepare("SELECT file FROM entities WHERE id = ?");
  const ofFile = store.prepare(
    "SELECT id, start_line AS line, end_line AS last FROM entities WHERE file = ?",
  );
  const pieces = new Map<number, number>();
  const byPiece = new Map<number, Run[]>();
  const read = new Set<number>();
  const readFile = (file: number): void => {
    const number = numbers.get(file);
    if (number === undefined || read.has(file)) return;
    read.add(file);
    for (const { id, line, last } of ofFile.all(file)) {
      const piece = pieceAtLine(index, number, Number(line), Number(last));
      pieces.set(Number(id), piece);
      const runs = byPiece.get(piece);
      const run = runs?.at(-1);
      if (runs === undefined) byPiece.set(piece, [[Number(id), Number(id)]]);
      else if (run?.[1] === Number(id) - 1) run[1] = Number(id);
      else runs.push([Number(id), Number(id)]);
    }
  };
  return {
    pieceOf: (entity) => {
      if (!pieces.has(entity)) {
        const file = numbers.has(entity) ? entity : Number(fileOf.get(entity)?.["file"] ?? -1);
        readFile(file);
      }
      return pieces.get(entity);
    },
    inPiece: (file, piece) => {
      readFile(file);
      return byPiece.get(piece) ?? [];
    },
  };
}
