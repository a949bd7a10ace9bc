/** Entities of the index as nodes of the walk: pieces, and the fields and constants of types and modules. Read a file at a time. */
import type { Store } from "../store/open-store.ts";
import { entityKinds } from "../store/schema.ts";
import { pieceAtLine, type SearchIndex } from "./search-index.ts";

/** Numbers of entities in the store, both ends included. */
type Run = [first: number, last: number];

export interface GraphNodes {
  /** Undefined where the entity stands in no file that is searched. */
  nodeOf(entity: number): number | undefined;
  pieceOf(node: number): number;
  nameOf(node: number): string;
  /** The entities that a node stands for, and the number of their file in the store. */
  entitiesOf(node: number): { readonly file: number; readonly runs: readonly Run[] };
}

const ownNodes: ReadonlySet<number> = new Set(
  (["variable", "constant", "field"] as const).map((kind) => entityKinds.indexOf(kind)),
);
const holders: ReadonlySet<string> = new Set([
  "file",
  "class",
  "struct",
  "trait",
  "interface",
  "enum",
  "type",
  "module",
]);

/** A node is the number of a piece, or that of an entity behind all pieces. */
export function keepNodes(store: Store, index: SearchIndex): GraphNodes {
  const { fileIds, numbers } = matchFiles(store, index);
  const fileOf = store.prepare("SELECT file FROM entities WHERE id = ?");
  const ofFile = store.prepare(
    "SELECT id, kind, name, start_line AS line, end_line AS last FROM entities WHERE file = ? ORDER BY id",
  );
  const behind = index.pieceLength.length;
  const nodes = new Map<number, number>();
  const own = new Map<number, { readonly piece: number; readonly name: string }>();
  const runsOf = new Map<number, Run[]>();
  const read = new Set<number>();
  const readFile = (file: number): void => {
    const number = numbers.get(file);
    if (number === undefined || read.has(file)) return;
    read.add(file);
    for (const { id, kind, name, line, last } of ofFile.all(file)) {
      const entity = Number(id);
      const piece = pieceAtLine(index, number, Number(line), Number(last));
      const isOwn = ownNodes.has(Number(kind)) && holders.has(index.piece(piece).kind);
      const node = isOwn ? behind + entity : piece;
      if (isOwn) own.set(node, { piece, name: String(name) });
      nodes.set(entity, node);
      addToRuns(runsOf, node, entity);
    }
  };
  const pieceOf = (node: number): number => (node < behind ? node : (own.get(node)?.piece ?? 0));
  return {
    pieceOf,
    nodeOf: (entity) => {
      if (!nodes.has(entity))
        readFile(numbers.has(entity) ? entity : Number(fileOf.get(entity)?.["file"] ?? -1));
      return nodes.get(entity);
    },
    nameOf: (node) => (node < behind ? index.piece(node).name : (own.get(node)?.name ?? "")),
    entitiesOf: (node) => {
      const file = fileIds.get(index.fileOfPiece[pieceOf(node)] ?? -1) ?? -1;
      readFile(file);
      return { file, runs: runsOf.get(node) ?? [] };
    },
  };
}

/** Files of the index and of the store: number → id, and id → number. */
function matchFiles(
  store: Store,
  { files }: SearchIndex,
): { readonly fileIds: ReadonlyMap<number, number>; readonly numbers: ReadonlyMap<number, number> } {
  const numberOf = new Map(files.map(({ path }, number) => [path, number]));
  const fileIds = new Map<number, number>();
  const numbers = new Map<number, number>();
  for (const { id, path } of store.prepare("SELECT id, path FROM files").iterate()) {
    const number = numberOf.get(String(path));
    if (number === undefined) continue;
    fileIds.set(number, Number(id));
    numbers.set(Number(id), number);
  }
  return { fileIds, numbers };
}

function addToRuns(runsOf: Map<number, Run[]>, node: number, entity: number): void {
  const runs = runsOf.get(node);
  const run = runs?.at(-1);
  if (runs === undefined) runsOf.set(node, [[entity, entity]]);
  else if (run?.[1] === entity - 1) run[1] = entity;
  else runs.push([entity, entity]);
}
