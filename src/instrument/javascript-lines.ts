/** Determines the lines that count as executed when a statement, an expression, or the head of a function runs. */
import { type SyntaxNode, walk } from "../syntax/node.ts";
import { beginsAnew, isCounted, isListed } from "./javascript-statements.ts";

const silentTokens = new Set([
  "{",
  "}",
  "(",
  ")",
  "[",
  "]",
  ";",
  ",",
  "else",
  "try",
  "finally",
  "do",
  "?",
  ":",
]);

/** Parts of a statement that run later or not at all. Separate counters count their content. */
const laterParts = new Set(["switch_body", "catch_clause", "finally_clause"]);

/**
 * Returns the lines of the node's own tokens, and of a `case` label before it. Omits inner statements and functions,
 * which have their own counters.
 */
export function linesOf(node: SyntaxNode, counted: ReadonlySet<SyntaxNode>): number[] {
  const lines = new Set([node.startLine]);
  for (const part of [node, ...continuationsOf(node)]) {
    const isOwn = (inner: SyntaxNode): boolean =>
      inner === part || (!counted.has(inner) && !laterParts.has(inner.kind));
    for (const one of walk(part, isOwn)) {
      if (one.children.length > 0 || silentTokens.has(one.kind) || one.kind === "comment" || !isOwn(one))
        continue;
      for (let line = one.startLine; line <= one.endLine; line += 1) lines.add(line);
    }
  }
  const label = node.parent?.kind.startsWith("switch_") ? labelLines(node, node.parent) : [];
  return [...new Set([...label, ...lines])].sort((a, b) => a - b);
}

/** Nodes that the grammar treats as separate statements, but that the language treats as the rest of this statement. */
function continuationsOf(node: SyntaxNode): SyntaxNode[] {
  if (node.parent === undefined || !isListed(node, node.parent)) return [];
  const siblings = node.parent.children;
  const found: SyntaxNode[] = [];
  for (let index = siblings.indexOf(node) + 1; index < siblings.length; index += 1) {
    const sibling = siblings[index];
    if (sibling === undefined || !sibling.named || (sibling.kind !== "comment" && beginsAnew(sibling))) break;
    if (sibling.kind !== "comment") found.push(sibling);
  }
  return found;
}

/** The lines of a `case x:`, which count with the first statement after it. */
function labelLines(node: SyntaxNode, parent: SyntaxNode): number[] {
  const first = parent.children.find((child) => child.field === "body" && isCounted(child));
  return first === node ? [parent.startLine] : [];
}

export function linesOfHeader(block: SyntaxNode): number[] {
  const header = block.parent;
  if (header === undefined) return [];
  const lines: number[] = [];
  for (let line = header.startLine; line <= block.startLine; line += 1) lines.push(line);
  return lines;
}
