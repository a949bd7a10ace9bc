import type { DatabaseSync } from "node:sqlite";

/** Of a content's hash: `EncodedFacts.head`, where an index has it. */
export function openKnownFacts(database: DatabaseSync): (hash: string) => string | undefined {
  const select = database.prepare("SELECT data FROM facts WHERE hash = ?");
  return (hash) => {
    const row = select.get(hash);
    return row === undefined ? undefined : String(row.data);
  };
}
