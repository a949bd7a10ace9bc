/**
 * Renders the result of edits for their author, who knows the written text. Shows the changed places, and any changes
 * that the author did not write. Pure.
 */
import { countOf } from "../base/count.ts";
import type { EditDone, FileChange } from "../edit/contract.ts";
import { diffLines } from "../edit/line-diff.ts";
import { renderDiff } from "../edit/render-diff.ts";
import { linesOf } from "../edit/text-lines.ts";

/** Maximum number of places to name in a file. */
const mostPlaces = 8;

/** Renders one line for each file. Adds the diff if a text was not matched exactly. */
export function renderEdits(changes: readonly FileChange[], done: readonly EditDone[]): string {
  return changes
    .map((change) => {
      const { path, from = path, before, after } = change;
      const name = from === path ? path : `${path} (was ${from})`;
      if (after === undefined) return `${name} is deleted`;
      if (before === undefined) return `${name} is new: ${countOf(linesOf(after).length, "line")}`;
      const rungs = done.filter((each) => each.path === path).map(({ rung }) => rung);
      const inexact = [...new Set(rungs)].filter((rung) => rung !== undefined && rung !== "exact");
      const changed = `${name} is changed: ${placesOf(before, after)}`;
      if (inexact.length === 0) return changed;
      return `${changed}; matched by ${inexact.join(", ")}, not by exact text. Result:\n${hunksOf(change)}`;
    })
    .join("\n");
}

/** Returns the lines of the changed places in the current text. For a pure deletion, returns the line after it. */
function placesOf(before: string, after: string): string {
  const changed = diffLines(linesOf(before), linesOf(after), (line) => line);
  const told = changed.map(({ toStart, toEnd }) =>
    toEnd - toStart > 1 ? `${toStart + 1}-${toEnd}` : String(toStart + 1),
  );
  const more = told.length > mostPlaces ? ` and ${countOf(told.length - mostPlaces, "more place")}` : "";
  return `line${told.length === 1 && !told[0]?.includes("-") ? "" : "s"} ${told.slice(0, mostPlaces).join(", ")}${more}`;
}

/** Returns the diff's hunks, without the lines that name the file. */
function hunksOf(change: FileChange): string {
  const diff = renderDiff([change]);
  return diff.slice(diff.indexOf("\n@@") + 1).trimEnd();
}
