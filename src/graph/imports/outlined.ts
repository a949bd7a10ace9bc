/** Makes the import rules of languages whose outline gives the possible places of a module. */
import type { ModulePlaces } from "../../syntax/outline.ts";
import { outlineOf } from "../../syntax/outlines/index.ts";
import type { FileInfo, FileTable } from "../resolve/file-table.ts";
import { bySuffix, found, type ImportRules, type ImportTarget } from "./contract.ts";

/** Returns the import rules of a language; undefined if the language's outline does not describe modules. */
export function outlinedRules(language: string): ImportRules | undefined {
  const modules = outlineOf(language)?.modules;
  if (modules === undefined) return undefined;
  return {
    find: ({ file, source }, table) => findPlaces(modules(source, file.path), file, table),
    // Files that name the same package need no import of each other.
    around: (file, table) =>
      file.module === undefined
        ? []
        : table.ofModule(file.module).filter(({ family }) => family === file.family),
  };
}

function findPlaces(places: ModulePlaces, file: FileInfo, table: FileTable): ImportTarget | undefined {
  for (const path of places.paths ?? []) {
    const beside = table.byPath(path);
    if (beside !== undefined) return found([beside]);
  }
  const named = places.parts === undefined ? undefined : findPackage(places, file, table);
  if (named !== undefined) return named;
  for (const ending of places.endings ?? []) {
    const files = bySuffix(table, ending, file);
    if (files.length > 0) return found(files.slice(0, 1));
  }
  return undefined;
}

/** The files of the longest package with which the name begins. Prefers files named after the imported definition. */
function findPackage(
  { parts = [], separator = "." }: ModulePlaces,
  file: FileInfo,
  table: FileTable,
): ImportTarget | undefined {
  for (let taken = parts.length; taken > 0; taken--) {
    const files = table
      .ofModule(parts.slice(0, taken).join(separator))
      .filter(({ family }) => family === file.family);
    const inside = parts.slice(taken);
    const named = files.filter(({ path }) => path.replace(/^.*\/|\.[^./]*$/g, "") === inside[0]);
    if (files.length > 0) return found(named.length > 0 ? named : files, inside);
  }
  return undefined;
}
