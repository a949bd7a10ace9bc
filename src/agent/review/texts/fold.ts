/** Computes the value of a constant expression: `3 + 4`, `"as" + "sert"`, `len("kilogra")`, `int("7")`. Pure. */
import { namedChildren, type SyntaxNode } from "../../../syntax/node.ts";
import {
  binaryOf,
  type Call,
  callOf,
  codeOf,
  partOf,
  roleOf,
  type Source,
  unaryOf,
} from "../../../syntax/reading.ts";

export type Folded = number | string | readonly Folded[];

/** Maximum depth of a constant expression. Nobody writes a constant as a chain of thousands of operands. */
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
    const value = fold(source, negative.operand, depth + 1);
    if (negative.sign === "+") return toNumber(value);
    return negative.sign === "-" && typeof value === "number" ? -value : undefined;
  }
  const binary = binaryOf(source, node);
  if (binary !== undefined) {
    const left = fold(source, binary.left, depth + 1);
    const right = left === undefined ? undefined : fold(source, binary.right, depth + 1);
    return left === undefined || right === undefined ? undefined : compute(binary.sign, left, right);
  }
  if (role === "cast") return foldCast(source, node, depth);
  if (role === "attribute") return foldAttribute(source, node, depth);
  return role === "call" ? foldCall(source, node, depth) : undefined;
}

/** Returns true for an operation or a call, and false for a literal or a collection. */
export function isComputed(source: Source, node: SyntaxNode): boolean {
  return /^(?:unary|binary|call|cast|attribute)$/.test(roleOf(source, node) ?? "");
}

/** Types whose values are numbers. */
const numericType =
  /^(?:u?int\d*|integer|[iu](?:8|16|32|64|128|size)|f32|f64|float\d*|long|short|double|number)$/i;
/** Functions of any module that read a number. */
const parsing = /^(?:parse(?:Int|Float|Long|Double)?|valueOf|Atoi)$/;
/** Functions, and methods of a constant, that read a number. */
const numeric =
  /^(?:u?int\d*|float\d*|Number|Integer|Float|BigInt|(?:Big)?Decimal|BigInteger|(?:int|float)val|parse(?:Int|Float)?|to_[if])$/;
const lengths = /^(?:len|length|size|strlen|mb_strlen)$/;
/** Methods that return their receiver's value. */
const handing = /^(?:unwrap|expect|intValue|longValue)$/;

/** Computes `(int) "7"` and `7 as u32`. */
function foldCast(source: Source, node: SyntaxNode, depth: number): Folded | undefined {
  const parts = namedChildren(node);
  const isType = (each: SyntaxNode): boolean => roleOf(source, each) === "type" || /type$/.test(each.kind);
  const type = parts.find(isType);
  const operand = parts.find((each) => !isType(each));
  const value = operand === undefined ? undefined : fold(source, operand, depth + 1);
  return type !== undefined && numericType.test(codeOf(source, type)) ? toNumber(value) : value;
}

/** Computes Ruby's `"7".to_i` and `"kilogra".length`. */
function foldAttribute(source: Source, node: SyntaxNode, depth: number): Folded | undefined {
  const [object, member] = [partOf(source, node, "object"), partOf(source, node, "member")];
  if (object === undefined || member === undefined) return undefined;
  return convert(codeOf(source, member), fold(source, object, depth + 1));
}

function convert(name: string, value: Folded | undefined): Folded | undefined {
  if (handing.test(name)) return value;
  if (lengths.test(name)) return value === undefined || typeof value === "number" ? undefined : value.length;
  return numeric.test(name) ? toNumber(value) : undefined;
}

function toNumber(value: Folded | undefined): number | undefined {
  if (typeof value !== "string") return typeof value === "number" ? value : undefined;
  return value.trim() === "" ? undefined : readNumber(value.trim());
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
  const { name, receiver } = withoutTypes(source, call);
  const on = receiver === undefined ? undefined : fold(source, receiver, depth + 1);
  const given = foldAll(source, call.arguments, depth + 1);
  if (given === undefined) return undefined;
  const [first, second, third] = given;
  // `int("7")`, `parseInt("7", 10)`, `"7".parse().unwrap()`
  const isShort = third === undefined && (second === undefined || second === 10);
  const isOfModule = receiver !== undefined && on === undefined;
  if (isShort && isOfModule && parsing.test(name)) return toNumber(first);
  const converted = isShort && !isOfModule ? convert(name, on ?? first) : undefined;
  if (converted !== undefined) return converted;
  // `", ".join(list)` and `list.join(", ")`
  if (name === "join" && typeof on === "string" && isList(first)) return first.map(String).join(on);
  if (name === "join" && isList(on)) return on.map(String).join(typeof first === "string" ? first : ",");
  if (name === "split" && typeof on === "string" && typeof first === "string") return on.split(first);
  if (name === "reverse" && isList(on)) return on.toReversed();
  return undefined;
}

/** Removes types from a call: `"7".parse::<u32>()` is a call of `parse`. */
function withoutTypes(source: Source, call: Call): Pick<Call, "name" | "receiver"> {
  const callee = call.callee.kind === "generic_function" ? namedChildren(call.callee)[0] : undefined;
  const member = callee && partOf(source, callee, "member");
  if (callee === undefined || member === undefined) return { ...call, name: call.name.replace(/^new /, "") };
  return { name: codeOf(source, member), receiver: partOf(source, callee, "object") };
}

function isList(value: Folded | undefined): value is readonly Folded[] {
  return typeof value === "object";
}
