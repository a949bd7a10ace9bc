/** Reads the role and the parts of a node, in any dialect. */
import type { Dialect, Part, Role } from "./dialect.ts";
import { namedChildren, type SyntaxNode, type SyntaxTree, textOf } from "./node.ts";

/** A file's tree together with its dialect. */
export interface Source {
  readonly file: string;
  readonly tree: SyntaxTree;
  readonly dialect: Dialect;
}

/**
 * Returns the role of a node; undefined if it has none. Tokens have no role, except keywords that are nodes of the
 * grammar (`true`, `this`).
 */
export function roleOf(source: Source, node: SyntaxNode): Role | undefined {
  if (!node.named) return undefined;
  const role = source.dialect.refine?.(node, source.tree) ?? source.dialect.roles[node.kind];
  return role === "assignment" && isAugmented(node) ? "augmented-assignment" : role;
}

/** True for an assignment such as `+=`. Java's and Go's grammars have one kind for `=` and `+=`. */
function isAugmented(node: SyntaxNode): boolean {
  return node.children.some((child) => !child.named && child.kind.length > 1 && child.kind.endsWith("="));
}

export function partOf(source: Source, node: SyntaxNode, part: Part): SyntaxNode | undefined {
  const { parts, through } = source.dialect;
  const children =
    through === undefined
      ? node.children
      : node.children.flatMap((child) => (through.includes(child.kind) ? child.children : [child]));
  for (const field of parts[part]) {
    const [kind, place] = field.split("#");
    const child =
      place !== undefined
        ? namedChildren(node)[node.kind === kind ? Number(place) : -1]
        : children.find((candidate) => candidate.named && isInField(source, candidate, field));
    if (child !== undefined) return child;
  }
  return undefined;
}

function isInField(source: Source, node: SyntaxNode, field: string): boolean {
  return node.field === undefined ? field === "" && roleOf(source, node) !== "comment" : node.field === field;
}

export function codeOf(source: Source, node: SyntaxNode): string {
  return textOf(source.tree, node);
}

export interface Binary {
  readonly left: SyntaxNode;
  readonly operator: SyntaxNode;
  readonly right: SyntaxNode;
  /** The operator with single spaces, such as `not in`. */
  readonly sign: string;
}

/**
 * Returns the operands of a binary expression; undefined for other nodes, and for a chain of comparisons such as `a < b
 * < c`.
 */
export function binaryOf(source: Source, node: SyntaxNode): Binary | undefined {
  if (roleOf(source, node) !== "binary") return undefined;
  const operands = namedChildren(node).filter((child) => roleOf(source, child) !== "comment");
  const [left, right] = operands;
  if (operands.length !== 2 || left === undefined || right === undefined) return undefined;
  const operator = node.children.find(
    (child) => !child.named && child.start >= left.end && child.end <= right.start,
  );
  if (operator === undefined) return undefined;
  return { left, operator, right, sign: codeOf(source, operator).replace(/\s+/g, " ") };
}

export interface Unary {
  readonly operand: SyntaxNode;
  readonly sign: string;
}

export function unaryOf(source: Source, node: SyntaxNode): Unary | undefined {
  if (roleOf(source, node) !== "unary") return undefined;
  const operand = partOf(source, node, "operand");
  const operator = node.children.find((child) => !child.named);
  if (operand === undefined || operator === undefined) return undefined;
  return { operand, sign: codeOf(source, operator) };
}

/** Returns the operand of `not x` or `!x`; undefined for other nodes. */
export function negatedOf(source: Source, node: SyntaxNode): SyntaxNode | undefined {
  const unary = unaryOf(source, node);
  return unary?.sign === source.dialect.operators.not.trim() ? unary.operand : undefined;
}

export interface Call {
  readonly callee: SyntaxNode;
  /** The function's or method's own name: `append` in `a.b.append`; `new A` if a type is called. */
  readonly name: string;
  /** The object that a method is called on. */
  readonly receiver: SyntaxNode | undefined;
  readonly list: SyntaxNode;
  readonly arguments: readonly SyntaxNode[];
}

export function callOf(source: Source, node: SyntaxNode): Call | undefined {
  if (roleOf(source, node) !== "call") return undefined;
  const callee = partOf(source, node, "callee");
  const list = partOf(source, node, "arguments");
  if (callee === undefined || list === undefined) return undefined;
  const attribute = roleOf(source, callee) === "attribute";
  const member = attribute ? partOf(source, callee, "member") : undefined;
  const inner = roleOf(source, list) === "arguments" ? namedChildren(list) : [list];
  const made = roleOf(source, callee) === "type";
  return {
    callee,
    name: made ? `new ${codeOf(source, callee)}` : codeOf(source, member ?? callee),
    receiver: partOf(source, attribute ? callee : node, "object"),
    list,
    arguments: inner.filter((child) => roleOf(source, child) !== "comment"),
  };
}

/** Returns the expression itself, without any parentheses around it. */
export function unwrapParentheses(source: Source, node: SyntaxNode): SyntaxNode {
  let inner = node;
  while (roleOf(source, inner) === "parentheses") {
    const next = namedChildren(inner).find((child) => roleOf(source, child) !== "comment");
    if (next === undefined) return inner;
    inner = next;
  }
  return inner;
}

const atoms: ReadonlySet<Role | undefined> = new Set<Role>([
  "identifier",
  "self",
  "attribute",
  "subscript",
  "call",
  "number",
  "string",
  "boolean",
  "null",
  "parentheses",
]);

/**
 * Returns the expression's text as an operand. Adds parentheses if an operator next to it could change its meaning.
 * Names, literals, calls and similar single operands get none.
 */
export function operandText(source: Source, node: SyntaxNode): string {
  const text = codeOf(source, node);
  if (atoms.has(roleOf(source, node))) return text;
  return /^[[{(].*[\])}]$/s.test(text) && roleOf(source, node) === "collection" ? text : `(${text})`;
}

/**
 * True for an identifier that reads or writes a variable. False if it names a field, a called method, a macro, a
 * keyword argument, a parameter or a definition.
 */
export function isVariable(source: Source, node: SyntaxNode): boolean {
  const parent = node.parent;
  if (roleOf(source, node) !== "identifier" || parent === undefined || node.field === "macro") return false;
  const role = roleOf(source, parent);
  if (role === "attribute") return partOf(source, parent, "member") !== node;
  if (role === "function" || role === "class" || role === "keyword-argument" || role === "call")
    return node.field !== "name" && node.field !== "method";
  if (role === "parameters") return false;
  const isInParameters = parent.parent !== undefined && roleOf(source, parent.parent) === "parameters";
  return !isInParameters || node.field === "value" || node.field === "right";
}

export interface Conditional {
  readonly condition: SyntaxNode;
  readonly consequence: SyntaxNode;
  readonly alternative: SyntaxNode;
}

/**
 * Returns the parts of `c ? a : b` or `a if c else b`; undefined for other nodes. If the grammar has no field for the
 * condition, the middle part is the condition.
 */
export function conditionalOf(source: Source, node: SyntaxNode): Conditional | undefined {
  if (roleOf(source, node) !== "conditional") return undefined;
  const [first, second, third] = namedChildren(node).filter((child) => roleOf(source, child) !== "comment");
  if (first === undefined || second === undefined || third === undefined) return undefined;
  return partOf(source, node, "condition") === undefined
    ? { condition: second, consequence: first, alternative: third }
    : { condition: first, consequence: second, alternative: third };
}

/**
 * Returns the condition of an `if`, a loop, an assertion or a conditional expression. The conditions of `if` and loops
 * come without their parentheses. Undefined for a pattern test, for a loop without a condition, and for other nodes.
 */
export function conditionOf(source: Source, node: SyntaxNode): SyntaxNode | undefined {
  const role = roleOf(source, node);
  if (role === "conditional") return conditionalOf(source, node)?.condition;
  if (role === "assert") return namedChildren(node)[0];
  const deciding = role === "if" || role === "else-if" || role === "while" || role === "for";
  const condition = deciding ? partOf(source, node, "condition") : undefined;
  if (condition !== undefined && roleOf(source, condition) === "pattern-test") return undefined;
  return condition && unwrapParentheses(source, condition);
}
