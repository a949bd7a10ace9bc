/**
 * Detects a patch that adds the same number to every result of a function: `items / size` becomes
 * `(items + size) / size`. In Go, Rust and Java, Millwright cannot call functions with further inputs, so it computes
 * both expressions instead. Also detects a patch that gives the same result for every input. Works on lines. Pure.
 */
import { applyChange, linesOfChange, type TextChange } from "./syntax-check.ts";

/** Files of languages in which the division of whole numbers drops the remainder. */
const isWhole = /\.(?:go|rs|java)$/;
const enoughInputs = 20;

/**
 * True if the edit adds a number to the result of a function without branches. In a branch, the sum may be the right
 * repair. False for languages other than Go, Rust and Java.
 */
export function addsToResult(file: string, text: string, edit: TextChange): boolean {
  if (!isWhole.test(file)) return false;
  const after = applyChange(text, edit);
  const line = text.slice(0, edit.start).split("\n").length - 1;
  const [old, now] = [text.split("\n"), after.split("\n")];
  const [before, changed] = [resultOf(file, old[line]), resultOf(file, now[line])];
  if (before === undefined || changed === undefined || old.length !== now.length) return false;
  return isOnlyResult(old, line) && addsConstant(before, changed);
}

const constants = [
  /(?<![\w.])[01](?:\.0)?\s*\*\*\s*[\p{L}_$(]/u,
  /\b(?:pow|Pow|powi|powf)\(\s*[01](?:\.0)?\s*,/u,
  /(?<![\w.])0\s*\*(?!\*)\s*[\p{L}_$(]/u,
  /[\p{L}\p{N}_$)\]]\s*(?<!\*)\*\s*0(?![\w.])/u,
  /[\p{L}\p{N}_$)\]]\s*%\s*1(?![\w.])/u,
  /(?:^|[(=,]|\breturn\b)\s*(?<name>[\p{L}_$][\p{L}\p{N}_$]*)\s*(?:-|\/\/?|%|\^)\s*\k<name>\s*(?:$|[),;])/u,
];

/** True if the edit makes an expression ignore its variables: `2**attempt` becomes `1**attempt`, which is always 1. */
export function losesInput(text: string, edit: TextChange): boolean {
  const { before, after } = linesOfChange(text, edit);
  const [old = "", now = ""] = [before, after].map((lines) => lines.split("\n", 1)[0]);
  return constants.some((form) => form.test(now) && !form.test(old));
}

/** The expression of `return EXPRESSION;`, or of Rust's last line. */
function resultOf(file: string, line = ""): string | undefined {
  const [, returned] = /^\s*return\s+(.+?);?\s*$/.exec(line) ?? [];
  if (returned !== undefined) return returned;
  return file.endsWith(".rs") && /^\s+[^;={}]+$/.test(line) ? line.trim() : undefined;
}

const branch = /\b(?:if|else|match|switch|select|for|while|loop|case|try|catch|return|defer)\b|\?/;
const header = /\b(?:func|fn)\s|\)[^;]*\{\s*$/;

function isOnlyResult(lines: readonly string[], at: number): boolean {
  const indent = (line: string): number => line.length - line.trimStart().length;
  const own = indent(lines[at] ?? "");
  let from = at - 1;
  while (from >= 0 && !(header.test(lines[from] ?? "") && indent(lines[from] ?? "") < own)) from -= 1;
  const closing = lines.findIndex((line, index) => index > at && line.trimStart().startsWith("}"));
  if (from < 0 || closing === -1 || indent(lines[closing] ?? "") !== indent(lines[from] ?? "")) return false;
  return lines.slice(from + 1, closing).every((line, index) => from + 1 + index === at || !branch.test(line));
}

function addsConstant(before: string, after: string): boolean {
  const [old, now] = [parse(before), parse(after)];
  if (old === undefined || now === undefined) return false;
  const names = [...new Set([...old.names, ...now.names])];
  const differences: number[] = [];
  for (let round = 0; round < 3 * enoughInputs; round += 1) {
    // Different whole numbers above zero, also with and without a rest.
    const values = new Map(
      names.map((name, index) => [name, 1 + ((round * (2 * index + 7) + 5 * index) % 29)]),
    );
    const difference = now.compute(values) - old.compute(values);
    if (Number.isFinite(difference)) differences.push(difference);
  }
  const [first = 0] = differences;
  return first !== 0 && differences.length >= enoughInputs && differences.every((each) => each === first);
}

interface Expression {
  readonly names: ReadonlySet<string>;
  readonly compute: (values: ReadonlyMap<string, number>) => number;
}

type Compute = Expression["compute"];

const types = "int|long|short|byte|u?int(?:8|16|32|64)?|[ui](?:8|16|32|64|128|size)|usize|isize";
const token =
  /\s*(?:(\d[\d_]*)(?:[lL]|[ui](?:\d+|size))?|([\p{L}_][\p{L}\p{N}_]*(?:(?:\.|::)[\p{L}_][\p{L}\p{N}_]*)*(?:\((?:[^()]|\([^()]*\))*\))?)|([-+*/%()]))/uy;

/** Parses sums, products, divisions and remainders of whole numbers, names and calls. Undefined for anything else. */
function parse(text: string): Expression | undefined {
  const bare = text
    .replaceAll(new RegExp(`\\(\\s*(?:${types})\\s*\\)`, "g"), "")
    .replaceAll(new RegExp(`\\bas\\s+(?:${types})\\b`, "g"), "")
    .replaceAll(new RegExp(`\\b(?:${types})(?=\\()`, "g"), "");
  const tokens = readTokens(bare);
  if (tokens === undefined) return undefined;
  const names = new Set<string>();
  let at = 0;
  const factor = (): Compute | undefined => {
    const next = tokens[at];
    at += 1;
    if (next === undefined) return undefined;
    if (next === "(") {
      const inner = sum();
      at += 1;
      return tokens[at - 1] === ")" ? inner : undefined;
    }
    if (next === "-") {
      const inner = factor();
      return inner && ((values) => -inner(values));
    }
    if (/^\d/.test(next)) return () => Number(next);
    if (/^[-+*/%)]/.test(next)) return undefined;
    names.add(next);
    return (values) => values.get(next) ?? Number.NaN;
  };
  const chain = (operand: () => Compute | undefined, signs: string): Compute | undefined => {
    let left = operand();
    for (
      let sign = tokens[at];
      left !== undefined && sign !== undefined && signs.includes(sign);
      sign = tokens[at]
    ) {
      at += 1;
      const [first, second, operate] = [left, operand(), operators[sign]];
      left =
        second === undefined || operate === undefined
          ? undefined
          : (values) => operate(first(values), second(values));
    }
    return left;
  };
  const sum = (): Compute | undefined => chain(() => chain(factor, "*/%"), "+-");
  const compute = sum();
  return compute === undefined || at < tokens.length ? undefined : { names, compute };
}

const operators: Readonly<Record<string, (left: number, right: number) => number>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => (right === 0 ? Number.NaN : Math.trunc(left / right)),
  "%": (left, right) => (right === 0 ? Number.NaN : left % right),
};

function readTokens(text: string): string[] | undefined {
  const found: string[] = [];
  token.lastIndex = 0;
  for (let from = 0; text.slice(from).trim() !== ""; from = token.lastIndex) {
    token.lastIndex = from;
    const match = token.exec(text);
    if (match === null) return undefined;
    found.push((match[1]?.replaceAll("_", "") ?? match[2] ?? match[3] ?? "").replaceAll(/\s/g, ""));
  }
  return found;
}
