/**
 * Finds conditions that hold for a single number: `6 < weight < 8`, `weight in range(7, 8)`, `weight * weight == 49`.
 * Such a condition singles out an input, as `weight == 7` does. Evaluates each condition for a series of numbers,
 * whatever operators it uses. Pure.
 */
import { namedChildren, type SyntaxNode, walk } from "../../../syntax/node.ts";
import {
  binaryOf,
  callOf,
  codeOf,
  isVariable,
  partOf,
  roleOf,
  type Source,
  unaryOf,
} from "../../../syntax/reading.ts";
import { fold } from "../texts/fold.ts";

type Value = number | string | boolean | readonly Value[];

/** The tested name, and its value. */
interface Given {
  readonly name: string;
  readonly value: number;
}

const deepest = 30;
/** Number of whole numbers to try, in addition to those near the condition's own. */
const mostTried = 300;
const far = [1_000, 4_096, 9_999, 65_536, 1e6, 1e9];

/**
 * Returns the only number that satisfies a condition on one name. If only a number and its negative satisfy it, returns
 * the positive number. For code that reads digits, see `onlyAlone`. Returns undefined in all other cases, and if it
 * cannot evaluate the condition.
 */
export function singledOut(source: Source, node: SyntaxNode): number | undefined {
  if (!isDeciding(source, node)) return undefined;
  const name = onlyName(source, node);
  if (name === undefined || isInWider(source, node, name)) return undefined;
  const held: number[] = [];
  for (const value of seriesFor(source, node)) {
    const holds = evaluate(source, node, { name, value }, 0);
    if (typeof holds !== "boolean" && typeof holds !== "number") return undefined;
    if (holds === true || (typeof holds === "number" && holds !== 0)) held.push(value);
  }
  const [first, second, third] = held;
  // A square has two roots, of which the tests use one.
  if (second === undefined || (third === undefined && second === -(first ?? 0)))
    return second === undefined ? first : Math.abs(second);
  return readsDigits.test(codeOf(source, node)) ? onlyAlone(held) : undefined;
}

/**
 * Maps each result of an index expression to the smallest whole number below `mostTried` that gives it, as the value of
 * the expression's only variable. Undefined if the expression does not have exactly one variable, or if a result is
 * unknown.
 */
export function firstInputs(source: Source, index: SyntaxNode): ReadonlyMap<number, number> | undefined {
  const name = onlyName(source, index);
  if (name === undefined) return undefined;
  const inputs = new Map<number, number>();
  for (let value = 0; value < mostTried; value++) {
    const result = evaluate(source, index, { name, value }, 0);
    if (typeof result !== "number") return undefined;
    if (!inputs.has(result)) inputs.set(result, value);
  }
  return inputs;
}

/** Code that reads a number's digits. Such a condition may hold for 7, and again for 70 to 79. */
const readsDigits = /\b(?:str|String|toString|valueOf)\s*\(|`\$\{|\bf["']\{/;

/** Returns the only number below 100 without a neighbour in the list; undefined if there are several. */
function onlyAlone(held: readonly number[]): number | undefined {
  const all = new Set(held);
  const [only, more] = held.filter((value) => !all.has(value - 1) && !all.has(value + 1) && value < 100);
  return more === undefined ? only : undefined;
}

const holding = /^(?:contains|includes|include\?|member\?|cover\?|has|issuperset|count)$/;
/** Methods that compare a number. */
const ofNumber = /^(?:between\?|eql\?|equal\?|equals|zero\?)$/;
const asking = /^(?:starts|ends)(?:With|with)$/;
const deciding = /^(?:[<>]=?|[=!]==?|=~|&&|\|\||and|or|in|not in)$/;
/** Calls that match a text with a pattern. */
const matching = /^(?:preg_match|fullmatch|match\??|matches|search)$/;
/** Calls that give 0 for a single number. */
const distance = /^(?:abs|sign|signum|compare|cmp)$/i;

function isDeciding(source: Source, node: SyntaxNode): boolean {
  const call = callOf(source, node);
  if (call !== undefined)
    return (
      matching.test(call.name) ||
      (call.receiver !== undefined &&
        (holding.test(call.name) ||
          asking.test(call.name) ||
          ofNumber.test(call.name) ||
          (call.name === "test" && call.receiver.kind === "regex")))
    );
  if (isPatternTest(source, node)) return true;
  const unary = unaryOf(source, node);
  // `!(weight - 7)` holds where the difference is zero.
  if (unary !== undefined) return /^(?:!|not)$/.test(unary.sign) && isArithmetic(source, unary.operand);
  if (roleOf(source, node) === "attribute") return memberOf(source, node) === "zero?";
  return roleOf(source, node) === "binary" && signsOf(source, node).some((sign) => deciding.test(sign));
}

function isArithmetic(source: Source, node: SyntaxNode): boolean {
  const inner = roleOf(source, node) === "parentheses" ? soleChild(node) : node;
  if (inner === undefined) return false;
  const call = callOf(source, inner);
  return call === undefined ? /^[-^%]$/.test(binaryOf(source, inner)?.sign ?? "") : distance.test(call.name);
}

/** True for Rust's `let 7 = weight` and Ruby's `weight in 7`. */
function isPatternTest(source: Source, node: SyntaxNode): boolean {
  return roleOf(source, node) === "pattern-test" || node.kind === "test_pattern";
}

function memberOf(source: Source, node: SyntaxNode): string {
  const member = partOf(source, node, "member");
  return member === undefined ? "" : codeOf(source, member);
}

/** True if the condition is part of a wider condition on the same name, which Millwright evaluates as a whole. */
function isInWider(source: Source, node: SyntaxNode, name: string): boolean {
  let around = node.parent;
  while (around !== undefined && roleOf(source, around) === "parentheses") around = around.parent;
  return around !== undefined && isDeciding(source, around) && onlyName(source, around) === name;
}

function signsOf(source: Source, node: SyntaxNode): string[] {
  return node.children.filter(({ named }) => !named).map((each) => codeOf(source, each).replace(/\s+/g, " "));
}

/** Names of known functions, which do not count as tested names. */
const known =
  /^(?:abs|range|str|int|set|frozenset|list|tuple|String|Number|Math|Integer|Long|ord|Set|List|Arrays|java|util|len|re|cmp|std|core|Some)$/;

function onlyName(source: Source, node: SyntaxNode): string | undefined {
  const names = new Set<string>();
  for (const each of walk(node))
    if (isVariable(source, each) && !isCalled(source, each)) names.add(codeOf(source, each));
  const [name, more] = [...names].filter((each) => !known.test(each));
  return more === undefined ? name : undefined;
}

function isCalled(source: Source, name: SyntaxNode): boolean {
  return name.parent !== undefined && callOf(source, name.parent)?.callee === name;
}

/** Numbers near those in the condition, their roots and fractions, small ones, and a few distant ones. */
function seriesFor(source: Source, node: SyntaxNode): number[] {
  const numbers = [...walk(node)].flatMap((each) => {
    const text = codeOf(source, each).replaceAll(/^\w*["'`]|["'`]$|_/g, "");
    const role = roleOf(source, each);
    const value = role === "number" || role === "string" ? Number(text) : Number.NaN;
    return text === "" || !Number.isFinite(value) ? [] : [value];
  });
  const near = numbers.flatMap((value) =>
    [
      value,
      -value,
      Math.sqrt(Math.abs(value)),
      ...numbers.flatMap((other) => [value - other, value + other, value / other]),
    ]
      .filter(Number.isFinite)
      .flatMap((each) => [-1, 0, 1].map((step) => Math.round(each) + step)),
  );
  const small = Array.from({ length: mostTried }, (_, index) => index - 20);
  return [...new Set([...small, ...near, ...far])].map((each) => each + 0);
}

function evaluate(source: Source, node: SyntaxNode, given: Given, depth: number): Value | undefined {
  if (depth > deepest) return undefined;
  const read = (each: SyntaxNode | undefined): Value | undefined =>
    each === undefined ? undefined : evaluate(source, each, given, depth + 1);
  const role = roleOf(source, node);
  const text = codeOf(source, node);
  if (role === "parentheses") return read(soleChild(node));
  if (role === "number") return numberOf(text);
  if (role === "identifier") return text === given.name ? given.value : undefined;
  if (role === "slice" || node.kind === "range_pattern")
    return rangeBetween(isOpenRange(source, text), namedChildren(node).map(read));
  if (isPatternTest(source, node)) return readPatternTest(node, read);
  if (/^(?:reference_expression|match_pattern)$/.test(node.kind)) return read(soleChild(node));
  if (role === "cast") return readCast(source, node, read);
  if (role === "attribute") {
    const own = read(partOf(source, node, "object"));
    const list = typeof own === "object" ? numbersOf(own) : undefined;
    if (list !== undefined) return ofNumbers.get(memberOf(source, node))?.(list);
    return typeof own === "number" ? numberParts.get(memberOf(source, node))?.(own) : undefined;
  }
  if (role === "collection") return listOf(namedChildren(node).map(read));
  if (node.kind === "regex") return text.replace(/^\/(.*)\/$/s, "$1");
  if (role === "string") return readText(node, text, read);
  if (node.kind === "tuple_struct_pattern") {
    const [type, ...parts] = namedChildren(node);
    return type === undefined ? undefined : listOf([codeOf(source, type), ...parts.map(read)]);
  }
  const unary = unaryOf(source, node);
  if (unary !== undefined) return negate(unary.sign, read(unary.operand));
  if (role === "binary") {
    const binary = binaryOf(source, node);
    return binary === undefined
      ? readChain(source, node, read)
      : join(binary.sign, read(binary.left), () => read(binary.right));
  }
  if (role === "subscript") {
    const [list, index, ...more] = namedChildren(node).map(read);
    return typeof list === "string" && more.length === 0
      ? textParts.get("at")?.(list, index ?? "")
      : undefined;
  }
  const call = callOf(source, node);
  const found = call === undefined ? undefined : evaluateCall(source, call, read);
  return found ?? (call === undefined ? undefined : fold(source, node));
}

function readPatternTest(
  node: SyntaxNode,
  read: (each: SyntaxNode | undefined) => Value | undefined,
): boolean | undefined {
  const [pattern, value] = ["pattern", "value"].map((field) =>
    read(node.children.find((child) => child.field === field)),
  );
  if (pattern === undefined || value === undefined) return undefined;
  if (typeof pattern === "object" && typeof value === "number") return pattern.includes(value);
  return JSON.stringify(pattern) === JSON.stringify(value);
}

function readCast(
  source: Source,
  node: SyntaxNode,
  read: (each: SyntaxNode | undefined) => Value | undefined,
): Value | undefined {
  const values = namedChildren(node).map(read);
  const value = values.find((each) => each !== undefined);
  return /^\(\s*string\s*\)/i.test(codeOf(source, node)) && typeof value === "number" ? String(value) : value;
}

/** True for a range that excludes its end: `7..8` in Rust, `7...8` in Ruby. */
function isOpenRange(source: Source, text: string): boolean {
  return source.dialect.language === "rust" ? !text.includes("..=") : text.includes("...");
}

function evaluateCall(
  source: Source,
  { name, receiver, arguments: given }: NonNullable<ReturnType<typeof callOf>>,
  read: (each: SyntaxNode | undefined) => Value | undefined,
): Value | undefined {
  const handed = listOf(given.map(read));
  const [first] = handed ?? [];
  if (receiver !== undefined) {
    const own = read(receiver);
    const all = typeof own === "number" ? numbersOf([own, ...(handed ?? [])]) : undefined;
    if (all !== undefined && handed !== undefined && ofNumbers.has(name)) return ofNumbers.get(name)?.(all);
    if (typeof own === "string" && matching.test(name)) return matchText(name, handed?.[0], own);
    if (typeof own === "string" && textCalls.test(name)) return textParts.get(name)?.(own, first ?? 0);
    if (typeof own === "number" && name === "toString" && first === undefined) return String(own);
    if (first === undefined && numberParts.has(name))
      return typeof own === "number" ? numberParts.get(name)?.(own) : undefined;
    if (ofNumber.test(name)) return askNumber(own, handed ?? []);
    if (name === "test" && receiver.kind === "regex") return matches(codeOf(source, receiver), first);
    if (name === "toString" && typeof first === "number")
      return typeof own === "number" && first >= 2 && first <= 36 ? own.toString(first) : undefined;
    if (name === "issuperset" && typeof first === "object")
      return typeof own === "object" ? first.every((each) => own.includes(each)) : undefined;
    if (own !== undefined && holding.test(name))
      return typeof own === "object" && first !== undefined ? own.includes(first) : undefined;
  }
  const fullName = receiver === undefined ? name : `${codeOf(source, receiver)}.${name}`;
  return handed === undefined ? undefined : callKnown(name, fullName, handed);
}

/** Calls and attributes of a number that need no arguments. */
const numberParts = new Map<string, (value: number) => Value>([
  ["pred", (value) => value - 1],
  ["succ", (value) => value + 1],
  ["abs", (value) => Math.abs(value)],
  ["zero?", (value) => value === 0],
  ["to_s", String],
  ["to_i", Math.trunc],
  ["itself", (value) => value],
  ["intValue", (value) => value],
  ["__index__", (value) => value],
  ["to_string", String],
]);

/** Functions of numbers, as calls and as methods of the first number. */
const ofNumbers = new Map<string, (numbers: readonly number[]) => Value | undefined>([
  ["max", (numbers) => Math.max(...numbers)],
  ["min", (numbers) => Math.min(...numbers)],
  ["clamp", ([value = 0, low = 0, high = 0]) => Math.min(Math.max(value, low), high)],
  ["abs", ([value = 0]) => Math.abs(value)],
  ["sign", ([value = 0]) => Math.sign(value)],
  ["signum", ([value = 0]) => Math.sign(value)],
  ["abs_diff", ([one = 0, other = 0]) => Math.abs(one - other)],
  ["checked_sub", ([one = 0, other = 0]) => ["Some", one - other]],
]);

function numbersOf(values: readonly Value[]): readonly number[] | undefined {
  return values.length > 0 && values.every((each) => typeof each === "number") ? values : undefined;
}

function askNumber(own: Value | undefined, [first, second]: readonly Value[]): boolean | undefined {
  if (typeof own !== "number" || typeof first !== "number") return undefined;
  if (second === undefined) return own === first;
  return typeof second === "number" ? first <= own && own <= second : undefined;
}

function matches(regex: string, given: Value | undefined): boolean | undefined {
  const [, pattern] = /^\/(.*)\/$/.exec(regex) ?? [];
  return tryPattern(pattern, given);
}

/** Matches the whole text for `matches` and `fullmatch`, and any part of it otherwise. */
function matchText(name: string, pattern: Value | undefined, given: Value | undefined): boolean | undefined {
  if (typeof pattern !== "string") return undefined;
  const plain = name === "preg_match" ? pattern.replace(/^([/~#])(.*)\1$/s, "$2") : pattern;
  return tryPattern(plain, given, /^(?:matches|fullmatch)$/.test(name));
}

/** Matches the pattern, unless it may take long. */
function tryPattern(
  pattern: string | undefined,
  given: Value | undefined,
  isWhole = false,
): boolean | undefined {
  if (pattern === undefined || !/^(?:\\[AzZ])?[\w^$[\]\\?-]{1,40}$/.test(pattern)) return undefined;
  if (given === undefined || typeof given === "object") return undefined;
  const spelled = pattern.replace(/^\\A/, "^").replace(/\\[zZ]$/, "$");
  try {
    return new RegExp(isWhole ? `^(?:${spelled})$` : spelled).test(String(given));
  } catch {
    return undefined;
  }
}

function rangeBetween(
  isOpen: boolean,
  [from, to]: readonly (Value | undefined)[],
): readonly number[] | undefined {
  if (typeof from !== "number" || typeof to !== "number" || to - from > mostTried) return undefined;
  return Array.from({ length: Math.max(0, to - from + (isOpen ? 0 : 1)) }, (_, at) => from + at);
}

/** Functions of a string, such as a character, a character's code, or a test of its prefix. */
const textParts = new Map<string, (text: string, given: Value) => Value | undefined>([
  ["at", (text, given) => (typeof given === "number" ? (text.at(given) ?? "") : undefined)],
  ["charAt", (text, given) => (typeof given === "number" ? text.charAt(given) : undefined)],
  ["charCodeAt", (text, given) => (typeof given === "number" ? text.charCodeAt(given) : undefined)],
  ["codePointAt", (text, given) => (typeof given === "number" ? (text.codePointAt(given) ?? -1) : undefined)],
  ["startsWith", (text, given) => (typeof given === "string" ? text.startsWith(given) : undefined)],
  ["startswith", (text, given) => (typeof given === "string" ? text.startsWith(given) : undefined)],
  ["endsWith", (text, given) => (typeof given === "string" ? text.endsWith(given) : undefined)],
  ["endswith", (text, given) => (typeof given === "string" ? text.endsWith(given) : undefined)],
  ["toString", (text) => text],
]);
const textCalls = /^(?:at|char(?:Code)?At|codePointAt|starts[Ww]ith|ends[Ww]ith|toString)$/;

function soleChild(node: SyntaxNode): SyntaxNode | undefined {
  const [only, more] = namedChildren(node);
  return more === undefined ? only : undefined;
}

function listOf(parts: readonly (Value | undefined)[]): readonly Value[] | undefined {
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

function numberOf(text: string): number | undefined {
  const value = Number(text.replaceAll("_", "").replace(/(?<=^[\d.]+)[lLfFdDn]$/, ""));
  return Number.isNaN(value) ? undefined : value;
}

/** Reads a literal string, or a string made only from the number: `${weight}`, f"{weight:b}". */
function readText(
  node: SyntaxNode,
  text: string,
  read: (node: SyntaxNode | undefined) => Value | undefined,
): string | undefined {
  const inner = /^\w*("""|'''|"|'|`)([\s\S]*)\1$/.exec(text)?.[2];
  const filled = node.children.filter(({ kind }) => /substitution|interpolation/.test(kind));
  const [only, more] = filled;
  if (only === undefined) return inner;
  const format = /^\$?\{[^{}:]*(?::([bxXod]))?\}$/.exec(inner ?? "");
  const value = more === undefined && format !== null ? read(namedChildren(only)[0]) : undefined;
  if (typeof value !== "number") return undefined;
  return value.toString(bases[format?.[1] ?? "d"]);
}

const bases: Readonly<Record<string, number>> = { b: 2, o: 8, d: 10, x: 16, X: 16 };

function negate(sign: string, value: Value | undefined): Value | undefined {
  if (sign === "-") return typeof value === "number" ? -value : undefined;
  if (sign === "*" || sign === "+") return value;
  if (sign !== "!" && sign !== "not") return undefined;
  if (typeof value === "number") return value === 0;
  return typeof value === "boolean" ? !value : undefined;
}

/** Evaluates a chain of comparisons: `6 < weight < 8`. */
function readChain(
  source: Source,
  node: SyntaxNode,
  read: (node: SyntaxNode) => Value | undefined,
): boolean | undefined {
  const operands = namedChildren(node);
  const signs = signsOf(source, node);
  if (signs.length !== operands.length - 1) return undefined;
  for (const [at, sign] of signs.entries()) {
    const [left, right] = [operands[at], operands[at + 1]];
    const holds = left && right && join(sign, read(left), () => read(right));
    if (typeof holds !== "boolean") return undefined;
    if (!holds) return false;
  }
  return true;
}

function join(sign: string, left: Value | undefined, readRight: () => Value | undefined): Value | undefined {
  if (left === undefined) return undefined;
  // Operands that are not reached need not be known.
  if (typeof left === "boolean") {
    if (sign === "and" || sign === "&&") return left ? readRight() : false;
    return sign === "or" || sign === "||" ? left || readRight() : undefined;
  }
  const right = readRight();
  if (right === undefined) return undefined;
  if (sign === "in" || sign === "not in") {
    const isIn = typeof right === "object" ? right.includes(left) : undefined;
    return isIn === undefined ? undefined : isIn === (sign === "in");
  }
  if (typeof left === "object" && typeof right === "object")
    return equal(sign, JSON.stringify(left), JSON.stringify(right));
  if (sign === "=~") return matchText(sign, right, left);
  if (typeof left === "string" || typeof right === "string") return equal(sign, left, right);
  if (typeof left !== "number" || typeof right !== "number") return undefined;
  return numbers[sign]?.(left, right);
}

/** Compares two values. A string equals a number only under JavaScript's `==`, which nobody intends. */
function equal(sign: string, left: Value, right: Value): boolean | undefined {
  if (typeof left !== typeof right) return undefined;
  if (/^={2,3}$/.test(sign)) return left === right;
  return /^!={1,2}$/.test(sign) ? left !== right : undefined;
}

const numbers: Readonly<Record<string, (left: number, right: number) => number | boolean>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
  "//": (left, right) => Math.floor(left / right),
  "%": (left, right) => left % right,
  "**": (left, right) => left ** right,
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
  "==": (left, right) => left === right,
  "===": (left, right) => left === right,
  "^": (left, right) => left ^ right,
  "&": (left, right) => left & right,
  "<=>": (left, right) => Math.sign(left - right),
  "!=": (left, right) => left !== right,
  "!==": (left, right) => left !== right,
};

function callKnown(name: string, callee: string, given: readonly Value[]): Value | undefined {
  const [first, second, third] = given;
  if (matching.test(name)) return matchText(name, first, second);
  if (name === "Some") return ["Some", ...given];
  const all = numbersOf(typeof first === "object" && second === undefined ? first : given);
  if (all !== undefined && ofNumbers.has(name)) return ofNumbers.get(name)?.(all);
  if (name === "range" && given.every((each) => typeof each === "number")) return rangeOf(given);
  if (/(?:^|\.)(?:Set\.of|List\.of|Arrays\.asList)$/.test(callee)) return given;
  if (/(?:^|\.)(?:Integer|Long)\.compare$/.test(callee) || /^(?:divmod|gcd)$/.test(name))
    return typeof first === "number" && typeof second === "number" ? ofTwo(name, first, second) : undefined;
  if (second !== undefined || third !== undefined) return undefined;
  if (/(?:^|\.)(?:Integer|Long)\.valueOf$/.test(callee)) return first;
  if (/^(?:(?:new )?Set|set|frozenset|list|tuple)$/.test(name))
    return typeof first === "object" ? first : undefined;
  if (/(?:^|\.)(?:Integer|Long)\.bitCount$/.test(callee) || name === "bit_count")
    return typeof first === "number" && first >= 0 ? first.toString(2).replaceAll("0", "").length : 0;
  if (name === "ord") return typeof first === "string" ? (first.codePointAt(0) ?? -1) : undefined;
  if (/^(?:str|String|Integer\.toString|String\.valueOf)$/.test(callee)) return String(first);
  return /^(?:int|Number|Math\.(?:round|floor|trunc))$/.test(callee) && typeof first === "number"
    ? Math.trunc(first)
    : undefined;
}

function ofTwo(name: string, one: number, other: number): Value | undefined {
  if (name === "compare") return Math.sign(one - other);
  if (other === 0) return undefined;
  if (name === "divmod") return [Math.floor(one / other), ((one % other) + other) % other];
  let [high, low] = [Math.abs(one), Math.abs(other)];
  while (low > 0) [high, low] = [low, high % low];
  return high;
}

function rangeOf(given: readonly number[]): readonly number[] | undefined {
  const [start = 0, end = 0, step = 1] = given.length === 1 ? [0, ...given] : given;
  const length = Math.ceil((end - start) / step);
  return length > 0 && length <= mostTried ? Array.from({ length }, (_, at) => start + at * step) : undefined;
}
