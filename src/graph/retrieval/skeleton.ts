/** Renders a file's path and definitions in one line, for a model that judges the file without its content. */
import type { SearchIndex } from "./search-index.ts";

const mostNames = 25;

export function skeletonOf(index: SearchIndex, number: number): string {
  const file = index.files[number];
  if (file === undefined) return "";
  const names = file.form.pieces
    .filter(({ name, isTest }) => name !== "" && !isTest)
    .map(({ qualified }) => qualified);
  const shown = [...new Set(names)].slice(0, mostNames);
  const more = names.length > mostNames ? ", …" : "";
  return shown.length === 0 ? file.path : `${file.path}: ${shown.join(", ")}${more}`;
}
