/** Finds the sources that load a file, by the text of their imports. Works for languages whose record reads imports. */
import { languageOf } from "../languages/source-files.ts";

/**
 * Returns the paths that the text may import, without extension. In JavaScript and TypeScript, the paths start at the
 * repository's root. In other languages, a path may lack its first folders, because imports name modules. Empty for a
 * language whose record does not read imports.
 */
export function importedStems(path: string, text: string): readonly string[] {
  return languageOf(path)?.importedStems?.(path, text) ?? [];
}

/**
 * Returns the paths, without extension, by which other files may import this file. If the language searches folders for
 * modules, returns all ends of the file's path that have at least two parts, or the path itself if it has one.
 */
export function stemsOf(path: string): string[] {
  const stem = stemOf(path).replace(/\/(?:index|__init__|init)$/, "");
  if (languageOf(path)?.searchesFolders !== true) return [stem];
  const parts = stem.split("/");
  // The last part alone is shared by many files.
  return parts.slice(0, Math.max(1, parts.length - 1)).map((_, index) => parts.slice(index).join("/"));
}

function stemOf(path: string): string {
  const extension = [...(languageOf(path)?.extensions ?? []), ".json"].find((one) => path.endsWith(one));
  return extension === undefined ? path : path.slice(0, -extension.length);
}
