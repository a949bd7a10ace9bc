/**
 * Decides whether Java code can complete normally. If a method's body can, the compiler demands a `return` at its end.
 */
import { childOf, type SyntaxNode, walk } from "../syntax/node.ts";

/** True only if the statement certainly never completes normally (Java Language Specification, 14.22). */
export function leaves(node: SyntaxNode): boolean {
  switch (node.kind) {
    case "return_statement":
    case "throw_statement":
    case "break_statement":
    case "continue_statement":
    case "yield_statement":
      return true;
    case "block":
    case "constructor_body":
      return listLeaves(node.children);
    case "if_statement": {
      const otherwise = childOf(node, "alternative");
      const then = childOf(node, "consequence");
      return then !== undefined && otherwise !== undefined && leaves(then) && leaves(otherwise);
    }
    case "while_statement":
    case "for_statement":
      return isEndless(node) && ![...walk(node)].some((inner) => inner.kind === "break_statement");
    case "synchronized_statement":
      return bodyLeaves(node);
    case "try_statement":
    case "try_with_resources_statement":
      return tryLeaves(node);
    default:
      return false;
  }
}

export function listLeaves(nodes: readonly SyntaxNode[]): boolean {
  const last = nodes.findLast((child) => child.named && !child.kind.endsWith("comment"));
  return last !== undefined && leaves(last);
}

function isEndless(loop: SyntaxNode): boolean {
  const condition = childOf(loop, "condition");
  if (condition === undefined) return loop.kind === "for_statement";
  return [...walk(condition)]
    .filter((node) => node.named)
    .every((node) => /^(true|parenthesized_expression)$/.test(node.kind));
}

function bodyLeaves(node: SyntaxNode): boolean {
  const body = childOf(node, "body");
  return body !== undefined && leaves(body);
}

function tryLeaves(node: SyntaxNode): boolean {
  const clauses = node.children.filter((child) => child.kind === "catch_clause");
  const last = node.children.find((child) => child.kind === "finally_clause");
  const lastBlock = last?.children.find((child) => child.kind === "block");
  if (lastBlock !== undefined && leaves(lastBlock)) return true;
  return bodyLeaves(node) && clauses.every(bodyLeaves);
}
