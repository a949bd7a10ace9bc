/**
 * Finds where statements of JavaScript and TypeScript begin and end. Corrects tree-sitter's grammars where they differ
 * from the language.
 */
import { childOf, type SyntaxNode } from "../syntax/node.ts";

/** Statements without executable code, or that run before anything else. */
const uncounted = new Set([
  "ambient_declaration",
  "comment",
  "empty_statement",
  "export_statement",
  "function_declaration",
  "function_signature",
  "generator_function_declaration",
  "hash_bang_line",
  "import_alias",
  "import_statement",
  "interface_declaration",
  "internal_module",
  "module",
  "statement_block",
  "type_alias_declaration",
]);
export const functions = new Set([
  "arrow_function",
  "function_declaration",
  "function_expression",
  "generator_function",
  "generator_function_declaration",
  "method_definition",
]);
export function isListed(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.kind === "program") return true;
  if (parent.kind === "statement_block") return true;
  return (parent.kind === "switch_case" || parent.kind === "switch_default") && node.field === "body";
}

export function standsAlone(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.kind === "else_clause") return true;
  if (node.field !== "body" && node.field !== "consequence") return false;
  return /^(?:if|for|for_in|while|do|with)_statement$/.test(parent.kind);
}

export function isCounted(node: SyntaxNode): boolean {
  if (!beginsAnew(node)) return false;
  if (node.kind === "export_statement") return isCountedExport(node);
  if (uncounted.has(node.kind) || isDirective(node)) return false;
  if (node.kind === "enum_declaration") return node.children[0]?.kind !== "const";
  const [only] = node.children;
  return !(node.kind === "expression_statement" && only !== undefined && uncounted.has(only.kind));
}

/**
 * False for the second part of a statement that the grammar wrongly splits in two. Examples: `let // comment` with the
 * names on the next line, or unknown new syntax.
 */
export function beginsAnew(node: SyntaxNode): boolean {
  const siblings = node.parent?.children ?? [];
  let index = siblings.indexOf(node) - 1;
  while (siblings[index]?.kind === "comment") index -= 1;
  const before = siblings[index];
  if (before === undefined || !before.named) return true;
  if (before.kind === "expression_statement") {
    const words = before.children.filter((child) => child.kind !== "comment");
    if (words.length === 1 && words[0]?.kind === "identifier") return false;
  }
  return before.endLine < node.startLine || endsByItself(before);
}

function endsByItself(statement: SyntaxNode): boolean {
  return /^[;})]$|^hash_bang_line$|^comment$/.test(lastToken(statement).kind);
}

/** The node's last token: some nodes also contain trailing comments, and a semicolon that is only implied. */
function lastToken(node: SyntaxNode): SyntaxNode {
  let last = node;
  for (;;) {
    const inner = last.children.findLast((child) => child.kind !== "comment" && child.start < child.end);
    if (inner === undefined) return last;
    last = inner;
  }
}

/** Returns the offset at which text can be inserted after the node. */
export function endOf(node: SyntaxNode): number {
  return lastToken(node).end;
}

function isCountedExport(node: SyntaxNode): boolean {
  const declaration = childOf(node, "declaration");
  if (declaration !== undefined) return isCounted(declaration);
  const value = childOf(node, "value");
  if (value !== undefined) return !functions.has(value.kind);
  return node.children.some((child) => child.kind === "=");
}

/** True for `"use strict"` and similar directives: only other directives and comments precede them. */
export function isDirective(node: SyntaxNode): boolean {
  if (node.kind !== "expression_statement" || node.children[0]?.kind !== "string") return false;
  const { parent } = node;
  if (parent?.kind !== "program" && parent?.kind !== "statement_block") return false;
  if (parent.kind === "statement_block" && !functions.has(parent.parent?.kind ?? "")) return false;
  for (const sibling of parent.children) {
    if (sibling === node) return true;
    const isBefore = !sibling.named || sibling.kind === "comment" || sibling.kind === "hash_bang_line";
    if (!isBefore && !(sibling.kind === "expression_statement" && sibling.children[0]?.kind === "string"))
      return false;
  }
  return false;
}
