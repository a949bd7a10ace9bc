/** Adds comments to code. They change its text and line numbers, but not its behaviour. */
import { executableUnits } from "../../agent/measure/executable-lines.ts";
import { languageOf } from "../../languages/source-files.ts";
import { readCodeTokens } from "../../syntax/code-tokens.ts";
import type { FileChange, TreeStore } from "../../workspace/contract.ts";

/**
 * Returns the tree with comments in these files. Skips files in which Millwright knows no place for a comment. Returns
 * undefined if it skips all.
 */
export async function commentTree(
  trees: TreeStore,
  tree: string,
  files: readonly string[],
): Promise<string | undefined> {
  const changes: FileChange[] = [];
  for (const path of files) {
    const text = (await trees.read(tree, path))?.toString("utf8");
    const content = text === undefined ? undefined : await commentCode(path, text);
    if (content !== undefined) changes.push({ path, content });
  }
  return changes.length === 0 ? undefined : trees.write(tree, changes);
}

/** Adds a comment before each line that starts executable code. Undefined if this would change the code. */
export async function commentCode(path: string, text: string): Promise<string | undefined> {
  const mark = languageOf(path)?.lineComment;
  const lines = text.split("\n");
  const spans = [{ startLine: 0, endLine: lines.length + 1 }];
  const units = (await executableUnits({ file: path, text, spans, pragmas: false })) ?? [];
  if (mark === undefined || units.length === 0) return undefined;
  const starts = new Set(units.map(({ line }) => line));
  const commented = lines
    .flatMap((line, index) => (starts.has(index + 1) ? [`${indentOf(line)}${mark} (comment)`, line] : [line]))
    .join("\n");
  return (await codeOf(path, commented)) === (await codeOf(path, text)) ? commented : undefined;
}

function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? "";
}

async function codeOf(path: string, text: string): Promise<string> {
  return JSON.stringify((await readCodeTokens(path, text)).map((token) => token.text));
}
