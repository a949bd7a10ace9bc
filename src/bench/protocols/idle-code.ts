/** Adds statements without effect to functions. They change the code, its text and its lines, but not its behaviour. */
import { languageOf } from "../../languages/source-files.ts";
import { textOf, walk } from "../../syntax/node.ts";
import { readSource } from "../../syntax/read-source.ts";
import { roleOf, type Source } from "../../syntax/reading.ts";
import { isFunction, type Statement, statementsOf } from "../../syntax/statements.ts";
import type { FileChange, TreeStore } from "../../workspace/contract.ts";

/**
 * Returns the tree with idle statements in these files. Skips files in which Millwright finds no place for them.
 * Returns undefined if it skips all files.
 */
export async function idleTree(
  trees: TreeStore,
  tree: string,
  files: readonly string[],
): Promise<string | undefined> {
  const changes: FileChange[] = [];
  for (const path of files) {
    const text = (await trees.read(tree, path))?.toString("utf8");
    const content = text === undefined ? undefined : await addIdleCode(path, text);
    if (content !== undefined) changes.push({ path, content });
  }
  return changes.length === 0 ? undefined : trees.write(tree, changes);
}

/**
 * Adds an idle statement before each statement in a function that starts a line and may follow another statement.
 * Undefined if there is no such statement, if the language has no idle statement, or if the result does not parse.
 */
export async function addIdleCode(path: string, text: string): Promise<string | undefined> {
  const idle = languageOf(path)?.idleStatement;
  const source = await readSource(path, text, languageOf);
  if (idle === undefined || source === undefined) return undefined;
  const statements = statementsOf(source).filter((statement) => mayFollow(source, statement));
  const starts = new Set(statements.map(({ startLine }) => startLine));
  if (starts.size === 0) return undefined;
  const longer = text
    .split("\n")
    .flatMap((line, index) => (starts.has(index + 1) ? [`${indentOf(line)}${idle}`, line] : [line]))
    .join("\n");
  return (await countBroken(path, longer)) > (await countBroken(path, text)) ? undefined : longer;
}

/** Clauses that Ruby's grammar gives as statements of a block. The statement before a clause is the block's value. */
const isClause = /^(?:rescue|ensure|else|elsif|when|in|in_clause)$/;

/**
 * True for a statement that starts a line of a function's block. Excludes statements that must come first, and
 * statements with an attribute.
 */
function mayFollow(source: Source, { node }: Statement): boolean {
  const { start } = node;
  // `return x;` in Rust: the statement is the expression inside.
  const isInner = node.parent?.start === start && roleOf(source, node.parent) === "expression-statement";
  const parent = isInner ? node.parent?.parent : node.parent;
  if (parent === undefined || roleOf(source, parent) !== "block" || isClause.test(node.kind)) return false;
  const { text } = source.tree;
  const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const isFirst = /^(?:[rRuU]{0,2}["'`]|(?:super|this)\s*\()/.test(textOf(source.tree, node));
  const last = parent.children.findLast((one) => one.named && one.end <= start);
  if (before.trim() !== "" || isFirst || /attribute|annotation|comment/.test(last?.kind ?? "")) return false;
  for (let outer = parent.parent; outer !== undefined; outer = outer.parent)
    if (isFunction(source, outer)) return true;
  return false;
}

function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? "";
}

async function countBroken(path: string, text: string): Promise<number> {
  const source = await readSource(path, text, languageOf);
  return source === undefined ? 0 : [...walk(source.tree.root)].filter(({ broken }) => broken).length;
}
