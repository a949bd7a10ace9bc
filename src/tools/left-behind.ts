/**
 * Finds the places that still use code that edits remove. The code graph knows these uses, even if no language server
 * checks the edits.
 */
import { countOf } from "../base/count.ts";
import type { FileChange } from "../edit/contract.ts";
import type { CodeGraph, EdgeKind, Entity } from "../graph/contract.ts";
import { extractSymbols } from "../syntax/symbols/extract-symbols.ts";
import { certain } from "./uses.ts";

const kinds: readonly EdgeKind[] = ["imports", "calls", "references", "inherits"];
/** Maximum number of named places. `definitions`: maximum number of examined definitions in a file. */
const most = { places: 8, definitions: 200 };

/**
 * Finds certain uses of removed definitions in files that the edits do not change. Returns at most eight lines such as
 * `src/a.py:3 uses pick, of src/b.py`, and then the number of further places, if any.
 */
export async function findLeftBehind(graph: CodeGraph, changes: readonly FileChange[]): Promise<string[]> {
  const changed = new Set(changes.flatMap(({ path, from = path }) => [path, from]));
  const lines = new Set<string>();
  for (const change of changes) {
    const { path, from = path } = change;
    for (const entity of await lostBy(graph, change)) {
      for (const { edge, from: user } of graph.incoming(entity.id, kinds, { minConfidence: certain })) {
        if (changed.has(user.path)) continue;
        const what = entity.path === from && entity.kind === "file" ? from : `${entity.name}, of ${from}`;
        lines.add(`${user.path}:${edge.at.line} ${edge.kind === "imports" ? "imports" : "uses"} ${what}`);
      }
    }
  }
  const told = [...lines].slice(0, most.places);
  const more = lines.size - told.length;
  return more > 0 ? [...told, `and ${countOf(more, "more place")}`] : told;
}

/**
 * Returns the definitions whose name the file no longer contains. For a deleted or renamed file, adds the file itself.
 */
async function lostBy(graph: CodeGraph, { path, from = path, before, after }: FileChange): Promise<Entity[]> {
  if (before === undefined) return [];
  const file = graph.file(from);
  const isGone = after === undefined || from !== path;
  const whole = isGone && file !== undefined ? (graph.entity(file.id) ?? undefined) : undefined;
  const kept = after === undefined ? undefined : await extractSymbols(path, after);
  if (after !== undefined && kept === undefined) return [];
  const names = new Set(kept?.definitions.map(({ name }) => name));
  const lost = graph.outline(from).filter(({ name, inTests }) => !inTests && !names.has(name));
  return [...(whole === undefined ? [] : [whole]), ...lost.slice(0, most.definitions)];
}
