/**
 * Computes the PageRank of every entity over calls, references, inheritance, overrides and imports. Stores the ranks,
 * and computes them again once the number of edges has changed by more than 5 %. If there are no edges yet, ranks by
 * words.
 */
import type { EdgeKind } from "../contract.ts";
import { inTransaction, type Store } from "../store/open-store.ts";
import { edgeKinds } from "../store/schema.ts";
import { restsOnWords } from "../words/open-words.ts";
import { rankByWords } from "../words/word-ranks.ts";

const damping = 0.85;
const rounds = 25;
/** Uses by tests and documents do not show the importance of an entity for the code. */
const kindWeights: Readonly<Record<EdgeKind, number>> = {
  calls: 1,
  inherits: 1,
  references: 0.4,
  imports: 0.4,
  overrides: 0.2,
  tests: 0,
  documents: 0,
};
/** The share of added or removed edges up to which the old ranks are good enough. */
const tolerance = 0.05;

/** SQL for the kinds that maps show. */
const shownKinds = "kind BETWEEN 4 AND 13";
const shownOfCode = `${shownKinds} AND flags & 4 = 0`;
/** Maximum number of stored ranks: no map has space for more. */
const mostKept = 20_000;

/** Entity numbers with their scores, best first. Both lists have the same order. */
export interface Ranked {
  readonly ids: Int32Array;
  readonly scores: Float64Array;
}

export function rankEntities(store: Store, edges: number = countEdges(store)): Ranked {
  if (edges > 0 || restsOnWords(store)) {
    const kept = readRanks(store, edges);
    if (kept !== undefined) return kept;
  }
  const ranked = computeRanked(store, edges);
  if (edges > 0) keepRanks(store, edges, ranked);
  return ranked;
}

/**
 * Computes the ranks in advance, so that the first question does not wait. The computation takes 0.1 s from words
 * alone, and 1 s for a million edges.
 */
export function prepareRanks(store: Store): void {
  const edges = countEdges(store);
  if (edges > 0) rankEntities(store, edges);
  else if (restsOnWords(store)) keepRanks(store, edges, computeRanked(store, edges));
}

function countEdges(store: Store): number {
  return Number(store.prepare("SELECT count(*) AS n FROM edges").get()?.n);
}

function computeRanked(store: Store, edges: number): Ranked {
  const { ids, names } = readShown(store);
  if (edges === 0) return chooseBest(ids, rankByWords(store, names) ?? new Float64Array(ids.length));
  const ranks = walkEdges(store, edges);
  return chooseBest(
    ids,
    Float64Array.from(ids, (id) => ranks[id] ?? 0),
  );
}

interface Shown {
  readonly ids: Int32Array;
  readonly names: readonly string[];
}

/**
 * Reads the shown entities as two texts. A row for each of tens of thousands of definitions would take most of a first
 * map's time.
 */
function readShown(store: Store): Shown {
  for (const which of [shownOfCode, shownKinds]) {
    const row = store
      .prepare(`SELECT group_concat(id) AS ids, group_concat(name, char(31)) AS names
        FROM (SELECT id, name FROM entities WHERE ${which} ORDER BY id)`)
      .get();
    if (typeof row?.ids !== "string") continue;
    return {
      ids: Int32Array.from(row.ids.split(","), Number),
      names: String(row.names).split("\u001f"),
    };
  }
  return { ids: new Int32Array(0), names: [] };
}

/** The ids with the best scores. Among equal scores, the smaller id comes first, because `ids` ascend. */
function chooseBest(ids: Int32Array, scores: Float64Array): Ranked {
  const least = scores.toSorted().at(-mostKept) ?? 0;
  const good = Int32Array.from(scores.keys()).filter((at) => (scores[at] ?? 0) >= least);
  const best = good.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b).subarray(0, mostKept);
  return {
    ids: Int32Array.from(best, (at) => ids[at] ?? 0),
    scores: Float64Array.from(best, (at) => scores[at] ?? 0),
  };
}

function readRanks(store: Store, edges: number): Ranked | undefined {
  const row = store.prepare("SELECT edges, ids, scores FROM ranks").get();
  if (row === undefined || !(row.ids instanceof Uint8Array) || !(row.scores instanceof Uint8Array))
    return undefined;
  if (Math.abs(Number(row.edges) - edges) > edges * tolerance) return undefined;
  return { ids: new Int32Array(row.ids.slice().buffer), scores: new Float64Array(row.scores.slice().buffer) };
}

/**
 * Stores the ranks. Does nothing for a process that may not write, or that is inside its own refresh. The next reader
 * then computes the ranks again.
 */
function keepRanks(store: Store, edges: number, { ids, scores }: Ranked): void {
  if (store.database.isTransaction) return;
  try {
    inTransaction(store, () => {
      store.prepare("DELETE FROM ranks").run();
      const insert = store.prepare("INSERT INTO ranks VALUES (?,?,?)");
      insert.run(edges, new Uint8Array(ids.buffer), new Uint8Array(scores.buffer));
    });
  } catch (error) {
    if (!(error instanceof Error && /locked|busy|readonly/.test(error.message))) throw error;
  }
}

interface Weighted {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly weight: Float32Array;
}

function walkEdges(store: Store, count: number): Float64Array {
  const size = Number(store.prepare("SELECT max(id) AS n FROM entities").get()?.n ?? 0) + 1;
  const isOurs = readStart(store, size);
  const { from, to, weight } = readWeighted(store, count, isOurs);
  const out = new Float64Array(size);
  for (let at = 0; at < from.length; at++) out[from[at] ?? 0] = (out[from[at] ?? 0] ?? 0) + (weight[at] ?? 0);
  const start =
    1 /
    Math.max(
      1,
      isOurs.reduce((sum, one) => sum + one, 0),
    );
  let ranks = Float64Array.from(isOurs, (one) => one * start);
  for (let round = 0; round < rounds; round++) {
    const next = Float64Array.from(isOurs, (one) => one * start * (1 - damping));
    for (let at = 0; at < from.length; at++) {
      const source = from[at] ?? 0;
      const target = to[at] ?? 0;
      next[target] =
        (next[target] ?? 0) + (damping * (ranks[source] ?? 0) * (weight[at] ?? 0)) / (out[source] ?? 1);
    }
    ranks = next;
  }
  return ranks;
}

/** The start of the walk: 1 for definitions outside tests, 0 for others. */
function readStart(store: Store, size: number): Uint8Array {
  const isOurs = new Uint8Array(size);
  const rows = store.prepare("SELECT id FROM entities WHERE kind > 2 AND kind < 17 AND flags & 4 = 0");
  for (const { id } of rows.iterate()) isOurs[Number(id)] = 1;
  return isOurs;
}

function readWeighted(store: Store, count: number, isOurs: Uint8Array): Weighted {
  const [from, to, weight] = [new Int32Array(count), new Int32Array(count), new Float32Array(count)];
  const weights = edgeKinds.map((kind) => kindWeights[kind]);
  let used = 0;
  for (const row of store.prepare("SELECT kind, source, target, confidence FROM edges").iterate()) {
    const value = (weights[Number(row.kind)] ?? 0) * Number(row.confidence);
    const source = Number(row.source);
    if (value === 0 || isOurs[source] !== 1 || used >= count) continue;
    from[used] = source;
    to[used] = Number(row.target);
    weight[used++] = value;
  }
  return { from: from.subarray(0, used), to: to.subarray(0, used), weight: weight.subarray(0, used) };
}
