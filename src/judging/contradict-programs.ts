/**
 * Changes the values that a C or C++ test program expects, as `contradictTests` does for languages with a grammar. Works
 * on text, and changes only literals that certainly count: those that a comparison or an assertion of equality compares
 * with a call's result. Pure.
 */
import { type Choice, unforeseenNumber, unforeseenText } from "./unforeseen-values.ts";
import { applyEdits } from "./vary-tests.ts";

const opaque = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'/g;
const equality = /(?:^|_)(?:EQ|EQUALS?|STREQ)(?:_|$)|Equals?(?:[A-Z]|$)/i;
const literal = /^(?:\d{1,15}[uUlL]*|\d+\.\d+|"[^"\\\n]*")$/;

/** The failing branch of `if (fee(7) != 25)`. */
const failing = /^\s*\{?\s*(?:return\b|_?exit\b|abort\b|f?printf\b|\w*(?:fail|err|bad))/i;

interface Argument {
  readonly start: number;
  readonly text: string;
}

interface Call {
  readonly name: string;
  readonly arguments: readonly Argument[];
  /** The code after the call. */
  readonly rest: string;
}

/** Returns the program that expects other values; undefined if no literal certainly counts. */
export function contradictProgram(text: string, pick: Choice["pick"]): string | undefined {
  const code = text.replace(opaque, blank);
  // Arguments may choose the assertions that run.
  if (/\bR"/.test(text) || /\bargv\s*\[\s*[^\]\s]|\bargv\b[^,;()]*[+;]|\bgetenv\b/.test(code))
    return undefined;
  const comparing = findComparing(code);
  const found = [...listCalls(text, code)].flatMap((call) => {
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

/** Every call and macro use outside of preprocessor lines, with its arguments. */
function* listCalls(text: string, code: string): Generator<Call> {
  for (const { 0: head, 1: name = "", index } of code.matchAll(/\b([A-Za-z_]\w*)\s*\(/g)) {
    const line = code.slice(code.lastIndexOf("\n", index) + 1, index);
    const end = closing(code, index + head.length);
    if (end === undefined || /^\s*#/.test(line)) continue;
    yield { name, arguments: cut(text, code, index + head.length, end), rest: code.slice(end + 1, end + 80) };
  }
}

/** The offset of the parenthesis that closes the one before `from`. */
function closing(code: string, from: number): number | undefined {
  for (let at = from, depth = 1; at < code.length; at += 1) {
    if (code[at] === "(") depth += 1;
    if (code[at] === ")") depth -= 1;
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

/** The parameters that a helper of the file compares, by the helper's name. */
function findComparing(code: string): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, readonly number[]>();
  const helper = /\b(\w+)\s*\(([^(){};]*)\)\s*\{|#\s*define\s+(\w+)\(([^()]*)\)((?:.*\\\n)*.*)/g;
  for (const match of code.matchAll(helper)) {
    const [whole, name = match[3] ?? "", given = match[4] ?? ""] = match;
    const body = match[5] ?? code.slice(match.index + whole.length).split(/\n\}/)[0] ?? "";
    const parameters = given.split(",").map((each) => /(\w+)\s*(?:\[\])?$/.exec(each.trim())?.[1] ?? "");
    const pair = /\(?\b(\w+)\)?\s*[=!]=\s*\(?(\w+)\b|\b(?:str|mem)n?cmp\s*\(\s*\(?(\w+)\)?\s*,\s*\(?(\w+)/g;
    const places = [...body.matchAll(pair)]
      .map(([, one = "", other = "", left = one, right = other]) =>
        [left, right].map((each) => parameters.indexOf(each)),
      )
      .find((both) => both.every((each) => each >= 0));
    if (name !== "" && places !== undefined) found.set(name, places);
  }
  return found;
}

/** The two sides that a call compares for equality: its arguments, or the sides of its asserted comparison. */
function comparedBy(
  { name, arguments: given, rest }: Call,
  comparing: ReadonlyMap<string, readonly number[]>,
): readonly Argument[] {
  const places = comparing.get(name);
  if (places !== undefined) return places.flatMap((at) => given[at] ?? []);
  if (equality.test(name)) return given.length === 2 ? given : [];
  const [only, more] = given;
  if (only === undefined || more !== undefined || !/assert|^if$|^check|^expect|^require/i.test(name))
    return [];
  const sides = /^([^=!<>&|?]*\))\s*([=!]=)\s*([^=!<>&|?()]*)$/.exec(only.text);
  if (sides === null || (sides[2] === "!=") !== (name === "if")) return [];
  if (name === "if" && !failing.test(rest)) return [];
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
