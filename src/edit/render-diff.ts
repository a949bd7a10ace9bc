/** Renders the unified diff of new texts in git's form, which `git apply` accepts. */
import { structuredPatch } from "diff";
import type { FileChange } from "./contract.ts";
import { mostChangedLines } from "./line-diff.ts";

export function renderDiff(changes: readonly FileChange[]): string {
  return [...changes]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(renderFile)
    .join("");
}

function renderFile(change: FileChange): string {
  const { path, from = path, before, after } = change;
  const header = [`diff --git ${quote(`a/${from}`)} ${quote(`b/${path}`)}`];
  if (before === undefined) header.push("new file mode 100644");
  else if (after === undefined) header.push("deleted file mode 100644");
  else if (from !== path) header.push(`rename from ${quote(from)}`, `rename to ${quote(path)}`);
  const hunks = renderHunks(before ?? "", after ?? "");
  if (hunks.length > 0) {
    header.push(`--- ${before === undefined ? "/dev/null" : named(`a/${from}`)}`);
    header.push(`+++ ${after === undefined ? "/dev/null" : named(`b/${path}`)}`);
  }
  return `${[...header, ...hunks].join("\n")}\n`;
}

function renderHunks(before: string, after: string): string[] {
  if (before === after) return [];
  const patch = structuredPatch("a", "b", before, after, undefined, undefined, {
    context: 3,
    maxEditLength: mostChangedLines,
  });
  if (patch === undefined) return wholeHunk(before, after);
  return patch.hunks.flatMap((hunk) => [
    `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`,
    ...hunk.lines,
  ]);
}

/** A range in a hunk's header. An empty range names the line before it: 0 in an empty or missing file. */
function range(start: number, count: number): string {
  return count === 1 ? String(start) : `${count === 0 ? start - 1 : start},${count}`;
}

/** One hunk that removes all old lines and adds all new ones. */
function wholeHunk(before: string, after: string): string[] {
  const listed = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
  const lines = (list: readonly string[], sign: string, text: string): string[] => [
    ...list.map((line) => sign + line),
    ...(text === "" || text.endsWith("\n") ? [] : ["\\ No newline at end of file"]),
  ];
  const [old, fresh] = [listed(before), listed(after)];
  return [
    `@@ -${range(1, old.length)} +${range(1, fresh.length)} @@`,
    ...lines(old, "-", before),
    ...lines(fresh, "+", after),
  ];
}

/** Quotes a name as git does, if it contains control characters, quotes or backslashes. */
function quote(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped
  if (!/[\u0000-\u001f"\\\u007f]/.test(name)) return name;
  const escaped = name.replace(/["\\]/g, "\\$&").replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: see above
    /[\u0000-\u001f\u007f]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${escaped}"`;
}

/** Adds a tab to a name with spaces, as git does. Tools would otherwise read a part of the name as a date. */
function named(name: string): string {
  const quoted = quote(name);
  return quoted === name && name.includes(" ") ? `${name}\t` : quoted;
}
