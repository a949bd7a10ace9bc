/** PageRank of every entity over calls, references, inheritance and imports; kept in the store until it has changed much. */
import type { EdgeKind } from "../contract.ts";
import { inTransaction, type Store, stateOf } from "../store/open-store.ts";
import { edgeKinds } from "../store/schema.ts";
import { rankByWords } from "../words/word-ranks.ts";

const damping = 0.85;
const rounds = 25;
/** Tests and documents say what matters to them, not to the code. */
const kindWeights: Readonly<Record<EdgeKind, number>> = {
  calls: 1,
  inherits: 1,
  references: 0.4,
  imports: 0.4,
  overrides: 0.2,
  tests: 0,
  documents: 0,
};
/** Of edges: as long as no more came or went, the old ranks are good enough. */
const tolerance = 0.05;

/** Definitions that are shown, none of tests. */
const shownKinds = "kind BETWEEN 4 AND 13 AND flags & 4 = 0";
/** More do not fit into any map. */
const mostKept = 20_000;

/** The best first, with their ranks. */
export interface Ranked {
  readonly ids: Int32Array;
  readonly scores: Float64Array;
}

export function rankEntities(store: Store): Ranked {
  const edges = Number(store.prepare("SELECT count(*) AS n FROM edges").get()?.n);
  const kept = readRanks(store, edges);
  if (kept !== undefined) return kept;
  if (edges === 0) return rankWithoutEdges(store);
  const ranked = chooseBest(store, computeRanks(store, edges));
  keepRanks(store, edges, ranked);
  return ranked;
}

const keptHere = new WeakMap<Store, { readonly state: string; readonly ranked: Ranked }>();

/** Definitions change yet, so it is kept here and not in the index: as long as nothing is written. */
function rankWithoutEdges(store: Store): Ranked {
  const [state, kept] = [stateOf(store), keptHere.get(store)];
  if (kept?.state === state) return kept.ranked;
  const size = Number(store.prepare("SELECT max(id) AS n FROM entities").get()?.n ?? 0) + 1;
  const ranked = chooseBest(store, rankByWords(store, size) ?? new Float64Array(size));
  keptHere.set(store, { state, ranked });
  return ranked;
}

function chooseBest(store: Store, ranks: Float64Array): Ranked {
  const rows = store.prepare(`SELECT id FROM entities WHERE ${shownKinds}`).all();
  const all = rows.map(({ id }) => Number(id));
  const best = all.sort((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0) || a - b).slice(0, mostKept);
  return { ids: Int32Array.from(best), scores: Float64Array.from(best, (id) => ranks[id] ?? 0) };
}

function readRanks(store: Store, edges: number): Ranked | undefined {
  const row = store.prepare("SELECT edges, ids, scores FROM ranks").get();
  if (row === undefined || !(row.ids instanceof Uint8Array) || !(row.scores instanceof Uint8Array))
    return undefined;
  if (Math.abs(Number(row.edges) - edges) > edges * tolerance) return undefined;
  return { ids: new Int32Array(row.ids.slice().buffer), scores: new Float64Array(row.scores.slice().buffer) };
}

/** A reader that may not write, or is in the middle of a refresh of its own, keeps nothing: the next one computes again. */
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

function computeRanks(store: Store, count: number): Float64Array {
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

/** 1 for definitions outside of tests: where the walk begins. */
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
