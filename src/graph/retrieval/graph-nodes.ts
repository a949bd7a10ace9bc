/**
 * Maps entities of the index to nodes of the walk over the graph: pieces, and the fields and constants of types and
 * modules.
 */
import { typeKinds, valueKinds } from "../../domain/code-symbols.ts";
import type { Store } from "../store/open-store.ts";
import { entityKinds } from "../store/schema.ts";
import { pieceAtLine, type SearchIndex } from "./search-index.ts";

/** A range of entity numbers in the store, inclusive. */
type Run = [first: number, last: number];

export type Row = Readonly<Record<string, unknown>>;

/** The columns from which `nodeOf` makes a node, in SQL. The query must name the table of entities `other`. */
export const entityColumns =
  "other.id AS id, other.file AS file, other.kind AS kind, other.name AS name, other.start_line AS line, other.end_line AS last";

export interface GraphNodes {
  /** The node of a row with `entityColumns`; undefined if the entity's file is not searched. */
  nodeOf(row: Row): number | undefined;
  pieceOf(node: number): number;
  nameOf(node: number): string;
  /** The entities of a node, and the number of their file in the store. */
  entitiesOf(node: number): { readonly file: number; readonly runs: readonly Run[] };
}

const ownNodes: ReadonlySet<number> = new Set(valueKinds.map((kind) => entityKinds.indexOf(kind)));
const holders: ReadonlySet<string> = new Set(["file", "module", ...typeKinds]);

/**
 * Converts between entities and nodes. A node's number is its piece's number. A field, constant or variable of a type,
 * module or file instead has its entity's number plus the count of all pieces.
 */
export function keepNodes(store: Store, index: SearchIndex): GraphNodes {
  const { fileIds, numbers } = matchFiles(store, index);
  const inLines = store.prepare(
    `SELECT ${entityColumns} FROM entities AS other WHERE file = ? AND start_line BETWEEN ? AND ? ORDER BY id`,
  );
  const behind = index.pieceLength.length;
  const own = new Map<number, { readonly piece: number; readonly name: string }>();
  const nodeOf = (row: Row): number | undefined => {
    const number = numbers.get(Number(row["file"]));
    if (number === undefined) return undefined;
    const piece = pieceAtLine(index, number, Number(row["line"]), Number(row["last"]));
    if (!ownNodes.has(Number(row["kind"])) || !holders.has(index.piece(piece).kind)) return piece;
    const node = behind + Number(row["id"]);
    if (!own.has(node)) own.set(node, { piece, name: String(row["name"]) });
    return node;
  };
  const runsIn = (file: number, piece: number): Run[] => {
    const { startLine, endLine } = index.piece(piece);
    const runs: Run[] = [];
    for (const row of inLines.all(file, startLine, endLine))
      if (nodeOf(row) === piece) addToRuns(runs, Number(row["id"]));
    return runs;
  };
  const pieceOf = (node: number): number => (node < behind ? node : (own.get(node)?.piece ?? 0));
  return {
    pieceOf,
    nodeOf,
    nameOf: (node) => (node < behind ? index.piece(node).name : (own.get(node)?.name ?? "")),
    entitiesOf: (node) => {
      const file = fileIds.get(index.fileOfPiece[pieceOf(node)] ?? -1) ?? -1;
      const runs: Run[] = node >= behind ? [[node - behind, node - behind]] : runsIn(file, node);
      return { file, runs };
    },
  };
}

/** Matches files of the index and of the store: number → id, and id → number. */
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

function addToRuns(runs: Run[], entity: number): void {
  const run = runs.at(-1);
  if (run?.[1] === entity - 1) run[1] = entity;
  else runs.push([entity, entity]);
}
