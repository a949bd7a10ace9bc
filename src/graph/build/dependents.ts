/** Marks the files whose references Millwright has to resolve again after one file has changed. */
import type { Import } from "../../domain/code-symbols.ts";
import type { FileChange, FilePlace } from "../store/file-rows.ts";
import { byPlace, filesMentioning } from "../store/mentions.ts";
import type { Store } from "../store/open-store.ts";

/**
 * Marks the files that depend on a changed file. Returns true if the file's imports (apart from their lines), language,
 * flags and module name are unchanged.
 */
export function markDependents(store: Store, change: FileChange, path: string): boolean {
  const { file, isNew } = change;
  const [before, now] = change.places;
  const names = new Set(change.names);
  const isMoved = before === undefined || !isSamePlace(before, now);
  if (isNew || isMoved) for (const name of namesOfPath(path)) names.add(name);
  if (isMoved) for (const name of namesOfPlace(store, file, [before, now])) names.add(name);
  const imports = differing(before?.imports ?? [], now.imports);
  for (const { alias, name } of imports)
    for (const one of [alias, name]) if (one !== undefined) names.add(one);
  if (!isNew && imports.some(isWide)) markImporting(store, file);
  markMentioning(store, file, names);
  if (names.size > 0) markSubclasses(store, file);
  return !isMoved && imports.length === 0;
}

/**
 * Returns a file's names in imports: its file name with all, some or no extensions, and its folder's name (for an index
 * file). Also `byPlace`, the mark of imports by location.
 */
export function namesOfPath(path: string): string[] {
  const [name = "", folder = ""] = path.split("/").reverse();
  const names = [name, name.replace(/\..*$/, ""), name.replace(/\.[^.]*$/, ""), folder];
  return [...names.filter((one) => one !== ""), byPlace];
}

/** Marks the files that mention any of the names, except the changed file. Millwright resolves marked files again. */
export function markMentioning(store: Store, changed: number, names: ReadonlySet<string>): void {
  const mark = store.prepare("UPDATE files SET resolved = 0 WHERE id = ? AND facts IS NOT NULL");
  for (const file of filesMentioning(store, names)) if (file !== changed) mark.run(file);
}

function isSamePlace(before: FilePlace, now: FilePlace): boolean {
  return before.language === now.language && before.flags === now.flags && before.module === now.module;
}

/** The file's definitions and module names. Files that import them may now find them elsewhere. */
function namesOfPlace(store: Store, file: number, places: readonly (FilePlace | undefined)[]): string[] {
  const defined = store.prepare("SELECT name FROM entities WHERE file = ?").all(file);
  const modules = places.flatMap((place) => place?.module?.split(/[^\p{L}\p{N}_$]+/u) ?? []);
  return [...defined.map(({ name }) => String(name)), ...modules];
}

/**
 * Imports that are in only one of the two lists, on any line. If the lists differ only in order or repetition: all
 * present imports.
 */
function differing(before: readonly Import[], now: readonly Import[]): Import[] {
  const key = (one: Import): string => JSON.stringify({ ...one, line: 0 });
  const [keysBefore, keysNow] = [before.map(key), now.map(key)];
  if (keysBefore.join() === keysNow.join()) return [];
  const [inBefore, inNow] = [new Set(keysBefore), new Set(keysNow)];
  const some = [
    ...before.filter((_, index) => !inNow.has(keysBefore[index] ?? "")),
    ...now.filter((_, index) => !inBefore.has(keysNow[index] ?? "")),
  ];
  return some.length > 0 ? some : [...now];
}

/** True for an import of a whole module. Importers of this file may get the module's names from this file. */
function isWide({ name, alias }: Import): boolean {
  return name === "*" || (name === undefined && alias === undefined);
}

function markImporting(store: Store, changed: number): void {
  store
    .prepare(
      `WITH RECURSIVE above (file) AS (
         SELECT ?1 UNION SELECT x.source FROM above JOIN edges x ON x.target = above.file AND x.kind = 0)
       UPDATE files SET resolved = 0 WHERE facts IS NOT NULL AND id <> ?1 AND id IN (SELECT file FROM above)`,
    )
    .run(changed);
}

/** Marks the files with subclasses of the file's types, because the subclasses inherit members from these types. */
function markSubclasses(store: Store, changed: number): void {
  store
    .prepare(
      `WITH RECURSIVE below (type) AS (
         SELECT id FROM entities WHERE file = ?1
         UNION SELECT x.source FROM below JOIN edges x ON x.target = below.type AND x.kind = 3)
       UPDATE files SET resolved = 0 WHERE facts IS NOT NULL AND id <> ?1
         AND id IN (SELECT e.file FROM below JOIN entities e ON e.id = below.type)`,
    )
    .run(changed);
}
