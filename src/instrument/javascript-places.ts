/** The places of counters in JavaScript and TypeScript, and the lines that each counts. */
import { childOf, type SyntaxNode, walk } from "../syntax/node.ts";
import { linesOf, linesOfHeader } from "./javascript-lines.ts";
import { functions, isCounted, isListed, standsAlone } from "./javascript-statements.ts";

export interface Place {
  readonly node: SyntaxNode;
  /**
   * `before` a statement in a list; `wrap`: braces around a single statement (`if (a) b()`); `expression`: a comma
   * expression in parentheses; `entry`: first in a function's body; `after` the call of `super`.
   */
  readonly kind: "before" | "wrap" | "expression" | "entry" | "after";
  /** The lines that count as executed with the place, ascending. */
  readonly lines: readonly number[];
  readonly order: number;
}

const unnamedValues = new Set(["arrow_function", "class", "function_expression", "generator_function"]);
/** Node kinds without executable code. */
const typeOnly = new Set([
  "ambient_declaration",
  "interface_declaration",
  "type_alias_declaration",
  "type_annotation",
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

/**
 * True for a part of the file that does not parse. It stays unchanged, because the meaning of its pieces is unknown.
 */
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
  if (typescript && tellsItsOwnType(node, parent)) return [];
  return isOwnExpression(node, parent) ? ["expression"] : [];
}

/**
 * The place's kind. In TypeScript, counts code before `super()` after it, because older compilers allow nothing before
 * it.
 */
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

/** True for a function with default values. They run at its entry, so its first line counts then. */
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

const selfTyped = new Set([
  "arrow_function",
  "function_expression",
  "string",
  "number",
  "true",
  "false",
  "null",
  "template_string",
  "unary_expression",
  "as_expression",
]);

/**
 * True for a value from which TypeScript reads an undeclared type, with isolated declarations: a bare literal or
 * function.
 */
function tellsItsOwnType(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (!selfTyped.has(node.kind) || parent.kind === "ternary_expression") return false;
  return childOf(parent, "type") === undefined && childOf(parent, "return_type") === undefined;
}

/**
 * True for a short call of a plain name, which may be `Symbol`. TypeScript recognises a `unique symbol` only in a bare
 * call.
 */
function isSymbolCall(node: SyntaxNode): boolean {
  return (
    node.kind === "call_expression" &&
    node.end - node.start < 200 &&
    childOf(node, "function")?.kind === "identifier"
  );
}
