/** Finds the statements and functions of a file, and the statements on a line. */
import type { Role } from "./dialect.ts";
import { namedChildren, parentsOf, type SyntaxNode, walk } from "./node.ts";
import { codeOf, partOf, roleOf, type Source } from "./reading.ts";

const statementRoles: ReadonlySet<Role | undefined> = new Set<Role>([
  "expression-statement",
  "declaration",
  "return",
  "raise",
  "assert",
  "if",
  "else-if",
  "while",
  "for",
  "for-each",
  "break",
  "continue",
  "pass",
  "statement",
  "function",
  "class",
  "import",
]);

export interface Statement {
  readonly node: SyntaxNode;
  readonly role: Role;
  /** Lines of the statement before its first nested statement: the header of a compound statement. */
  readonly startLine: number;
  readonly endLine: number;
  /** Every line with a token of the statement itself, including that of its `else`. */
  readonly ownLines: readonly number[];
}

export function isStatement(source: Source, node: SyntaxNode): boolean {
  const role = roleOf(source, node);
  // The `let i = 0` of a `for` is part of its header.
  if (statementRoles.has(role)) return !/^init/.test(node.field ?? "") && !onlyHolds(source, node);
  return isBlockValue(source, node) || roleInBlock(source, node) !== undefined;
}

/** Treats assignments as statements if the grammar has no statement node around them. */
function roleInBlock(source: Source, node: SyntaxNode): Role | undefined {
  if (node.parent === undefined) return undefined;
  if (roleOf(source, node.parent) !== "block")
    return isBare(source, node) ? "expression-statement" : undefined;
  const role = roleOf(source, node);
  if (role === "declarator") return "declaration";
  if (isBare(source, node)) return "expression-statement";
  return role === "assignment" || role === "augmented-assignment" || role === "update"
    ? "expression-statement"
    : undefined;
}

/** True for an expression in a block, if the grammar has no statement nodes around expressions. */
function isBare(source: Source, node: SyntaxNode): boolean {
  return source.dialect.bareStatements === true && isInValueBlock(source, node);
}

function isInValueBlock(source: Source, node: SyntaxNode): boolean {
  const { parent } = node;
  if (!node.named || parent === undefined || source.dialect.valueBlocks?.includes(parent.kind) !== true)
    return false;
  const role = roleOf(source, node);
  const isNone = role === "comment" || role === "decorator" || role === "type" || role === "parameters";
  return !isNone && role !== "expression-statement" && role !== "block";
}

/** True for an expression at the end of a block that is the block's value, as in Rust. */
export function isBlockValue(source: Source, node: SyntaxNode): boolean {
  if (!isInValueBlock(source, node)) return false;
  if (source.dialect.bareStatements !== true) return true;
  const role = roleOf(source, node);
  const isLast = node.parent?.children.findLast((one) => isInValueBlock(source, one)) === node;
  return isLast && role !== "assignment" && role !== "augmented-assignment";
}

/**
 * True for a statement node that holds only `return x` or `if a {}`, in a language in which these are expressions. The
 * inner expression is then the statement.
 */
function onlyHolds(source: Source, node: SyntaxNode): boolean {
  if (source.dialect.valueBlocks === undefined || roleOf(source, node) !== "expression-statement")
    return false;
  const [only] = namedChildren(node);
  return only !== undefined && statementRoles.has(roleOf(source, only));
}

/**
 * Returns all statements of the file in the order of their starts, outer before inner. Leaves out test code that the
 * dialect recognises (`isTest`).
 */
export function statementsOf(source: Source): Statement[] {
  const statements: Statement[] = [];
  const { isTest } = source.dialect;
  const enter = (node: SyntaxNode): boolean => isTest?.(source.tree, node) !== true;
  for (const node of walk(source.tree.root, enter)) {
    if (!isStatement(source, node) || !enter(node)) continue;
    statements.push(readStatement(source, node, statementRole(source, node)));
  }
  return statements;
}

function statementRole(source: Source, node: SyntaxNode): Role {
  const role = roleOf(source, node);
  if (role !== undefined && statementRoles.has(role)) return role;
  const holder = node.parent?.parent;
  const isReturned = holder !== undefined && isBlockValue(source, node) && isFunction(source, holder);
  if (isReturned) return "return";
  return roleInBlock(source, node) ?? "statement";
}

function readStatement(source: Source, node: SyntaxNode, role: Role): Statement {
  const lines = new Set<number>();
  let firstNested = Number.POSITIVE_INFINITY;
  let endLine = node.startLine;
  for (const own of ownNodes(source, node)) {
    if (own !== node && isStatement(source, own)) firstNested = Math.min(firstNested, own.start);
    else if (own.children.length === 0 && !isPunctuation(source, own)) {
      for (let line = own.startLine; line <= own.endLine; line++) lines.add(line);
      if (own.start < firstNested) endLine = Math.max(endLine, own.endLine);
    }
  }
  return { node, role, startLine: node.startLine, endLine, ownLines: [...lines].sort((a, b) => a - b) };
}

/** True for comments, and for marks that only group statements: braces, and a semicolon between two statements. */
function isPunctuation(source: Source, node: SyntaxNode): boolean {
  if (roleOf(source, node) === "comment") return true;
  return !node.named && node.parent !== undefined && roleOf(source, node.parent) === "block";
}

/**
 * Returns the statement's node and its descendants. Includes the nodes of nested statements, but not their descendants.
 */
export function ownNodes(source: Source, statement: SyntaxNode): Generator<SyntaxNode> {
  return walk(statement, (node) => node === statement || !isStatement(source, node));
}

/**
 * Returns the statements with at least one token on the line, outer before inner. Tokens of nested statements do not
 * count.
 */
export function statementsOnLine(statements: readonly Statement[], line: number): Statement[] {
  return statements.filter((statement) => statement.ownLines.includes(line));
}

/** Returns the statements on any line of `line - reach … line + reach`, in source order. */
export function statementsAround(statements: readonly Statement[], line: number, reach = 0): Statement[] {
  return statements.filter((statement) =>
    statement.ownLines.some((own) => own >= line - reach && own <= line + reach),
  );
}

export interface FunctionSpan {
  /**
   * The function's name, qualified by the enclosing classes and functions: `Zone.find`; `<anonymous>` if it has no
   * name.
   */
  readonly name: string;
  readonly node: SyntaxNode;
  readonly start: number;
  readonly end: number;
  readonly startLine: number;
  readonly endLine: number;
}

/**
 * Returns the innermost function that contains the node, or the node itself if it is a function. Undefined at the top
 * level.
 */
export function enclosingFunction(source: Source, node: SyntaxNode): FunctionSpan | undefined {
  const found = isFunction(source, node) ? node : functionAbove(source, node);
  if (found === undefined) return undefined;
  const names: string[] = [];
  for (const part of [found, ...parentsOf(found)]) {
    const role = roleOf(source, part);
    if (isFunction(source, part) || role === "class") names.unshift(nameOf(source, part));
  }
  return {
    name: names.join("."),
    node: found,
    start: found.start,
    end: found.end,
    startLine: found.startLine,
    endLine: found.endLine,
  };
}

export function isFunction(source: Source, node: SyntaxNode): boolean {
  const role = roleOf(source, node);
  return role === "function" || role === "function-expression";
}

export function functionAbove(source: Source, node: SyntaxNode): SyntaxNode | undefined {
  return [...parentsOf(node)].find((parent) => isFunction(source, parent));
}

/** A function's or class's own name, or that of the variable, field or key that it is assigned to. */
function nameOf(source: Source, node: SyntaxNode): string {
  const own = partOf(source, node, "name");
  if (own !== undefined) return codeOf(source, own).replace(/\s*<.*$/s, "");
  const holder = node.parent;
  const named = holder && namedChildren(holder).find((child) => child.end <= node.start);
  const isHeld = holder && /declarator|assignment|pair|field|property/.test(holder.kind);
  return isHeld && named ? codeOf(source, named) : "<anonymous>";
}
