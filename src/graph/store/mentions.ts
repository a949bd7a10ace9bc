/**
 * The names that a file mentions. If a change adds, removes or moves definitions of a name, Millwright resolves the
 * references of these files again. Names are stored as 32-bit hashes. A collision only causes unnecessary work.
 */
import type { FileSymbols } from "../../domain/code-symbols.ts";
import { plainName } from "./identify.ts";
import type { Store } from "./open-store.ts";

/** Hashes a name with FNV-1a over UTF-16 code units. */
export function nameHash(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) {
    hash ^= name.charCodeAt(at);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash | 0;
}

/** Hashes the names that a file mentions. Returns the hashes in ascending order, each once. */
export function hashMentions(facts: FileSymbols): number[] {
  return [...Int32Array.from(new Set([...mentionedNames(facts)].map(nameHash))).sort()];
}

/** Replaces a file's mentions. Leaves unchanged rows in place. `isNew`: true if the file has no rows yet. */
export function writeMentions(store: Store, file: number, hashes: readonly number[], isNew: boolean): void {
  const rows = isNew ? [] : store.prepare("SELECT name FROM mentions WHERE file = ?").all(file);
  const known = new Set(rows.map(({ name }) => Number(name)));
  const insert = store.prepare("INSERT INTO mentions VALUES (?,?)");
  for (const hash of hashes) if (!known.delete(hash)) insert.run(file, hash);
  const remove = store.prepare("DELETE FROM mentions WHERE file = ? AND name = ?");
  for (const hash of known) remove.run(file, hash);
}

/**
 * The mention that marks a file with imports by location (`from . import a`). Any added or removed file may change the
 * meaning of these imports.
 */
export const byPlace = ".";

/**
 * `from . import a`, `import ".."`, `use super::a`: these can refer to any added or removed file, whatever its name.
 */
function isByPlace(source: string): boolean {
  return /^[./\\]+$/.test(source) || /^(?:super|self|crate)\b/.test(source);
}

function mentionedNames(facts: FileSymbols): Set<string> {
  const names = new Set<string>();
  const addSegments = (written: string): void => {
    for (const segment of plainName(written).split(/[./\\]+/)) if (segment !== "") names.add(segment);
  };
  for (const { name, receiver, receiverType, headType, owner } of facts.references) {
    names.add(name);
    if (receiver !== undefined) addSegments(receiver);
    if (receiverType !== undefined) addSegments(receiverType);
    if (headType !== undefined) addSegments(headType);
    if (owner !== undefined) addSegments(owner);
  }
  for (const { source, name } of facts.imports) {
    addSegments(source.replace(/^[<"']|[>"']$/g, ""));
    if (isByPlace(source)) names.add(byPlace);
    if (name !== undefined) names.add(name);
  }
  for (const { owner, type } of facts.definitions) {
    if (owner !== undefined) addSegments(owner);
    if (type !== undefined) addSegments(type);
  }
  return names;
}

/**
 * Returns the numbers of the files that mention one of the names, in ascending order. May include a file that mentions
 * another name with the same hash.
 */
export function filesMentioning(store: Store, names: Iterable<string>): number[] {
  const select = store.prepare("SELECT file FROM mentions WHERE name = ?");
  const files = new Set<number>();
  for (const name of names) for (const row of select.all(nameHash(name))) files.add(Number(row.file));
  return [...files].sort((a, b) => a - b);
}
