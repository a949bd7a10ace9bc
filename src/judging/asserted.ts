/** Splits the assertions of a passing test into single conditions. */
import type { SyntaxNode } from "../syntax/node.ts";
import {
  binaryOf,
  callOf,
  codeOf,
  conditionOf,
  negatedOf,
  roleOf,
  type Source,
  unwrapParentheses,
} from "../syntax/reading.ts";

/** A condition that a test asserts to be true (`isTrue`) or false. */
export interface Asserted {
  readonly condition: SyntaxNode;
  readonly isTrue: boolean;
}

/** Names of functions that assert a condition. */
const holds = /^(?:assert|ok|assertTrue|isTrue|REQUIRE|CHECK)$/;
/** Calls and statements that let the test fail. */
const fails = /\b(?:t|b|tb|c|s)\.(?:Error|Fatal|Fail)|\bthrow\b|\braise\b|\bpanic!?\(|\bfail\(/;

/**
 * Lists the conditions that the node asserts: for `a and b`, both conditions; for `if a or b` with a failure inside,
 * the opposite of both. Empty if the node asserts nothing.
 */
export function assertedBy(source: Source, node: SyntaxNode): Asserted[] {
  const role = roleOf(source, node);
  if (role === "assert") return partsOf(source, conditionOf(source, node), true);
  if (role === "if")
    return failsInside(source, node) ? partsOf(source, conditionOf(source, node), false) : [];
  const call = role === "call" ? callOf(source, node) : undefined;
  return call !== undefined && holds.test(call.name) && !isNegated(source, node)
    ? partsOf(source, call.arguments[0], true)
    : [];
}

const joins = { true: /^(?:and|&&)$/, false: /^(?:or|\|\|)$/ } as const;

function partsOf(source: Source, given: SyntaxNode | undefined, isTrue: boolean): Asserted[] {
  if (given === undefined) return [];
  const condition = unwrapParentheses(source, given);
  const binary = binaryOf(source, condition);
  if (binary !== undefined && joins[`${isTrue}`].test(binary.sign))
    return [...partsOf(source, binary.left, isTrue), ...partsOf(source, binary.right, isTrue)];
  const negated = negatedOf(source, condition);
  return negated === undefined ? [{ condition, isTrue }] : partsOf(source, negated, !isTrue);
}

function failsInside(source: Source, node: SyntaxNode): boolean {
  const [block] = node.children.filter((child) => child.field === "consequence");
  return block !== undefined && fails.test(codeOf(source, block));
}

/** True for a negated assertion: `expect(x).not.toBe(3)`, `assertNotIn`, `EXPECT_NE`. */
export function isNegated(source: Source, node: SyntaxNode): boolean {
  return /\b(?:not|isnt|never)\b|Not|_not_|NOT|_NE$/.test(chainOf(source, node));
}

/** Renders the call with its receivers, without arguments: `expect().not.toBe`. */
function chainOf(source: Source, node: SyntaxNode): string {
  const call = callOf(source, node);
  if (call === undefined) return "";
  const { receiver, name } = call;
  const before =
    receiver === undefined
      ? ""
      : roleOf(source, receiver) === "call"
        ? chainOf(source, receiver)
        : codeOf(source, receiver).replaceAll(/\([^()]*\)/g, "()");
  return `${before}.${name}`;
}
