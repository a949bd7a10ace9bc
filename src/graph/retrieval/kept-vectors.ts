/**
 * Stores vectors of texts next to the index, by the embedded text. So Millwright embeds and pays for an unchanged text
 * only once, even if the index is rebuilt. The vectors have a separate file, because they do not depend on the
 * repository alone.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface KeptVectors {
  /** Returns the vector with this hash; undefined if it is not stored. */
  get(hash: string): Float32Array | undefined;
  put(hash: string, vector: Float32Array): void;
  close(): void;
}

/** Opens the stored vectors in the folder of an index. A vector's key is `hashText` of its embedder and its text. */
export function openKeptVectors(directory: string): KeptVectors {
  const database = new DatabaseSync(join(directory, "vectors.sqlite"));
  database.exec("PRAGMA journal_mode = wal; PRAGMA synchronous = normal; PRAGMA busy_timeout = 5000");
  database.exec(
    "CREATE TABLE IF NOT EXISTS vectors (hash TEXT PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID",
  );
  const select = database.prepare("SELECT vector FROM vectors WHERE hash = ?");
  const insert = database.prepare("INSERT OR REPLACE INTO vectors VALUES (?, ?)");
  return {
    get: (hash) => {
      const bytes = select.get(hash)?.["vector"];
      return bytes instanceof Uint8Array ? new Float32Array(new Uint8Array(bytes).buffer) : undefined;
    },
    put: (hash, vector) => {
      insert.run(hash, new Uint8Array(Float32Array.from(vector).buffer));
    },
    close: () => database.close(),
  };
}

export function hashText(embedder: string, text: string): string {
  return createHash("sha256").update(`${embedder}\0`).update(text).digest("base64url").slice(0, 27);
}
