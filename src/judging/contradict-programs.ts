/**
 * Changes the values that a C or C++ test program expects, as `contradictTests` does for languages with a grammar.
 * Works on text. Changes only literals that certainly affect the result: a comparison or an assertion compares them
 * with a call's result. Pure.
 */
import { type Choice, unforeseenNumber, unforeseenText } from "./unforeseen-values.ts";
import { applyEdits } from "./vary-tests.ts";

const opaque = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'/g;
const equality = /(?:^|_)(?:EQ|EQUALS?|STREQ|eq|equals?|streq)(?:_|$)|Equals?(?:[A-Z]|$)/;
const asserting = /^[A-Z\d_]+$|[aA]ssert|[eE]xpect|[cC]heck|[rR]equire|[vV]erify|^ck_/;
/** Matches names of negative checks: `TEST_ASSERT_NOT_EQUAL`, `EXPECT_FALSE`, `check_differs`. */
const negative = /not|diff|unequal|false|refute|(?:^|_)(?:no|ne|neq)(?:_|$)/i;
const literal = /^(?:\d{1,15}[uUlL]*|\d+\.\d+|"[^"\\\n]*")$/;
const keyword = /^(?:if|for|while|switch|catch|return|sizeof)$/;

/** Code that makes a program fail, or a function return a failure. Output alone does not count. */
const counting = /\b(?:_|quick_)?[eE]xit\s*\(\s*(?:-?\s*[1-9]|EXIT_FAILURE\b)|\babort\s*\(|\+\+|\+=\s*1\b/;
const returning = /\breturn\s*\(?\s*(?:-?\s*[1-9]|EXIT_FAILURE\b)/;
const branching = /\b(?:if|for|while|switch|goto|continue)\b|\?|&&|\|\|/;

/** Maximum number of characters of a program, and of a call's arguments or a helper's body. */
const most = { program: 300_000, part: 2_000 };

interface Argument {
  readonly start: number;
  readonly text: string;
}

interface Call {
  readonly name: string;
  readonly start: number;
  readonly arguments: readonly Argument[];
  /** True if the code counts or returns the call's result; false for a statement. */
  readonly isResult: boolean;
  /** The code after the call. */
  readonly rest: string;
}

/**
 * Returns the program that expects other values. Undefined if no literal certainly affects the result, or if the
 * program has more than 300,000 characters.
 */
export function contradictProgram(text: string, pick: Choice["pick"]): string | undefined {
  if (text.length > most.program) return undefined;
  const code = text.replace(opaque, blank);
  // Without assertions, every value passes.
  if (/\bNDEBUG\b/.test(code)) return undefined;
  // Arguments may choose the assertions that run.
  if (/\bR"/.test(text) || /\bargv\s*\[\s*[^\]\s]|\bargv\b[^,;()]*[+;]|\bgetenv\b/.test(code))
    return undefined;
  const comparing = findComparing(code);
  const built = withoutDirectives(code);
  const isUncalled = findUncalled(built);
  const found = [...listCalls(text, built)].flatMap((call) => {
    if (isUncalled(call.start)) return [];
    const compared = comparedBy(call, comparing);
    const expected = compared.filter((each) => literal.test(each.text));
    const results = compared.filter((each) => /\w\s*\(/.test(each.text) && !literal.test(each.text));
    const [only, ...others] = expected;
    return only === undefined || others.length > 0 || results.length !== 1 ? [] : [only];
  });
  const edits = found.flatMap(({ start, text: written }) => {
    const replacement = otherLiteral(written, pick);
    return replacement === undefined ? [] : [{ start, end: start + written.length, replacement }];
  });
  return edits.length === 0 ? undefined : applyEdits(text, edits);
}

function blank(own: string): string {
  return /^["']/.test(own) ? own.replaceAll(/[^\n"']/g, " ") : own.replaceAll(/[^\n]/g, " ");
}

function otherLiteral(written: string, pick: Choice["pick"]): string | undefined {
  const choice = { shown: [], isAgain: false, code: "", isPart: false, isNegative: false, pick };
  if (!written.startsWith('"')) return unforeseenNumber(written, choice)?.text;
  const inner = written.slice(1, -1);
  return inner.length < 2 || inner.includes("%") ? undefined : `"${unforeseenText(inner, choice).text}"`;
}

/** Blanks directives, and the code between `#if` and `#endif`, which may not be built. */
function withoutDirectives(code: string): string {
  let depth = 0;
  let goesOn = false;
  const lines = code.split("\n").map((line) => {
    const directive = goesOn ? undefined : /^\s*#\s*(\w*)/.exec(line)?.[1];
    const isOwn = goesOn || directive !== undefined;
    goesOn = isOwn && /\\\s*$/.test(line);
    const isOut = isOwn || depth > 0;
    if (directive?.startsWith("if")) depth += 1;
    if (directive === "endif") depth -= 1;
    return isOut ? " ".repeat(line.length) : line;
  });
  return lines.join("\n");
}

/**
 * Returns a function that recognises offsets in uncalled functions: those whose name occurs nowhere else in the
 * program.
 */
function findUncalled(code: string): (at: number) => boolean {
  const counts = new Map<string, number>();
  for (const [word] of code.matchAll(/\w+/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const parts: { readonly start: number; readonly end: number }[] = [];
  for (let at = 0, depth = 0, from = 0, open = 0; at < code.length; at += 1) {
    if (code[at] === ";" && depth === 0) from = at + 1;
    if (code[at] === "{") {
      if (depth === 0) open = at;
      depth += 1;
    }
    if (code[at] !== "}" || depth === 0) continue;
    depth -= 1;
    if (depth > 0) continue;
    const [, name = "main"] = /(\w+)\s*\(/.exec(code.slice(from, open)) ?? [];
    // A macro such as `TEST(Fee, small)` registers its function.
    if (name !== "main" && /[a-z]/.test(name) && counts.get(name) === 1) parts.push({ start: open, end: at });
    from = at + 1;
  }
  return (at) => parts.some(({ start, end }) => at > start && at < end);
}

/** Lists every call and macro use that is a statement, or whose result counts. `code` has no directives. */
function* listCalls(text: string, code: string): Generator<Call> {
  for (const { 0: head, 1: name = "", index } of code.matchAll(/\b([A-Za-z_]\w*)\s*\(/g)) {
    let before = index - 1;
    while (before >= 0 && /\s/.test(code[before] ?? "")) before -= 1;
    const isStatement = before < 0 || ";{}".includes(code[before] ?? "");
    const isResult = /(?:[+|]=|\breturn)$/.test(code.slice(Math.max(0, before - 6), before + 1));
    if (!isStatement && !isResult) continue;
    const start = index + head.length;
    const end = closing(code, start);
    if (end === undefined) continue;
    const rest = code.slice(end + 1, end + 1 + most.part);
    yield { name, start, arguments: cut(text, code, start, end), isResult, rest };
  }
}

/**
 * Returns the offset of the parenthesis or brace that closes the one before `from`; undefined if it is too far away.
 */
function closing(code: string, from: number, [open, close] = "()"): number | undefined {
  for (let at = from, depth = 1; at < code.length && at < from + most.part; at += 1) {
    if (code[at] === open) depth += 1;
    if (code[at] === close) depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

function cut(text: string, code: string, start: number, end: number): Argument[] {
  const found: Argument[] = [];
  for (let at = start, from = start, depth = 0; at <= end; at += 1) {
    const sign = code[at] ?? "";
    if ("([{".includes(sign)) depth += 1;
    if (at === end || (sign === "," && depth === 0)) {
      const written = text.slice(from, at);
      found.push({ start: from + written.length - written.trimStart().length, text: written.trim() });
      from = at + 1;
    }
    if (")]}".includes(sign)) depth -= 1;
  }
  return found;
}

interface Helper {
  /** The indexes of the compared parameters. Empty if the effect of different values is unknown. */
  readonly places: readonly number[];
  /** True if the helper only returns a failure; false if it counts the failure or ends the program. */
  readonly isReturned: boolean;
}

/** Finds the file's functions and macros that compare two of their parameters, by name. */
function findComparing(code: string): ReadonlyMap<string, Helper> {
  const found = new Map<string, Helper>();
  const head = /\b(\w+)\s*\(([^(){};]*)\)\s*\{|#\s*define\s+(\w+)\(([^()]*)\)((?:.*\\\n)*.*)/g;
  for (const match of code.matchAll(head)) {
    const [whole, name = match[3] ?? "", given = match[4] ?? ""] = match;
    if (keyword.test(name) || !given.includes(",")) continue;
    const start = match.index + whole.length;
    const body = match[5] ?? code.slice(start, closing(code, start, "{}") ?? start);
    const parameters = given.split(",").map((each) => /(\w+)\s*(?:\[\])?$/.exec(each.trim())?.[1] ?? "");
    const helper = readHelper(body.slice(0, most.part), parameters);
    if (helper === undefined) continue;
    found.set(name, found.has(name) ? { places: [], isReturned: false } : helper);
  }
  return found;
}

/** A comparison of two parameters: an operator between them, or a function such as `strcmp` with its test for 0. */
const pair =
  /\b(\w+)\)?\s*([=!]=)\s*\(?(\w+)\b|(!\s*)?\b(?:str|mem)n?cmp\s*\(\s*\(?(\w+)\)?\s*,\s*\(?(\w+)\)?(?:\s*,\s*\w+(?:\s*\([^()]*\))?)?\s*\)(?:\s*([=!]=)\s*0)?/g;

/** Reads a helper's body. Undefined if the body compares none of its parameters. */
function readHelper(body: string, parameters: readonly string[]): Helper | undefined {
  for (const match of body.matchAll(pair)) {
    const { 1: one = match[5] ?? "", 2: sign, 3: other = match[6] ?? "", 4: not, 7: zero, index } = match;
    const places = [one, other].map((each) => parameters.indexOf(each));
    if (places.some((at) => at < 0)) continue;
    const isEqual = sign === "==" || (sign === undefined && (not !== undefined || zero === "=="));
    const kind = failureOf(body, { start: index, end: index + match[0].length, isEqual });
    return kind === undefined
      ? { places: [], isReturned: false }
      : { places, isReturned: kind === "returns" };
  }
  return undefined;
}

type Failure = "counts" | "returns" | undefined;

interface Comparison {
  readonly start: number;
  readonly end: number;
  /** True if the comparison holds for equal values. */
  readonly isEqual: boolean;
}

/** Returns the certain effect of different values; undefined if it is uncertain. */
function failureOf(body: string, { start, end, isEqual }: Comparison): Failure {
  const before = body.slice(0, start);
  const after = body.slice(end);
  const [, name = "", not] = /\b(\w+)\s*\(\s*(!)?[\s(]*$/.exec(before) ?? [];
  if (name !== "if") {
    if (/^[\s)]*[|&?=]/.test(after)) return undefined;
    const isReturn = /\breturn[\s(]*$/.test(before) && !isEqual;
    if (isReturn) return "returns";
    return isEqual && not === undefined && /assert/i.test(name) && !negative.test(name)
      ? "counts"
      : undefined;
  }
  const [closed = ""] = /^[\s)]*\)/.exec(after) ?? [];
  const branch = closed === "" ? undefined : branchAt(body, end + closed.length);
  if (branch === undefined) return undefined;
  if (isEqual === (not !== undefined)) return failureIn(branch.text);
  const rest = body.slice(branch.end);
  const [otherwise] = /^[\s\\]*else\b/.exec(rest) ?? [];
  if (otherwise !== undefined) return failureIn(branchAt(rest, otherwise.length)?.text ?? "");
  return /^\{?\s*return\s*\(?\s*(?:0|EXIT_SUCCESS)\b/.test(branch.text) ? failureIn(rest) : undefined;
}

function failureIn(code: string): Failure {
  if (branching.test(code)) return undefined;
  return counting.test(code) ? "counts" : returning.test(code) ? "returns" : undefined;
}

/** Returns the statement or the block at an offset. `end`: the offset after it. */
function branchAt(code: string, from: number): { readonly text: string; readonly end: number } | undefined {
  const [space = ""] = /^[\s\\]*/.exec(code.slice(from)) ?? [];
  const start = from + space.length;
  const end = code[start] === "{" ? closing(code, start + 1, "{}") : code.indexOf(";", start);
  return end === undefined || end < 0 ? undefined : { text: code.slice(start, end + 1), end: end + 1 };
}

/** Returns the two sides that a call compares for equality: its arguments, or the sides of its asserted comparison. */
function comparedBy(
  { name, arguments: given, isResult, rest }: Call,
  comparing: ReadonlyMap<string, Helper>,
): readonly Argument[] {
  const helper = comparing.get(name);
  if (helper !== undefined)
    return helper.isReturned && !isResult ? [] : helper.places.flatMap((at) => given[at] ?? []);
  if (isResult || negative.test(name)) return [];
  if (equality.test(name)) return given.length === 2 && asserting.test(name) ? given : [];
  const [only, more] = given;
  if (only === undefined || more !== undefined || !/assert|^if$|^check|^expect|^require/i.test(name))
    return [];
  const sides = /^([^=!<>&|?]*\))\s*([=!]=)\s*([^=!<>&|?()]*)$/.exec(only.text);
  if (sides === null || (sides[2] === "!=") !== (name === "if")) return [];
  if (name === "if" && failureIn(branchAt(rest, 0)?.text ?? "") === undefined) return [];
  const [, left = "", , right = ""] = sides;
  const start = only.start + only.text.length - right.length;
  const text = right.trim();
  // `strcmp(name(7), "box") == 0`: the compared texts are inside.
  const inner = /^strn?cmp\s*\((.*),\s*("[^"\\]*")\s*\)$/s.exec(left.trim());
  if (inner === null)
    return [
      { start: only.start, text: left },
      { start, text },
    ];
  if (text !== "0") return [];
  const [, result = "", expected = ""] = inner;
  return [
    { start: only.start, text: result },
    { start: only.start + only.text.lastIndexOf(expected), text: expected },
  ];
}
