/**
 * Changes asserted conditions so that a correct program fails them:
 * - `abs(f(1) - 3) < 0.1` compares with a number far from 3.
 * - `"a" in f(1)` searches for a text that no result contains.
 * - A condition in a loop, or of all elements, is negated. If there is no element, both forms pass.
 */
import { namedChildren, parentsOf, type SyntaxNode } from "../syntax/node.ts";
import {
  binaryOf,
  callOf,
  codeOf,
  operandText,
  roleOf,
  type Source,
  unwrapParentheses,
} from "../syntax/reading.ts";
import { type Asserted, assertedBy, isNegated } from "./asserted.ts";
import { type ChoiceAt, type Contradiction, unforeseenDistance } from "./unforeseen-values.ts";
import type { LiteralEdit } from "./vary-tests.ts";

/** Edits that make a node's assertions fail, except assertions of equality. */
export function contradictConditions(
  source: Source,
  node: SyntaxNode,
  choiceAt: ChoiceAt | undefined,
): Contradiction[] {
  const asserted = assertedBy(source, node);
  const found = asserted.flatMap(
    (each) => (choiceAt && expectDistance(source, each, choiceAt)) ?? contradictOne(source, each) ?? [],
  );
  if (found.length > 0 || asserted.some((each) => isEquality(source, each))) return found;
  if (asserted.length > 0)
    return isRepeated(source, node) ? asserted.map((each) => turn(source, each.condition)) : [];
  return roleOf(source, node) === "call" ? contradictCall(source, node) : [];
}

/**
 * Replaces the expected value of a comparison with a tolerance. If a failure shows 20, `abs(f(1) - 25) < 0.1` becomes
 * `abs(f(1) - 20) < 0.1`.
 */
function expectDistance(
  source: Source,
  { condition, isTrue }: Asserted,
  choiceAt: ChoiceAt,
): Contradiction | undefined {
  const binary = binaryOf(source, condition);
  if (binary === undefined || !/^[<>]=?$/.test(binary.sign)) return undefined;
  const isLess = binary.sign.startsWith("<") === isTrue;
  const [distance, most] = isLess ? [binary.left, binary.right] : [binary.right, binary.left];
  const node = distanceOf(source, distance);
  if (node === undefined || roleOf(source, node) !== "number") return undefined;
  const choice = { ...choiceAt(node.startLine), isPart: false, isNegative: false };
  const text = unforeseenDistance(codeOf(source, node), codeOf(source, most), choice);
  return text === undefined ? undefined : { ...editOf(node, text), isShown: true };
}

function contradictOne(source: Source, { condition, isTrue }: Asserted): LiteralEdit | undefined {
  const binary = binaryOf(source, condition);
  if (binary !== undefined) {
    const { sign, left, right } = binary;
    if (isTrue && sign === "in") return askForNothing(source, left);
    if ((isTrue ? /^<=?$/ : /^>=?$/).test(sign)) return moveAway(source, distanceOf(source, left));
    if ((isTrue ? /^>=?$/ : /^<=?$/).test(sign)) return moveAway(source, distanceOf(source, right));
    return undefined;
  }
  const call = isTrue ? callOf(source, condition) : undefined;
  if (call === undefined) return undefined;
  if (near.test(call.name)) return contradictCall(source, condition)[0];
  if (holding.test(call.name)) return askForNothing(source, call.arguments.at(-1));
  return forAll.test(call.name) ? turnElement(source, call.arguments[0]) : undefined;
}

function isEquality(source: Source, { condition, isTrue }: Asserted): boolean {
  return (isTrue ? /^===?$/ : /^!==?$/).test(binaryOf(source, condition)?.sign ?? "");
}

/** Names of assertions that compare two numbers with a tolerance. */
const near =
  /^(?:is_?close|isClose|all_?close|assert_allclose|assertAlmostEquals?|assert_almost_equal|assert_in_delta|assertEqualsWithDelta|closeTo|approximately|InDelta|InEpsilon|isCloseTo|toBeCloseTo|approx)$/;
/** Names of assertions that search for a value in another one. */
const holding =
  /^(?:includes|contains|startsWith|endsWith|startswith|endswith|Contains|HasPrefix|HasSuffix)$/;
const holds = /^(?:assertIn|toContain|contain|include|assertContains|assertStringContainsString)$/;
const holdsSecond = /^assert_includes?$/;
const forAll = /^(?:all|every|allMatch)$/;
const equal = /^(?:assertEquals?|equals?|EXPECT_NEAR|ASSERT_NEAR)$/;

/** Contradicts calls that assert by themselves. */
function contradictCall(source: Source, node: SyntaxNode): LiteralEdit[] {
  const call = callOf(source, node);
  if (call === undefined || isNegated(source, node)) return [];
  // RSpec's `expect(f(1)).to include("a")`; elsewhere `include` asserts nothing.
  const matcher = call.name === "to" ? call.arguments[0] : undefined;
  if (matcher !== undefined && roleOf(source, matcher) === "call") return contradictCall(source, matcher);
  if (call.name === "include" && !isMatcher(source, node)) return [];
  const [first, ...rest] = call.arguments.filter((each) => roleOf(source, each) !== "keyword-argument");
  if (first === undefined) return [];
  const isOfTest = /^(?:t|b|tb|s)$/.test(codeOf(source, first));
  const [one, other, tolerance] = isOfTest ? rest : [first, ...rest];
  const isOne = call.receiver !== undefined && /^(?:toBeCloseTo|isCloseTo)$/.test(call.name);
  if (near.test(call.name))
    return listOf(moveAway(source, isOne || call.name === "approx" ? one : (other ?? one)));
  if (holds.test(call.name)) return listOf(askForNothing(source, one));
  if (holdsSecond.test(call.name)) return listOf(askForNothing(source, other));
  const roles = [one, tolerance].map((each) => each && roleOf(source, each));
  // A name such as `DELTA` may also be a message. A distant number fails in either case.
  const isNear = roles[1] === "number" || (roles[0] === "number" && roles[1] === "identifier");
  if (isNear && equal.test(call.name)) return listOf(moveAway(source, one));
  return /^toBeLessThan(?:OrEqual)?$/.test(call.name) && call.receiver !== undefined
    ? listOf(moveAway(source, distanceOf(source, callOf(source, call.receiver)?.arguments[0])))
    : [];
}

function isMatcher(source: Source, node: SyntaxNode): boolean {
  const above = node.parent?.parent;
  return above !== undefined && callOf(source, above)?.name === "to";
}

function listOf<T>(one: T | undefined): T[] {
  return one === undefined ? [] : [one];
}

/** Returns the subtracted value in `abs(f(1) - 3)`. */
function distanceOf(source: Source, node: SyntaxNode | undefined): SyntaxNode | undefined {
  const call = node && callOf(source, unwrapParentheses(source, node));
  const [inside, more] = call?.arguments ?? [];
  if (call === undefined || !/^f?abs$/i.test(call.name) || inside === undefined || more !== undefined)
    return undefined;
  const binary = binaryOf(source, unwrapParentheses(source, inside));
  return binary?.sign === "-" ? binary.right : undefined;
}

/** Moves a number further away than any tolerance reaches, for small numbers and large ones. */
function moveAway(source: Source, node: SyntaxNode | undefined): LiteralEdit | undefined {
  return node && editOf(node, `(${operandText(source, node)} * 3 + 1000003)`);
}

/** Makes the operand a text or a number that nothing contains. */
function askForNothing(source: Source, node: SyntaxNode | undefined): LiteralEdit | undefined {
  if (node === undefined) return undefined;
  const role = roleOf(source, node);
  if (role === "number") return moveAway(source, node);
  const [, open = "", inner = "", close = ""] =
    /^(["'`])([^"'`\\]*)(["'`])$/s.exec(codeOf(source, node)) ?? [];
  const isPlain = role === "string" && open !== "" && open === close && !inner.includes("${");
  return isPlain && (open !== "'" || inner.length !== 1 || source.dialect.language !== "java")
    ? editOf(node, `${open}${inner}qxzj${close}`)
    : undefined;
}

/** Negates the condition in `all(each > 0 for each in f())` or `f().every((each) => each > 0)`. */
function turnElement(source: Source, node: SyntaxNode | undefined): LiteralEdit | undefined {
  if (node === undefined) return undefined;
  const role = roleOf(source, node);
  const [first] = namedChildren(node);
  if (role === "comprehension" && first !== undefined) return turn(source, first);
  const body =
    role === "function-expression" ? node.children.find(({ field }) => field === "body") : undefined;
  return body === undefined || /block/.test(body.kind) ? undefined : turn(source, body);
}

function turn(source: Source, node: SyntaxNode): LiteralEdit {
  return editOf(node, `${source.dialect.operators.not}(${codeOf(source, node)})`);
}

/** True for a node in a loop, which may have no iteration. */
function isRepeated(source: Source, node: SyntaxNode): boolean {
  for (const parent of parentsOf(node)) {
    const role = roleOf(source, parent);
    if (role === "for-each" || role === "for") return true;
    if (role === "function" || role === "function-expression") return false;
  }
  return false;
}

function editOf(node: SyntaxNode, replacement: string): LiteralEdit {
  return { start: node.start, end: node.end, replacement, line: node.startLine };
}
