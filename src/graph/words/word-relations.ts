/** Derives edges from words, for files with unresolved references: each use of a definition's name is an edge. */
import { confidences } from "../confidence.ts";
import type { Edge, EdgeKind, Entity, EntityNumber, Relation, RelationOptions } from "../contract.ts";
import { findEntity } from "../queries/find-entities.ts";
import type { Store } from "../store/open-store.ts";
import { confidenceUnit } from "../store/schema.ts";
import { openWords, type Words } from "./open-words.ts";
import { wordKinds } from "./segment.ts";

const mostRelations = 1000;
/** Maximum number of definitions of one name; with more, the meaning is unknown. */
const mostMeant = 6;

/** The confidence of one of several definitions of a name, which are equally likely. */
function confidenceOf(count: number): number {
  const whole = count === 1 ? confidences.unique : confidences.ambiguous / count;
  return Math.round(whole * confidenceUnit) / confidenceUnit;
}

export function findWordsIncoming(
  store: Store,
  id: EntityNumber,
  kinds: readonly EdgeKind[] | undefined,
  options: RelationOptions = {},
): readonly Relation[] {
  const words = openWords(store);
  const to = words === undefined ? undefined : findEntity(store, id);
  if (words === undefined || to === undefined || to.name === "" || isPlace(to)) return [];
  const confidence = confidenceOf(countNamed(store, to.name));
  if (confidence < (options.minConfidence ?? 0)) return [];
  const limit = options.limit ?? mostRelations;
  const found: Relation[] = [];
  for (const file of words.filesWith(to.name)) {
    const inside = openInnermost(store, file);
    for (const { line, isCall } of words.usesIn(file, to.name)) {
      const kind = isCall ? "calls" : "references";
      if (found.length >= limit) return found;
      if (kinds?.includes(kind) === false || inside.defines(to.name, line)) continue;
      const from = inside.at(line);
      if (from === undefined || from.id === id) continue;
      found.push({ edge: edgeOf(kind, from.id, id, line, confidence), from, to });
    }
  }
  return found;
}

export function findWordsOutgoing(
  store: Store,
  id: EntityNumber,
  kinds: readonly EdgeKind[] | undefined,
  options: RelationOptions = {},
): readonly Relation[] {
  const words = openWords(store);
  const from = words === undefined ? undefined : findEntity(store, id);
  if (words === undefined || from === undefined) return [];
  const file = fileOf(store, from);
  if (!words.has(file)) return [];
  const limit = options.limit ?? mostRelations;
  const found: Relation[] = [];
  for (const { name, line, isCall } of usesOf(store, words, file, from)) {
    const kind = isCall ? "calls" : "references";
    if (found.length >= limit) break;
    if (kinds?.includes(kind) === false) continue;
    const meant = meantBy(store, name);
    const confidence = confidenceOf(meant.length);
    if (confidence < (options.minConfidence ?? 0)) continue;
    for (const to of meant)
      if (to !== id) pushRelation(found, store, edgeOf(kind, id, to, line, confidence), from);
  }
  return found;
}

/**
 * Finds the definitions of a name used near a line, in a file with unresolved references. Returns their ids, and the
 * line of the nearest use. Undefined if there is no such use or definition, or too many definitions.
 */
export function findWordsMeant(
  store: Store,
  path: string,
  line: number,
  name: string,
): { readonly ids: readonly number[]; readonly line: number } | undefined {
  const words = openWords(store);
  const file = Number(store.prepare("SELECT id FROM files WHERE path = ?").get(path)?.id ?? 0);
  if (words === undefined || !words.has(file)) return undefined;
  const uses = words.usesIn(file, name);
  const [nearest] = [...uses].sort((a, b) => Math.abs(a.line - line) - Math.abs(b.line - line));
  const ids = nearest === undefined ? [] : meantBy(store, name);
  return nearest === undefined || ids.length === 0 ? undefined : { ids, line: nearest.line };
}

function isPlace({ kind }: Entity): boolean {
  return kind === "repository" || kind === "folder" || kind === "file";
}

function edgeOf(kind: EdgeKind, from: number, to: number, line: number, confidence: number): Edge {
  return { kind, from, to, at: { line, column: 0 }, confidence };
}

function pushRelation(found: Relation[], store: Store, edge: Edge, from: Entity): void {
  const to = findEntity(store, edge.to);
  if (to !== undefined) found.push({ edge, from, to });
}

function countNamed(store: Store, name: string): number {
  return Math.max(
    1,
    Number(store.prepare("SELECT count(*) AS n FROM entities WHERE name = ? AND kind > 2").get(name)?.n),
  );
}

/** The definitions of a name, preferably those outside tests. Empty if the name has too many. */
function meantBy(store: Store, name: string): readonly number[] {
  const rows = store
    .prepare(
      `SELECT id, flags & 4 AS in_tests FROM entities WHERE name = ? AND kind BETWEEN 3 AND 17 LIMIT ${4 * mostMeant}`,
    )
    .all(name);
  const outside = rows.filter((row) => row.in_tests === 0);
  const chosen = outside.length > 0 ? outside : rows;
  return chosen.length > mostMeant ? [] : chosen.map(({ id }) => Number(id));
}

function fileOf(store: Store, { id, kind }: Entity): number {
  if (kind === "file") return id;
  return Number(store.prepare("SELECT file FROM entities WHERE id = ?").get(id)?.file ?? 0);
}

/** The names that an entity's own text uses, once per line, without the text of inner definitions. */
function usesOf(
  store: Store,
  words: Words,
  file: number,
  from: Entity,
): readonly { readonly name: string; readonly line: number; readonly isCall: boolean }[] {
  const inside = openInnermost(store, file);
  const uses = new Map<string, { name: string; line: number; isCall: boolean }>();
  words.each(file, (name, line, kind) => {
    if (kind >= wordKinds.comment || line < from.startLine || line > from.endLine) return;
    if (inside.defines(name, line) || inside.at(line)?.id !== from.id) return;
    const key = `${line} ${name}`;
    if (!uses.has(key)) uses.set(key, { name, line, isCall: kind === wordKinds.call });
  });
  return [...uses.values()];
}

/** Finds the innermost definition around a line of a file, and the lines that define a name. */
function openInnermost(
  store: Store,
  file: number,
): { at(line: number): Entity | undefined; defines(name: string, line: number): boolean } {
  const rows = store
    .prepare(
      "SELECT id, name, line, start_line, end_line FROM entities WHERE file = ? AND kind < 18 ORDER BY end_line - start_line, id DESC",
    )
    .all(file)
    .map((row) => ({
      id: Number(row.id),
      start: Number(row.start_line),
      end: Number(row.end_line),
      key: `${String(row.name)} ${String(row.line)}`,
    }));
  const names = new Set(rows.map(({ key }) => key));
  const entities = new Map<number, Entity | undefined>();
  return {
    defines: (name, line) => names.has(`${name} ${line}`),
    at(line) {
      const id = rows.find(({ start, end }) => start <= line && line <= end)?.id ?? file;
      if (!entities.has(id)) entities.set(id, findEntity(store, id));
      return entities.get(id);
    },
  };
}
