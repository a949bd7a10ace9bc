/** Finds the meaning of a name near a line of a file. A person or a model gives FILE, LINE and NAME. */
import type { MeantAt } from "../contract.ts";
import type { Store } from "../store/open-store.ts";
import { findEntity } from "./find-entities.ts";

const nearLines = 10;

/**
 * Finds the meaning of a name at a line: definitions of the name, or targets of references with the name. Returns only
 * those nearest to the line. Undefined if the file has neither.
 */
export function findMeantAt(store: Store, path: string, line: number, name: string): MeantAt | undefined {
  const file = Number(store.prepare("SELECT id FROM files WHERE path = ?").get(path)?.id ?? 0);
  const rows = store
    .prepare(
      `SELECT id, line, column FROM entities WHERE file = ?1 AND name = ?2
       UNION SELECT x.target, x.line, x.column FROM edges x JOIN entities e ON e.id = x.target
         WHERE x.file = ?1 AND x.kind IN (0, 1, 2, 3) AND e.name = ?2 AND e.kind > 2`,
    )
    .all(file, name)
    .map((row) => ({ id: Number(row.id), at: { line: Number(row.line), column: Number(row.column) } }))
    .sort((a, b) => Math.abs(a.at.line - line) - Math.abs(b.at.line - line));
  const [first] = rows;
  if (first === undefined) return undefined;
  const nearest = Math.abs(first.at.line - line);
  const ids = new Set(rows.filter(({ at }) => Math.abs(at.line - line) === nearest).map(({ id }) => id));
  const entities = [...ids].flatMap((id) => findEntity(store, id) ?? []);
  return { entities, found: nearest === 0 ? "line" : nearest <= nearLines ? "near" : "file", at: first.at };
}
