/** Finds the branch, table entry or statement that has a value as its result. Pure. */
import { namedChildren, type SyntaxNode } from "../../../syntax/node.ts";
import { callOf, codeOf, conditionOf, roleOf, type Source } from "../../../syntax/reading.ts";
import { isBlockValue, isFunction } from "../../../syntax/statements.ts";

/** Calls that return their only value: `Some(95)`, `Integer.valueOf(95)`, `found.unwrap_or(95)`. */
const handing =
  /^(?:Some|Ok|Err|Just|valueOf|from|into|of|Decimal|BigDecimal|new \w+|int|float|str|list|unwrap_or|orElse|getOrDefault|get|Number|String)$/;

/** Returns the statement, branch or table entry that has the value, unchanged, as its result; undefined if none has. */
export function resultOf(source: Source, node: SyntaxNode): SyntaxNode | undefined {
  let inner = node;
  for (let parent = node.parent; parent !== undefined; inner = parent, parent = parent.parent) {
    const role = roleOf(source, parent);
    if (isBlockValue(source, inner) || role === "return")
      return inner.field === "condition" ? undefined : parent;
    if (isFunction(source, parent)) return inner.field === "body" ? parent : undefined;
    if (parent.kind === "match_arm") return inner.field === "value" ? parent : undefined;
    if (isPair(source, parent)) return namedChildren(parent)[1] === inner ? parent : undefined;
    if (role === "conditional") {
      if (conditionOf(source, parent) === inner) return undefined;
      continue;
    }
    if (role === "call") {
      const call = callOf(source, parent);
      const last = call?.arguments.at(-1);
      const isHanded = call !== undefined && handing.test(call.name.replace(/^.*[.:]/, ""));
      if (!isHanded || last === undefined || last.end < inner.start) return undefined;
      continue;
    }
    if (role === "binary") {
      if (!/^(?:\?\?|\|\||or)$/.test(signOf(source, parent)) || namedChildren(parent)[1] !== inner)
        return undefined;
      continue;
    }
    if (/^(?:subscript)$/.test(role ?? "")) {
      if (namedChildren(parent)[0] !== inner) return undefined;
      continue;
    }
    if (
      !/^(?:parentheses|unary|values|arguments|expression-statement)$/.test(role ?? "") &&
      !isHolderKind(parent)
    )
      return undefined;
  }
  return undefined;
}

function isHolderKind({ kind }: SyntaxNode): boolean {
  return /^(?:literal_element|reference_expression|else_clause)$/.test(kind);
}

function signOf(source: Source, node: SyntaxNode): string {
  const operator = node.children.find(({ named }) => !named);
  return operator === undefined ? "" : codeOf(source, operator);
}

const branchKinds =
  /^(?:case_clause|case_statement|expression_case|switch_case|switch_block_statement_group|switch_rule|match_arm|match_conditional_expression|when|in_clause)$/;

export function branchAround(source: Source, node: SyntaxNode): SyntaxNode | undefined {
  for (let at: SyntaxNode | undefined = node; at !== undefined; at = at.parent) {
    if (isFunction(source, at)) return undefined;
    const role = roleOf(source, at);
    if (role === "if" || role === "else-if" || role === "conditional" || isPair(source, at)) return at;
    if (branchKinds.test(at.kind)) return at;
  }
  return undefined;
}

export function isInHandler(source: Source, node: SyntaxNode): boolean {
  for (let at: SyntaxNode | undefined = node; at !== undefined && !isFunction(source, at); at = at.parent)
    if (/^(?:except_clause|except_group_clause|catch_clause)$/.test(at.kind)) return true;
  return false;
}

/** Returns true for a key with its value, also in a Ruby table without braces: `merge(7 => 15)`. */
export function isPair(source: Source, node: SyntaxNode): boolean {
  return roleOf(source, node) === "pair" || node.kind === "pair";
}
