/**
 * Renders uses as lines, grouped by file. Each line shows the enclosing definition and the source line's text. Readers
 * then need not open the file.
 */
import type { EditableFiles } from "../edit/contract.ts";
import { certain, type Use } from "./uses.ts";

const longestLine = 120;
/** Maximum number of files whose lines the answer shows. Reading more costs more than it helps. */
const mostFiles = 60;

/**
 * Renders uses grouped by file, and by line within a file. The files have the same order as in `uses`, where the most
 * certain uses come first.
 */
export async function renderUses(files: EditableFiles, uses: readonly Use[]): Promise<string[]> {
  const lines: string[] = [];
  let read = 0;
  for (const [path, own] of Map.groupBy(uses, (use) => use.path)) {
    const text = ++read > mostFiles ? undefined : await files.read(path);
    const content = text?.ok ? (text.value ?? "").split("\n") : [];
    lines.push(path);
    for (const use of own.toSorted((a, b) => a.line - b.line))
      lines.push(`  ${useLine(use, content[use.line - 1])}`);
  }
  return lines;
}

/** Renders a use: `12  calls  in Cart.pick  | return pick(items)`. */
function useLine({ line, kind, from, confidence }: Use, text: string | undefined): string {
  const within = from === undefined || from.kind === "file" ? "" : `  in ${from.qualified}`;
  const doubt = confidence < certain ? "  (perhaps)" : "";
  const shown = text === undefined || text.trim() === "" ? "" : `  | ${text.trim().slice(0, longestLine)}`;
  return `${line}  ${kind}${within}${doubt}${shown}`;
}
