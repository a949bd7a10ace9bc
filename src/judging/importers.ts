/** Which sources load a file, as far as import statements show, in languages whose record reads these. */
import { languageOf } from "../languages/source-files.ts";

/**
 * Paths without extension that the text may import. Scripts' paths start at the root; module names count by their last
 * parts.
 */
export function importedStems(path: string, text: string): readonly string[] {
  return languageOf(path)?.importedStems?.(path, text) ?? [];
}

/** The stems by which other files may name this one. */
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
