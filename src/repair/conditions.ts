/** Finds the conditions of a program. */
import { namedChildren, type SyntaxNode } from "../syntax/node.ts";
import { binaryOf, conditionOf, negatedOf, operandText, roleOf, type Source } from "../syntax/reading.ts";
import { isBlockValue } from "../syntax/statements.ts";
import type { Site, Template } from "./template.ts";
import { isWholeValue } from "./whole-values.ts";

/** The roles of sites in which `decisionAt` can find a condition. */
export const decidingRoles: Template["at"] = [
  "if",
  "else-if",
  "while",
  "for",
  "assert",
  "conditional",
  "return",
  "binary",
];

/**
 * Returns the condition of an `if`, a loop, an assertion or a conditional expression. In a `return`, and for an
 * argument or an assigned value, an expression that is clearly a condition, such as a comparison. Undefined if the site
 * has none.
 */
export function decisionAt(site: Site): SyntaxNode | undefined {
  if (site.role === "binary" && !isReturned(site)) return isDecidingValue(site) ? site.node : undefined;
  const isValue = isReturned(site);
  if (site.role !== "return" && !isValue) return conditionOf(site.source, site.node);
  const value = isValue ? site.node : namedChildren(site.node)[0];
  return value !== undefined && isTruthValue(site.source, value) ? value : undefined;
}

/** True for a condition that is an argument, an assigned value, or the body of a function expression. */
function isDecidingValue({ source, node }: Site): boolean {
  if (node.parent === undefined || !isTruthValue(source, node)) return false;
  const role = roleOf(source, node.parent);
  return role === "function-expression" || (role !== "return" && isWholeValue({ source, node }));
}

/** True for the last expression of a function's body that is returned without `return`, as in Rust. */
export function isReturned(site: Site): boolean {
  return (
    site.node === site.statement.node &&
    site.statement.role === "return" &&
    isBlockValue(site.source, site.node)
  );
}

function isTruthValue(source: Source, node: SyntaxNode): boolean {
  const { comparison, and, or } = source.dialect.operators;
  const binary = binaryOf(source, node);
  if (binary !== undefined) return [...comparison, and, or].includes(binary.sign);
  return negatedOf(source, node) !== undefined;
}

/** Returns the conditions in a chain of `and` and `or`. */
export function operandsOf(source: Source, condition: SyntaxNode): SyntaxNode[] {
  const binary = isLogical(source, condition) ? binaryOf(source, condition) : undefined;
  return binary === undefined
    ? [condition]
    : [...operandsOf(source, binary.left), ...operandsOf(source, binary.right)];
}

export function isLogical(source: Source, node: SyntaxNode): boolean {
  const sign = binaryOf(source, node)?.sign;
  return sign === source.dialect.operators.and || sign === source.dialect.operators.or;
}

/** Joins two conditions (`a and b`), with parentheses where needed. */
export function join(source: Source, left: string, operator: string, right: string): string {
  const isMixed = (side: string): boolean => {
    const { and, or } = source.dialect.operators;
    const other = operator === and ? or : and;
    return side.includes(` ${other} `) || / if .* else |\?.*:|=>|\blambda\b|[^=!<>]=[^=>]/.test(side);
  };
  const wrap = (side: string): string => (isMixed(side) && !isWrapped(side) ? `(${side})` : side);
  return `${wrap(left)} ${operator} ${wrap(right)}`;
}

function isWrapped(code: string): boolean {
  if (!code.startsWith("(") || !code.endsWith(")")) return false;
  let depth = 0;
  for (let at = 0; at < code.length; at++) {
    if (code[at] === "(") depth++;
    if (code[at] === ")") depth--;
    if (depth === 0 && at < code.length - 1) return false;
  }
  return true;
}

export function negate(source: Source, node: SyntaxNode): string {
  const negated = negatedOf(source, node);
  if (negated !== undefined) return source.tree.text.slice(negated.start, negated.end);
  const binary = binaryOf(source, node);
  const opposite = binary && source.dialect.operators.opposite[binary.sign];
  if (binary !== undefined && opposite !== undefined) {
    const { text } = source.tree;
    return `${text.slice(node.start, binary.operator.start)}${opposite}${text.slice(binary.operator.end, node.end)}`;
  }
  return `${source.dialect.operators.not}${operandText(source, node)}`;
}
