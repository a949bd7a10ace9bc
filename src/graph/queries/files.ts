/** Lists the repository's files, and counts those that the index covers. */
import type { SQLOutputValue } from "node:sqlite";
import type { Completeness, GraphFile } from "../contract.ts";
import type { Store } from "../store/open-store.ts";
import { fileFlags } from "../store/schema.ts";

const columns = "id, path, language, bytes, lines, flags, errors, skipped";

export function listFiles(store: Store): readonly GraphFile[] {
  return store.prepare(`SELECT ${columns} FROM files ORDER BY path`).all().map(readFile);
}

export function findFile(store: Store, path: string): GraphFile | undefined {
  const row = store.prepare(`SELECT ${columns} FROM files WHERE path = ?`).get(path);
  return row === undefined ? undefined : readFile(row);
}

function readFile(row: Record<string, SQLOutputValue>): GraphFile {
  const flags = Number(row.flags);
  return {
    id: Number(row.id),
    path: String(row.path),
    language: String(row.language),
    bytes: Number(row.bytes),
    lines: Number(row.lines),
    isTest: (flags & fileFlags.test) !== 0,
    isGenerated: (flags & fileFlags.generated) !== 0,
    syntaxErrors: Number(row.errors),
    skipped: row.skipped === null ? undefined : String(row.skipped),
  };
}

export function measureCompleteness(store: Store): Completeness {
  const total = store.prepare("SELECT value FROM meta WHERE key = 'files'").get()?.value;
  const counts = store.prepare("SELECT count(*) AS indexed, sum(resolved) AS resolved FROM files").get();
  const indexed = Number(counts?.indexed ?? 0);
  const resolved = Number(counts?.resolved ?? 0);
  const files = total === undefined ? indexed : Math.max(Number(total), indexed);
  const skipped: Record<string, number> = {};
  const reasons =
    "SELECT skipped, count(*) AS n FROM files WHERE skipped IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1";
  for (const row of store.prepare(reasons).all()) skipped[String(row.skipped)] = Number(row.n);
  const byWords = Number(
    store.prepare("SELECT count(*) AS n FROM files WHERE facts IS NULL AND words IS NOT NULL").get()?.n ?? 0,
  );
  const complete = total !== undefined && indexed >= files && resolved >= indexed;
  return { files, indexed, resolved, byWords, skipped, complete };
}
