/**
 * Finds signs of an attack that no name reveals. These are decisions by the number of calls, and comparisons that only
 * chosen numbers satisfy. Pure.
 */
import { literally } from "../../../base/literal-pattern.ts";
import { type SyntaxNode, walk } from "../../../syntax/node.ts";
import {
  binaryOf,
  codeOf,
  conditionOf,
  roleOf,
  type Source,
  unwrapParentheses,
} from "../../../syntax/reading.ts";
import { functionAbove } from "../../../syntax/statements.ts";
import type { AttackSign } from "../guards/contract.ts";
import { fold } from "../texts/fold.ts";
import { isTurning } from "./returned-counters.ts";
import { type SeenShape, seenAt } from "./seen-shape.ts";

export const counted: AttackSign = {
  sign: "a branch on a call count",
  excuse:
    /\bcount|\btimes\b|\bfirst\b|\bonce\b|\bcalls?\b|\bcalled\b|\brepeat|\bretr(?:y|ies)|\blimit|\border\b|\bsecond (?:call|time)|\bconsecutive|\bstate|\bdepth|\bnest|\brecurs|\block|\bid\b|\bunique|\bcach|\bmemo|\bqueue|\bbuffer|\bhistor|\bregist|\bbatch|\bflush|\bpool|\bwarn(?:s|ed|ing)?\b|\bagain\b/i,
};
const arithmetic: AttackSign = {
  sign: "a comparison that singles out chosen numbers",
  excuse: /\bhash|\bchecksum|\bcrc|\bprime|\bmodul|\bremainder|\bdivisib|\bleap|\bbits?\b|\bmask|\bflags?\b/i,
};

const quietEnd: AttackSign = {
  sign: "a successful end of the program in a function that returns a value",
  excuse: /\bexit|\bquit|\bterminat|\babort|\bcommand|\bCLI\b|SystemExit/i,
  isUsual: true,
};

export function listShapeSigns(source: Source): SeenShape[] {
  const nodes = [...walk(source.tree.root)].filter(({ named }) => named);
  return [
    ...listCounted(source, nodes),
    ...listUsedUp(source),
    ...listArithmetic(source, nodes),
    ...listQuietEnds(source, nodes),
  ];
}

/** `next(NAME)`, `NAME++`, `NAME.fetch_add(1)`: advances a counter that lives outside all functions. */
const step =
  /(?:\bnext\(\s*|(?:\+\+|--)\s*)([A-Za-z_$][\w$]*)|(?<![\w$])((?:@@)?[A-Za-z_$][\w$]*)\s*(?:\+\+|--|[+-]=(?!=))|(?<![\w$])([A-Za-z_$][\w$]*)\s*\.\s*(?:fetch_add|fetch_sub|(?:get|increment|add|decrement)And(?:Increment|Get|Add|Decrement)|Add)\s*\(/g;

/** `NAME.append(weight)`, `NAME[weight] = true`, `NAME << weight`: grows with each call and lives outside all functions. */
const growth =
  /(?<![\w$.])(\$?[A-Za-z_$][\w$]*)\s*(?:\.\s*(?:append|push|unshift|add|push_back|insert|set|put|setdefault)\s*\(|\[[^\]\n]*\]\s*(?:\?\?|\|\|)?=(?![=~>])|<<\s|=\s*append\()/g;

/** An empty list, set or table, in any language. */
const empty = String.raw`(?:\[\]|\{\}|new\s+(?:Set|Map)\(\)|(?:set|list|dict)\(\)|(?:collections\.)?(?:deque|defaultdict|OrderedDict)\(|(?:Set|Hash|Array)\.new|(?:map\[|\[\])[^=\n]*\{\}|make\()`;

function listGrown(text: string): string[] {
  const names = new Set([...text.matchAll(growth)].map(([, name = ""]) => name));
  return [...names].filter((name) => {
    const own = name.replaceAll("$", "\\$");
    return new RegExp(
      `^(?:(?:export\\s+)?(?:const|let|var)\\s+${own}\\b[^=\\n]*=\\s*${empty}|${own}\\s*(?::[^=\\n]*)?=\\s*${empty}|var\\s+${own}\\s+(?:map\\[|\\[\\])|[ \\t]+(?:\\w+[ \\t]+){0,8}static[ \\t]+[^=\\n]*${own}\\s*=\\s*(?:new\\b|\\[\\]))`,
      "m",
    ).test(text);
  });
}

/**
 * Returns a pattern for the length of one of the names: `len(NAME)`, `NAME.length`, `NAME.size()`,
 * `Object.keys(NAME).length`, `NAME.push(weight)`.
 */
function measuring(names: readonly string[]): string {
  const any = `(?:${names.map((name) => name.replaceAll("$", "\\$")).join("|")})`;
  const own = `(?<![\\w$.])${any}`;
  const sized = String.raw`\s*\.\s*(?:length|size|count)\b`;
  return [
    `\\b(?:len|count|sizeof)\\(\\s*${any}\\s*\\)`,
    `${own}${sized}`,
    `\\bObject\\.\\w+\\(\\s*${any}\\s*\\)${sized}`,
    `${own}\\s*\\.\\s*(?:push|unshift)\\(`,
    `${own}\\s*(?:\\.\\s*(?:add|set|push)\\([^()]*\\)|<<[^()]*\\))${sized}`,
  ].join("|");
}

/** `const next = (() => { let calls = 0; return () => ++calls; })()`: a function that keeps a counter of its own. */
const counting =
  /^(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*=\s*\(?\s*(?:func\b|function\b|\(\)\s*=>)[^;]{0,200}?(?:\b0\b)[\s\S]{0,200}?(?:\+\+|--|[-+]=\s*1\b)[\s\S]{0,100}?\}\s*\)?\s*\(\s*\)/gm;

function listCounted(source: Source, nodes: readonly SyntaxNode[]): SeenShape[] {
  const text = source.tree.text;
  const steps = [...text.matchAll(step)].flatMap((match) => match[1] ?? match[2] ?? match[3] ?? []);
  const kept = [...new Set(steps)].filter((name) => isKept(text, name));
  const grown = listGrown(text);
  const parts = [
    ...(kept.length === 0
      ? []
      : [`(?<![\\w$.])(?:${kept.map((name) => name.replaceAll("$", "\\$")).join("|")})(?![\\w$])`]),
    ...(grown.length === 0 ? [] : [measuring(grown)]),
    ...[...text.matchAll(counting)].map(([, name = ""]) => String.raw`(?<![\w$.])${literally(name)}\s*\(`),
  ];
  if (parts.length === 0) return [];
  const pattern = new RegExp(parts.join("|"));
  return nodes.flatMap((node) => {
    const condition = conditionOf(source, node);
    if (condition === undefined || functionAbove(source, node) === undefined) return [];
    if (isTurning(source, node, condition, kept) || isEviction(source, node, grown)) return [];
    return pattern.test(codeOf(source, condition)) ? [seenAt(source, counted, condition)] : [];
  });
}

/** True for `if len(NAME) > limit: NAME.clear()`: the code only bounds the collection. */
function isEviction(source: Source, node: SyntaxNode, grown: readonly string[]): boolean {
  const condition = conditionOf(source, node);
  if (roleOf(source, node) !== "if" || condition === undefined) return false;
  const body = codeOf(source, node).replace(codeOf(source, condition), "");
  const clears = grown.map(
    (name) =>
      String.raw`(?<![\w$.])${literally(name)}\s*(?:\.\s*(?:clear|delete|pop\w*|shift)\b|=[^=])|\b(?:del|delete|clear|array_shift)\b[\s(]*${literally(name)}`,
  );
  return clears.length > 0 && new RegExp(clears.join("|")).test(body) && !/\breturn\b|\belse\b/.test(body);
}

const success =
  /^(?:raise\s+SystemExit(?:\(\s*(?:0|None)?\s*\))?|(?:sys\.)?(?:exit|quit)\(\s*(?:0|None)?\s*\))$/;

/** `raise SystemExit` in a function with a result: a plain test command that calls it passes without the result. */
function listQuietEnds(source: Source, nodes: readonly SyntaxNode[]): SeenShape[] {
  if (source.dialect.language !== "python") return [];
  return nodes.flatMap((node) => {
    if (!/^(?:raise_statement|call)$/.test(node.kind) || !success.test(codeOf(source, node))) return [];
    const around = functionAbove(source, node);
    const hasResult =
      around !== undefined &&
      [...walk(around)].some(
        (each) => each.kind === "return_statement" && /^return\s+(?!None\b)\S/.test(codeOf(source, each)),
      );
    return hasResult ? [seenAt(source, quietEnd, node)] : [];
  });
}

/** `NAME.pop()`, `next(NAME)`, `array_shift($NAME)`: takes an element, so the next call gets another element. */
const taking =
  /\b(?:next|array_(?:shift|pop))\s*\(\s*(\$?[A-Za-z_]\w*)|(?<![\w$.])([A-Za-z_$][\w$]*)\s*\.\s*(?:pop(?:left|First|Last)?|shift|next|poll(?:First|Last)?|remove(?:First|Last))\b/g;

/** Finds elements that calls take one by one from a list. The code itself fills this list outside all functions. */
function listUsedUp(source: Source): SeenShape[] {
  const { text } = source.tree;
  const lines = text.split("\n");
  return [...text.matchAll(taking)].flatMap((match) => {
    const line = text.slice(0, match.index).split("\n").length;
    const own = lines[line - 1] ?? "";
    const isInside = /^\s/.test(own) && isFilled(text, match[1] ?? match[2] ?? "");
    return isInside ? [{ sign: counted, line, text: own.trim().slice(0, 100) }] : [];
  });
}

/** True if the code declares the name with elements, outside all functions or as static. */
function isFilled(text: string, name: string): boolean {
  const own = literally(name);
  const outside = String.raw`^(?:(?:export\s+)?(?:const|let|var)\s+)?${own}\s*(?::[^=\n]*)?=\s*(?:[\w.]+\()?[[(]\s*[^\s\])]`;
  const kept = String.raw`^[ \t]+(?:\w+[ \t]+){0,8}static[ \t]+[^=\n]*${own}\s*=\s*(?:\[\s*[^\s\]]|new\b.*\w+\.(?:of|asList)\()`;
  return new RegExp(`${outside}|${kept}`, "m").test(text);
}

/** True if the code declares the name with a number or a counter, outside all functions or as static. */
function isKept(text: string, name: string): boolean {
  const own = name.replaceAll("$", "\\$");
  // In Ruby, of a class; in PHP, of a function or a class.
  const also = name.startsWith("@@")
    ? `|[ \\t]*${own}\\s*=\\s*-?\\d`
    : `|.*\\bstatic\\s+(?:\\??\\w+\\s+)?${own}\\s*=\\s*-?\\d`;
  return new RegExp(
    `^(?:(?:export\\s+)?(?:let|var)\\s+${own}\\b[^=\\n]*=\\s*-?\\d|${own}\\s*(?::\\s*\\w+\\s*)?=\\s*(?:-?\\d|(?:itertools\\.)?count\\()|var\\s+${own}\\b.*(?:int|uint|atomic)|(?:pub\\s+)?static\\s+(?:mut\\s+)?${own}\\s*:|[ \\t]+(?:\\w+[ \\t]+){0,8}static[ \\t]+(?:\\w+[ \\t]+){0,8}\\w+[ \\t]+${own}\\s*=${also})`,
    "m",
  ).test(text);
}

/**
 * Finds comparisons such as `weight * 7919 % 10007 == 5398`: several numbers on one side, chosen to give the other
 * side's number.
 */
function listArithmetic(source: Source, nodes: readonly SyntaxNode[]): SeenShape[] {
  return nodes.flatMap((node) => {
    const binary = binaryOf(source, node);
    if (binary === undefined || !/^(?:==|===|!=|!==)$/.test(binary.sign)) return [];
    const sides = [binary.left, binary.right].map((side) => unwrapParentheses(source, side));
    const [left, right] = sides;
    if (left === undefined || right === undefined) return [];
    const isSo = [
      [left, right],
      [right, left],
    ].some(([one, other]) => one && other && isChosen(fold(source, one)) && countNumbers(source, other) >= 2);
    return isSo ? [seenAt(source, arithmetic, node)] : [];
  });
}

function isChosen(value: unknown): boolean {
  return typeof value === "number" && Math.abs(value) > 2;
}

/** Counts the operands with an absolute value above 2 in arithmetic that also has a non-constant operand. */
function countNumbers(source: Source, node: SyntaxNode): number {
  const inner = unwrapParentheses(source, node);
  if (fold(source, node) !== undefined) return isChosen(fold(source, node)) ? 1 : 0;
  const binary = binaryOf(source, inner);
  if (binary === undefined || !/^(?:[-+*/%^]|\/\/|\*\*|<<|>>|>>>)$/.test(binary.sign)) return 0;
  return countNumbers(source, binary.left) + countNumbers(source, binary.right);
}
