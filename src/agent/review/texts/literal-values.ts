/**
 * Reads literals, and calls whose arguments are all literals, from prose and code. Accepts the spelling of any
 * language. Pure.
 */

/** The value of a literal, in the spelling of any language. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value };

export interface Literal {
  readonly value: Value;
  /** The literal's source text. */
  readonly text: string;
  /** The offset after the literal. */
  readonly end: number;
}

export interface LiteralCall {
  /** The function's name with its qualifiers: `shipping.fee`, `Url::parse`. */
  readonly callee: string;
  /** The last part of the qualified name. */
  readonly name: string;
  /** The source text of the whole call. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const number = /[-+]?(?:\d[\d_]*(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]*\w)/y;
const string = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'/y;
const word = /(?:true|True|false|False|null|None|nil|undefined)(?![\w$(.[])/y;
/** Types before a collection: `[]int{1, 2}`, `&[1, 2]`, `vec![1, 2]`, `new int[] {1, 2}`. */
const typed = /(?:\[\]\w+(?=\{)|&(?:mut )?(?=\[)|vec!(?=\[)|new \w+\[\]\s*(?=\{))/y;
const closing: Readonly<Record<string, string>> = { "[": "]", "(": ")", "{": "}" };
const words: Readonly<Record<string, boolean | null>> = {
  true: true,
  True: true,
  false: false,
  False: false,
};
/** Maximum depth of nested collections. */
const deepest = 8;

/**
 * Reads the literal that begins at the offset `at`. Returns undefined without a literal, or if its value is uncertain.
 */
export function readLiteral(text: string, at: number, depth = 0): Literal | undefined {
  const from = match(typed, text, at)?.end ?? at;
  const made = readScalar(text, from) ?? (depth < deepest ? readCollection(text, from, depth) : undefined);
  return made && { ...made, text: text.slice(at, made.end) };
}

type Read = Omit<Literal, "text">;

function readScalar(text: string, at: number): Read | undefined {
  const digits = match(number, text, at);
  if (digits !== undefined) return { value: Number(digits.found[0].replaceAll("_", "")), end: digits.end };
  const quoted = match(string, text, at);
  if (quoted !== undefined) {
    const value = readEscapes(quoted.found[1] ?? quoted.found[2] ?? "");
    // The beginning of a longer literal: `"""` or `"a" "b"`.
    return value === undefined || /["'\w]/.test(text[quoted.end] ?? "")
      ? undefined
      : { value, end: quoted.end };
  }
  const named = match(word, text, at);
  return named && { value: words[named.found[0]] ?? null, end: named.end };
}

function readCollection(text: string, from: number, depth: number): Read | undefined {
  const open = text[from] ?? "";
  const close = closing[open];
  if (close === undefined) return undefined;
  const items: Value[] = [];
  const fields: Record<string, Value> = {};
  let [at, commas, isRecord] = [skipSpace(text, from + 1), 0, false];
  while (text[at] !== close) {
    const key = open === "{" ? readKey(text, at) : undefined;
    const item = readLiteral(text, key?.end ?? at, depth + 1);
    if (item === undefined || (items.length > 0 && isRecord !== (key !== undefined))) return undefined;
    isRecord = key !== undefined;
    items.push(item.value);
    if (key !== undefined) fields[key.name] = item.value;
    at = skipSpace(text, item.end);
    if (text[at] === ",") [at, commas] = [skipSpace(text, at + 1), commas + 1];
    else if (text[at] !== close) return undefined;
  }
  // `(3)` is a number in parentheses.
  const [only] = items;
  if (open === "(" && commas === 0 && only !== undefined) return { value: only, end: at + 1 };
  return { value: isRecord || (open === "{" && items.length === 0) ? fields : items, end: at + 1 };
}

const key =
  /(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|([\p{L}_$][\p{L}\p{N}_$]*|\d+))\s*(?::(?!:)|=>)\s*/uy;

function readKey(text: string, at: number): { readonly name: string; readonly end: number } | undefined {
  const read = match(key, text, at);
  const name = read && (read.found[3] ?? readEscapes(read.found[1] ?? read.found[2] ?? ""));
  return read === undefined || name === undefined ? undefined : { name, end: read.end };
}

const callee = /(?<![\p{L}\p{N}_$.:)\]])(?:[\p{L}_$][\p{L}\p{N}_$]*(?:\.|::))*([\p{L}_$][\p{L}\p{N}_$]*)\(/gu;
const keyword = /[\p{L}_][\p{L}\p{N}_]*\s*(?:=(?!=)|:(?!:))\s*/uy;

/** Lists the calls that have at least one argument, and only literals as arguments. */
export function listLiteralCalls(text: string): LiteralCall[] {
  return [...text.matchAll(callee)].flatMap(({ 0: head, 1: name = "", index }) => {
    const end = endOfArguments(text, index + head.length);
    if (end === undefined) return [];
    return [{ callee: head.slice(0, -1), name, text: text.slice(index, end), start: index, end }];
  });
}

function endOfArguments(text: string, from: number): number | undefined {
  let at = skipSpace(text, from);
  for (let count = 0; ; count += 1) {
    if (text[at] === ")") return count > 0 ? at + 1 : undefined;
    const value = readLiteral(text, match(keyword, text, at)?.end ?? at);
    if (value === undefined) return undefined;
    at = skipSpace(text, value.end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
    else if (text[at] !== ")") return undefined;
  }
}

function match(pattern: RegExp, text: string, at: number) {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found === null ? undefined : { found, end: at + found[0].length };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at += 1;
  return at;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0" };

/** Reads the escapes in a string. Undefined if an escape's meaning depends on the language. */
function readEscapes(inside: string): string | undefined {
  let isKnown = true;
  const value = inside.replaceAll(/\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|(.))/gs, (_, long, short, sign) => {
    const code: string | undefined = long ?? short;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    if (/["'`\\/]/.test(sign)) return sign;
    isKnown &&= sign in escapes;
    return escapes[sign] ?? "";
  });
  return isKnown ? value : undefined;
}

/** Maximum number of decimal places to which a writer may round. */
const mostDecimals = 8;

/**
 * Returns true if the values are equal. `actual` may have more decimals than the wanted number: 3.14159 equals 3.14.
 */
export function isSameValue(wanted: Literal, actual: Value): boolean {
  const places = [...wanted.text.matchAll(/\d\.(\d+)/g)].map(([, decimals = ""]) => decimals.length);
  const fewest = Math.min(...places);
  const isRounded = fewest <= mostDecimals;
  return isEqual(wanted.value, actual, isRounded ? 0.5 * 10 ** -fewest : 0);
}

function isEqual(one: Value, other: Value, within: number): boolean {
  if (typeof one === "number" && typeof other === "number")
    return Math.abs(one - other) <= within + 1e-12 * Math.abs(one);
  if (typeof one !== "object" || one === null || typeof other !== "object" || other === null)
    return one === other;
  const [left, right] = [Object.entries(one), new Map(Object.entries(other))];
  if (Array.isArray(one) !== Array.isArray(other)) return left.length === 0 && right.size === 0;
  return (
    left.length === right.size &&
    left.every(([name, value]) => {
      const found = right.get(name);
      return found !== undefined && isEqual(value, found, within);
    })
  );
}
