import type { DatabaseSync } from "node:sqlite";

/** Returns a function that finds `EncodedFacts.head` by a content's hash; undefined if the index does not have it. */
export function openKnownFacts(database: DatabaseSync): (hash: string) => string | undefined {
  const select = database.prepare("SELECT data FROM facts WHERE hash = ?");
  return (hash) => {
    const row = select.get(hash);
    return row === undefined ? undefined : String(row.data);
  };
}
