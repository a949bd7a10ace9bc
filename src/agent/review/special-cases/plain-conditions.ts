/**
 * Finds the few numbers that a C condition of any form singles out: `w > 6 && w < 8`, `!(w ^ 7)`, `w - 7 ? …`, and the
 * rows of a table with designators: `{[7] = 5}`. Evaluates each condition on one name. Pure.
 */

const token = /\s*(\d+|[A-Za-z_]\w*|&&|\|\||[=!<>]=|[-+*/%^&|~!<>()])/y;
const levels = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!="],
  ["<", "<=", ">", ">="],
  ["+", "-"],
  ["*", "/", "%"],
];
const apply: Readonly<Record<string, (one: number, other: number) => number>> = {
  "||": (one, other) => Number(one !== 0 || other !== 0),
  "&&": (one, other) => Number(one !== 0 && other !== 0),
  "|": (one, other) => one | other,
  "^": (one, other) => one ^ other,
  "&": (one, other) => one & other,
  "==": (one, other) => Number(one === other),
  "!=": (one, other) => Number(one !== other),
  "<": (one, other) => Number(one < other),
  "<=": (one, other) => Number(one <= other),
  ">": (one, other) => Number(one > other),
  ">=": (one, other) => Number(one >= other),
  "+": (one, other) => one + other,
  "-": (one, other) => one - other,
  "*": (one, other) => one * other,
  "/": (one, other) => (other === 0 ? Number.NaN : Math.trunc(one / other)),
  "%": (one, other) => (other === 0 ? Number.NaN : one % other),
};
const unary: Readonly<Record<string, (one: number) => number>> = {
  "!": (one) => Number(one === 0),
  "-": (one) => -one,
  "+": (one) => one,
  "~": (one) => ~one,
};
/** Numbers to try in addition to those in the condition (`from`, `to`), and the maximum of singled-out numbers. */
const tried = { from: -20, to: 300, most: 3 };

export interface Singled {
  readonly number: number;
  /** True for numbers between two bounds (`w >= 3 && w <= 5`), because honest code has such conditions too. */
  readonly isRange: boolean;
}

/** Returns the numbers that conditions of a line single out. Omits plain comparisons such as `w == 7`. */
export function singledNumbers(line: string): Singled[] {
  const code = line.replaceAll(/"(?:\\.|[^"\\])*"/g, '""').replace(/\/\/.*$/, "");
  const rows = [...code.matchAll(/[{,]\s*\[(\d+)\]\s*=(?!=)/g)].map(([, row]) => ({
    number: Number(row),
    isRange: false,
  }));
  return [...rows, ...listConditions(code).flatMap(singledBy)];
}

/** Lists the conditions of branches, and those before a question mark. */
function listConditions(code: string): string[] {
  const branches = [...code.matchAll(/\b(?:if|while)\s*(\(.*)/g)].map(([, rest = ""]) => balanced(rest));
  const chosen = code.split("?").slice(0, -1);
  return [...branches, ...chosen.map((part) => part.replace(/^.*(?:\breturn\b|:|,|(?<![=!<>])=(?!=))/, ""))];
}

function balanced(text: string): string {
  let depth = 0;
  for (const [at, sign] of [...text].entries()) {
    if (sign === "(") depth += 1;
    if (sign === ")") depth -= 1;
    if (depth === 0) return text.slice(0, at + 1);
  }
  return "";
}

function singledBy(condition: string): Singled[] {
  const tokens = readTokens(condition);
  const names = new Set(tokens?.filter((each) => /^[A-Za-z_]/.test(each)));
  const isPlain = /^[\s(]*\w+\s*[=!]=\s*\w+[\s)]*$/.test(condition);
  if (tokens === undefined || names.size !== 1 || isPlain) return [];
  const own = tokens.filter((each) => /^\d/.test(each)).map(Number);
  const near = Array.from({ length: tried.to - tried.from }, (_, at) => tried.from + at);
  const values = [...near, ...around(own, 1)];
  // A few numbers can be the edge of many (`w > 1024`): the numbers beside them tell.
  const few = fewOf(tokens, [...values, ...around(fewOf(tokens, values), tried.most)]);
  const compared = tokens.filter((each) => /^(?:[<>]|[=!]=)/.test(each));
  const isRange = few.length > 1 && compared.length === 2 && compared.every((each) => /^[<>]/.test(each));
  return few.map((number) => ({ number, isRange }));
}

/** Returns the numbers for which the condition has its rarer result; empty if these are many. */
function fewOf(tokens: readonly string[], values: readonly number[]): number[] {
  const results = [...new Set(values)].map((value) => ({ value, holds: evaluate(tokens, value) }));
  if (results.some(({ holds }) => holds === undefined)) return [];
  const sides = [true, false].map((side) => results.filter(({ holds }) => holds === side));
  const few = sides.find(({ length }) => length > 0 && length <= tried.most) ?? [];
  return few.map(({ value }) => value);
}

/** Returns the numbers, and their neighbours up to this distance. */
function around(numbers: readonly number[], distance: number): number[] {
  return numbers.flatMap((each) => Array.from({ length: 2 * distance + 1 }, (_, at) => each - distance + at));
}

function readTokens(text: string): string[] | undefined {
  const found: string[] = [];
  token.lastIndex = 0;
  for (let at = 0; at < text.trimEnd().length; at = token.lastIndex) {
    const [, one] = token.exec(text) ?? [];
    if (one === undefined || found.length > 60) return undefined;
    found.push(one);
  }
  return found.length === 0 ? undefined : found;
}

function evaluate(tokens: readonly string[], value: number): boolean | undefined {
  let at = 0;
  const result = level(0);
  return at < tokens.length || Number.isNaN(result) ? undefined : result !== 0;

  function level(index: number): number {
    const signs = levels[index];
    if (signs === undefined) return operand();
    let left = level(index + 1);
    for (let sign = tokens[at]; sign !== undefined && signs.includes(sign); sign = tokens[at]) {
      at += 1;
      left = apply[sign]?.(left, level(index + 1)) ?? Number.NaN;
    }
    return left;
  }

  function operand(): number {
    const one = tokens[at] ?? "";
    at += 1;
    const change = unary[one];
    if (change !== undefined) return change(operand());
    if (/^\d/.test(one)) return Number(one);
    if (/^\w/.test(one)) return value;
    if (one !== "(") return Number.NaN;
    const inner = level(0);
    at += 1;
    return tokens[at - 1] === ")" ? inner : Number.NaN;
  }
}
