/**
 * Passes a returned value through our recorder, so that type checkers see the same types. Expressions that depend on
 * their expected type (literal objects, generic calls) go through a function from T to T. All others go through an
 * assignment, which preserves narrow types (`0`, a type-narrowing comparison).
 */
import { childOf, type SyntaxNode, type SyntaxTree, textOf } from "../../syntax/node.ts";
import { endOf } from "../javascript-statements.ts";
import type { Insertion } from "../text-insertions.ts";

export interface Passing {
  readonly tree: SyntaxTree;
  readonly typescript: boolean;
  /** Greater than the function's order, and less than the order of any node in the value. */
  readonly order: number;
}

export function handOn(value: SyntaxNode, passing: Passing): Insertion[] {
  if (passing.typescript) {
    const parts = partsOf(value);
    if (parts.length > 0)
      return parts.flatMap((part) => handOn(part, { ...passing, order: passing.order + 0.01 }));
    return around(value, isPlain(value, passing.tree) ? "mw_v=(" : "mw_c.r(", passing.order);
  }
  // A function gets its name from its assignment target, but not after a comma.
  return around(value, isNameless(value) ? "mw_v=(0," : "mw_v=(", passing.order);
}

function around(value: SyntaxNode, text: string, order: number): Insertion[] {
  return [
    { at: value.start, text, side: "open", order },
    { at: endOf(value), text: ")", side: "close", order },
  ];
}

/** The values among which an expression chooses. */
function partsOf(value: SyntaxNode): SyntaxNode[] {
  if (
    value.kind === "parenthesized_expression" &&
    !value.children.some(({ kind }) => kind === "sequence_expression")
  ) {
    return value.children.filter((child) => child.named && child.kind !== "comment");
  }
  if (value.kind !== "ternary_expression") return [];
  const parts = [childOf(value, "consequence"), childOf(value, "alternative")];
  return parts.flatMap((part) => (part === undefined ? [] : [part]));
}

function isNameless(value: SyntaxNode): boolean {
  if (value.kind === "parenthesized_expression") return value.children.some(isNameless);
  return /^(?:arrow_function|class|function_expression|generator_function)$/.test(value.kind);
}

const plainKinds = new Set([
  "as_expression",
  "false",
  "identifier",
  "member_expression",
  "null",
  "number",
  "string",
  "subscript_expression",
  "template_string",
  "this",
  "true",
  "unary_expression",
  "undefined",
  "update_expression",
]);

/** True if the value's type does not depend on its context. */
function isPlain(value: SyntaxNode, tree: SyntaxTree): boolean {
  if (value.kind === "parenthesized_expression")
    return value.children.every((child) => !child.named || isPlain(child, tree));
  if (value.kind !== "binary_expression") return plainKinds.has(value.kind);
  const operator = childOf(value, "operator");
  if (operator === undefined || !/^(?:&&|\|\||\?\?)$/.test(textOf(tree, operator))) return true;
  const sides = [childOf(value, "left"), childOf(value, "right")];
  return sides.every((side) => side !== undefined && isPlain(side, tree));
}
