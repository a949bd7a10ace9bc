import type { DatabaseSync } from "node:sqlite";

/**
 * Returns a function that finds the stored `EncodedFacts.head` for the hash of a file's content. The function returns
 * undefined if the index has no facts for that content.
 */
export function openKnownFacts(database: DatabaseSync): (hash: string) => string | undefined {
  const select = database.prepare("SELECT data FROM facts WHERE hash = ?");
  return (hash) => {
    const row = select.get(hash);
    return row === undefined ? undefined : String(row.data);
  };
}
