/** BM25 over the terms of `splitTerms`. */
import type { SearchOptions, TextHit } from "../contract.ts";
import type { Store } from "../store/open-store.ts";

export function searchText(
  store: Store,
  table: "file_text" | "entity_text",
  match: string,
  { limit, weights = [] }: SearchOptions,
): readonly TextHit[] {
  const rank = `bm25(${[table, ...weights.map(Number)].join()})`;
  const rows = store
    .prepare(
      `SELECT rowid AS id, -${rank} AS score FROM ${table} WHERE ${table} MATCH ? ORDER BY ${rank} LIMIT ?`,
    )
    .all(match, limit);
  return rows.map((row) => ({ id: Number(row.id), score: Number(row.score) }));
}
