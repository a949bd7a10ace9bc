/** Checks that new texts of files have no more syntax errors than the old texts. */
import type { Node } from "web-tree-sitter";
import { withTree } from "../syntax/parser.ts";
import { outlineOf } from "../syntax/symbols/choose-outline.ts";
import type { EditProblem, FileChange } from "./contract.ts";
import { linesOf } from "./text-lines.ts";

/**
 * Finds the lines (from 1) of a text's syntax errors. Undefined if unknown: the language has no parser here, or the
 * text is too long.
 */
export type FindErrors = (path: string, text: string) => Promise<readonly number[] | undefined>;

/** UTF-16 code units. Millwright does not parse longer texts. */
const longestText = 2_000_000;

export const findSyntaxErrors: FindErrors = async (path, text) => {
  const outline = text.length > longestText ? undefined : outlineOf(path, text);
  if (outline === undefined) return undefined;
  return withTree(outline.grammar, text, (tree) => errorLines(tree.rootNode));
};

function errorLines(root: Node): number[] {
  const lines: number[] = [];
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!node.hasError) continue;
    if (node.isError || node.isMissing) lines.push(node.startPosition.row + 1);
    for (const child of [...node.children].reverse()) waiting.push(child);
  }
  return lines;
}

/** Returns a problem for each change after which the file has more syntax errors than before. */
export async function checkSyntax(
  changes: readonly FileChange[],
  find: FindErrors = findSyntaxErrors,
): Promise<Omit<EditProblem, "edit">[]> {
  const problems: Omit<EditProblem, "edit">[] = [];
  for (const { path, from = path, before, after } of changes) {
    if (after === undefined || after === before) continue;
    const now = await find(path, after);
    if (now === undefined || now.length === 0) continue;
    const earlier = before === undefined ? [] : ((await find(from, before)) ?? []);
    if (now.length > earlier.length) problems.push(describe(path, after, before ?? "", now));
  }
  return problems;
}

/** Describes an unparsable place, preferably on a line that the edit added or changed. */
function describe(
  path: string,
  after: string,
  before: string,
  errors: readonly number[],
): Omit<EditProblem, "edit"> {
  const lines = linesOf(after);
  const known = new Set(linesOf(before));
  const line = errors.find((each) => !known.has(lines[each - 1] ?? "")) ?? errors[0] ?? 1;
  const [startLine, endLine] = [Math.max(1, line - 3), Math.min(lines.length, line + 3)];
  const text = lines.slice(startLine - 1, endLine).map((each, index) => {
    const number = startLine + index;
    return `${number === line ? ">" : " "} ${number} ${each}`;
  });
  return {
    kind: "syntax",
    path,
    message: `The edit causes a syntax error in ${path} at line ${line}, so nothing was changed. The result would be:\n${text.join("\n")}`,
    places: [{ path, startLine, endLine }],
  };
}
