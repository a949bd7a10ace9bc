/** Recognises statements that never reach the statement behind them. In doubt, a statement counts as passing. */
import { childOf, namedChildren, type SyntaxNode, walk } from "./node.ts";
import { codeOf, partOf, roleOf, type Source } from "./reading.ts";

/** Kinds of nodes that always leave their block. A call that raises, such as Ruby's `raise`, may be redefined. */
const jump = /^(?:return|raise|throw|break|continue|next)(?:_statement|_expression)?$/;
/** Kinds of nodes that could end a loop: a macro may hide a `break`. */
const ending = /^(?:break|goto|macro)/;
/** Kinds of nodes that execution can enter from elsewhere. Conditional compilation and attributes can remove a jump. */
export const entry = /label|case|default|preproc|directive|attribute_item/;

/** True for a jump, an `if` whose arms all leave, and a loop that never ends. */
export function leaves(source: Source, statement: SyntaxNode): boolean {
  const node = onlyPart(statement);
  if (jump.test(node.kind)) return true;
  return (allArmsLeave(source, node) || neverEnds(source, node)) && !hasEntry(node);
}

export function hasEntry(node: SyntaxNode): boolean {
  return [...walk(node)].some(({ kind, named }) => named && entry.test(kind));
}

/** The expression of a statement that consists of one expression, as in Rust's `return x;`. */
function onlyPart(node: SyntaxNode): SyntaxNode {
  const [only, more] = namedChildren(node);
  const isWrapper = node.kind === "expression_statement" && more === undefined;
  return isWrapper && only !== undefined ? only : node;
}

function allArmsLeave(source: Source, node: SyntaxNode): boolean {
  if (!/^(?:if|elif|elsif|else_?if)(?:_|$)/.test(node.kind)) return false;
  const first = childOf(node, "consequence") ?? childOf(node, "body");
  const others = node.children.filter(({ field }) => field === "alternative");
  const isElif = /^(?:elif|else_?if)_clause$/;
  if (first === undefined || !armLeaves(source, first)) return false;
  if (isElif.test(node.kind)) return true; // its `if` has the other arms
  const last = others.at(-1);
  if (last === undefined || isElif.test(last.kind)) return false;
  return others.every((arm) => armLeaves(source, arm));
}

/** True for an arm, or the clause around it, that leaves the `if`'s own block. */
function armLeaves(source: Source, arm: SyntaxNode): boolean {
  if (leaves(source, arm)) return true;
  if (roleOf(source, arm) === "block" || /^(?:then|else|else_clause)$/.test(arm.kind))
    return namedChildren(arm).some((part) => armLeaves(source, part));
  return false;
}

function neverEnds(source: Source, node: SyntaxNode): boolean {
  const body = childOf(node, "body");
  if (body === undefined || childOf(node, "alternative") !== undefined) return false;
  if ([...walk(body)].some(({ kind, named }) => named && ending.test(kind))) return false;
  if (node.kind === "loop_expression") return true; // Rust
  if (node.kind === "for_statement")
    return source.dialect.language === "go" && namedChildren(node).length === 1;
  if (!/^while(?:_|$)/.test(node.kind)) return false;
  const condition = partOf(source, node, "condition");
  return condition !== undefined && isTrue(source, condition);
}

function isTrue(source: Source, condition: SyntaxNode): boolean {
  const [inner] = namedChildren(condition);
  if (roleOf(source, condition) === "parentheses") return inner !== undefined && isTrue(source, inner);
  const code = codeOf(source, condition);
  return /^true$/i.test(code)
    ? roleOf(source, condition) === "boolean"
    : code === "1" && source.dialect.language === "python";
}
