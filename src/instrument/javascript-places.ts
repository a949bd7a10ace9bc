/** Where counters go in JavaScript and TypeScript, and which lines each of them counts. */
import { childOf, type SyntaxNode, walk } from "../syntax/node.ts";

export interface Place {
  readonly node: SyntaxNode;
  /**
   * `before` a statement of a list; `wrap`: braces around a statement that stands alone (`if (a) b()`); `expression`: a comma
   * before it, in parentheses; `entry`: first in a function's body; `after` the call of `super`.
   */
  readonly kind: "before" | "wrap" | "expression" | "entry" | "after";
  /** Executed with it, ascending. */
  readonly lines: readonly number[];
  readonly order: number;
}

/** Statements of which there is nothing to execute, or that are executed before anything else. */
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
const functions = new Set([
  "arrow_function",
  "function_declaration",
  "function_expression",
  "generator_function",
  "generator_function_declaration",
  "method_definition",
]);
const unnamedValues = new Set(["arrow_function", "class", "function_expression", "generator_function"]);
/** Not code that runs. */
const typeOnly = new Set([
  "ambient_declaration",
  "interface_declaration",
  "type_alias_declaration",
  "type_annotation",
]);
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

type Kind = Place["kind"];

export function findPlaces(root: SyntaxNode, typescript: boolean): Place[] {
  const found = new Map<SyntaxNode, { kind: Kind; order: number }[]>();
  const counted = new Set<SyntaxNode>();
  let order = 0;
  for (const node of walk(root, (one) => !typeOnly.has(one.kind) && !isBrokenPart(one))) {
    order += 1;
    const kinds = isBrokenPart(node) ? [] : kindsOf(node, typescript);
    if (kinds.length > 0)
      found.set(
        node,
        kinds.map((kind) => ({ kind, order })),
      );
    if (kinds.some((kind) => kind !== "entry")) counted.add(node);
  }
  return [...found].flatMap(([node, kinds]) =>
    kinds.map(({ kind, order: number }) => ({
      node,
      kind,
      lines: kind === "entry" ? linesOfHeader(node) : linesOf(node, counted),
      order: number,
    })),
  );
}

/** A part of the file that does not parse is left as it is: nobody knows what its pieces are. */
function isBrokenPart(node: SyntaxNode): boolean {
  const isPart = node.parent?.kind === "program" || node.parent?.kind === "class_body";
  return isPart && [...walk(node)].some((one) => one.broken);
}

function kindsOf(node: SyntaxNode, typescript: boolean): Kind[] {
  const { parent } = node;
  if (parent === undefined || !node.named) return [];
  if (isListed(node, parent)) return isCounted(node) ? [placeInList(node, parent, typescript)] : [];
  if (standsAlone(node, parent)) return isCounted(node) ? ["wrap"] : [];
  if (node.kind === "statement_block") return hasDefaults(parent) ? ["entry"] : [];
  return isOwnExpression(node, parent) ? ["expression"] : [];
}

function isListed(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.kind === "program") return true;
  if (parent.kind === "statement_block") return true;
  return (parent.kind === "switch_case" || parent.kind === "switch_default") && node.field === "body";
}

function standsAlone(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.kind === "else_clause") return true;
  if (node.field !== "body" && node.field !== "consequence") return false;
  return /^(?:if|for|for_in|while|do|with)_statement$/.test(parent.kind);
}

function isCounted(node: SyntaxNode): boolean {
  if (!beginsAnew(node)) return false;
  if (node.kind === "export_statement") return isCountedExport(node);
  if (uncounted.has(node.kind) || isDirective(node)) return false;
  if (node.kind === "enum_declaration") return node.children[0]?.kind !== "const";
  const [only] = node.children;
  return !(node.kind === "expression_statement" && only !== undefined && uncounted.has(only.kind));
}

/**
 * False where the grammar sees two statements and the language one: `let // comment` with the names on the next line, and new
 * syntax that it does not know, on the line of what it belongs to.
 */
function beginsAnew(node: SyntaxNode): boolean {
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
  let last: SyntaxNode | undefined = statement;
  while (last?.children.length) last = last.children.findLast((child) => child.kind !== "comment");
  return last !== undefined && last.start < last.end && /^[;})]$|^hash_bang_line$|^comment$/.test(last.kind);
}

function isCountedExport(node: SyntaxNode): boolean {
  const declaration = childOf(node, "declaration");
  if (declaration !== undefined) return isCounted(declaration);
  const value = childOf(node, "value");
  if (value !== undefined) return !functions.has(value.kind);
  return node.children.some((child) => child.kind === "=");
}

/** `"use strict"` and its like: only other directives and comments stand before it. */
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

/** In TypeScript, what stands before `super()` is counted after it: older compilers take nothing before it. */
function placeInList(node: SyntaxNode, parent: SyntaxNode, typescript: boolean): Kind {
  if (!typescript || !isConstructorBody(parent)) return "before";
  const call = parent.children.find(isSuperCall);
  return call !== undefined && node.start <= call.start ? "after" : "before";
}

function isConstructorBody(block: SyntaxNode): boolean {
  return block.parent?.kind === "method_definition" && block.children.some(isSuperCall);
}

export function isSuperCall(statement: SyntaxNode): boolean {
  const [call] = statement.children;
  return call?.kind === "call_expression" && call.children[0]?.kind === "super";
}

/** Default values are executed when the function is entered; its first line is counted then. */
function hasDefaults(node: SyntaxNode): boolean {
  const parameters = functions.has(node.kind) ? childOf(node, "parameters") : undefined;
  return (
    parameters !== undefined &&
    [...walk(parameters)].some((one) => one.kind === "assignment_pattern" || one.field === "value")
  );
}

function isOwnExpression(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.kind === "arrow_function") return node.field === "body";
  if (parent.kind === "field_definition" || parent.kind === "public_field_definition") {
    return node.field === "value" && !unnamedValues.has(node.kind) && !isSymbolCall(node);
  }
  const isBranch = node.field === "consequence" || node.field === "alternative";
  return parent.kind === "ternary_expression" && isBranch && node.startLine > parent.startLine;
}

/** TypeScript knows a `unique symbol` only by the bare call. */
function isSymbolCall(node: SyntaxNode): boolean {
  return (
    node.kind === "call_expression" &&
    node.end - node.start < 200 &&
    childOf(node, "function")?.kind === "identifier"
  );
}

/** The lines of the node's own words: not of statements and functions inside it that are counted themselves. */
function linesOf(node: SyntaxNode, counted: ReadonlySet<SyntaxNode>): number[] {
  const lines = new Set([node.startLine]);
  for (const one of walk(node, (inner) => inner === node || !counted.has(inner))) {
    if (one.children.length > 0 || silentTokens.has(one.kind) || one.kind === "comment") continue;
    if (one !== node && counted.has(one)) continue;
    for (let line = one.startLine; line <= one.endLine; line += 1) lines.add(line);
  }
  const label = node.parent?.kind.startsWith("switch_") ? labelLines(node, node.parent) : [];
  return [...new Set([...label, ...lines])].sort((a, b) => a - b);
}

/** `case x:` is counted with the first statement after it. */
function labelLines(node: SyntaxNode, parent: SyntaxNode): number[] {
  const first = parent.children.find((child) => child.field === "body" && isCounted(child));
  return first === node ? [parent.startLine] : [];
}

function linesOfHeader(block: SyntaxNode): number[] {
  const header = block.parent;
  if (header === undefined) return [];
  const lines: number[] = [];
  for (let line = header.startLine; line <= block.startLine; line += 1) lines.push(line);
  return lines;
}
