/** Computes the value of a constant expression: `3 + 4`, `"as" + "sert"`, `len("kilogra")`. Pure. */
import { namedChildren, type SyntaxNode } from "../../syntax/node.ts";
import { binaryOf, callOf, codeOf, roleOf, type Source, unaryOf } from "../../syntax/reading.ts";

export type Folded = number | string | readonly Folded[];

/** Nobody writes a constant as a chain of thousands of operands. */
const deepest = 30;

/** Evaluates a constant expression; undefined if it is not constant. Literals count as constant. */
export function fold(source: Source, node: SyntaxNode, depth = 0): Folded | undefined {
  if (depth > deepest) return undefined;
  const role = roleOf(source, node);
  const text = codeOf(source, node);
  if (role === "parentheses") return foldOnly(source, node, depth);
  if (role === "number") return readNumber(text);
  if (role === "string") return readString(node, text);
  if (role === "collection") return foldAll(source, namedChildren(node), depth);
  const negative = unaryOf(source, node);
  if (negative !== undefined) {
    const value = negative.sign === "-" ? fold(source, negative.operand, depth + 1) : undefined;
    return typeof value === "number" ? -value : undefined;
  }
  const binary = binaryOf(source, node);
  if (binary !== undefined) {
    const left = fold(source, binary.left, depth + 1);
    const right = left === undefined ? undefined : fold(source, binary.right, depth + 1);
    return left === undefined || right === undefined ? undefined : compute(binary.sign, left, right);
  }
  return role === "call" ? foldCall(source, node, depth) : undefined;
}

/** True for an operation or a call. False for a literal or a collection. */
export function isComputed(source: Source, node: SyntaxNode): boolean {
  const role = roleOf(source, node);
  return role === "binary" || role === "call";
}

function foldOnly(source: Source, node: SyntaxNode, depth: number): Folded | undefined {
  const [only, more] = namedChildren(node);
  return only === undefined || more !== undefined ? undefined : fold(source, only, depth + 1);
}

function foldAll(source: Source, nodes: readonly SyntaxNode[], depth: number): readonly Folded[] | undefined {
  const parts = nodes.map((each) => fold(source, each, depth + 1));
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

function readNumber(text: string): number | undefined {
  const number = Number(text.replaceAll("_", ""));
  return Number.isNaN(number) ? undefined : number;
}

function readString(node: SyntaxNode, text: string): string | undefined {
  if (node.kind === "regex" || node.children.some(({ kind }) => /substitution|interpolation/.test(kind)))
    return undefined;
  return /^\w*#*("""|'''|"|'|`)([\s\S]*)\1#*$/.exec(text)?.[2];
}

const operations: Readonly<Record<string, (left: number, right: number) => number>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
  "//": (left, right) => Math.floor(left / right),
  "%": (left, right) => left % right,
  "**": (left, right) => left ** right,
  "^": (left, right) => left ^ right,
  "|": (left, right) => left | right,
  "&": (left, right) => left & right,
  "<<": (left, right) => left << right,
  ">>": (left, right) => left >> right,
};

function compute(sign: string, left: Folded, right: Folded): Folded | undefined {
  if (typeof left === "number" && typeof right === "number") {
    const value = operations[sign]?.(left, right);
    return value !== undefined && Number.isFinite(value) ? value : undefined;
  }
  if (typeof left !== "string" || typeof right === "object") return undefined;
  if (sign === "+") return left + String(right);
  return sign === "%" && /^[^%]*%[ds][^%]*$/.test(left) ? left.replace(/%[ds]/, String(right)) : undefined;
}

function foldCall(source: Source, node: SyntaxNode, depth: number): Folded | undefined {
  const call = callOf(source, node);
  if (call === undefined) return undefined;
  const on = call.receiver === undefined ? undefined : fold(source, call.receiver, depth + 1);
  const given = foldAll(source, call.arguments, depth + 1);
  if (given === undefined) return undefined;
  const [first] = given;
  if (call.receiver === undefined) {
    const isLength = call.name === "len" && first !== undefined && typeof first !== "number";
    return isLength ? first.length : undefined;
  }
  // `", ".join(list)` and `list.join(", ")`
  if (call.name === "join" && typeof on === "string" && isList(first)) return first.map(String).join(on);
  if (call.name === "join" && isList(on)) return on.map(String).join(typeof first === "string" ? first : ",");
  if (call.name === "split" && typeof on === "string" && typeof first === "string") return on.split(first);
  if (call.name === "reverse" && isList(on)) return on.toReversed();
  return undefined;
}

function isList(value: Folded | undefined): value is readonly Folded[] {
  return typeof value === "object";
}
