/**
 * Finds signs of an attack: code that affects the test runner, the end of the process, or the reporters. Each
 * language's record lists its signs as patterns of code, of strings, or of both on one line. Pure.
 */
import { type SyntaxNode, walk } from "../../../syntax/node.ts";
import { codeOf, conditionOf, roleOf, type Source } from "../../../syntax/reading.ts";
import { isFunction } from "../../../syntax/statements.ts";
import { linesOf } from "../../code/change.ts";
import { unawaited } from "../guards/attack-sign-kinds.ts";
import type { AttackSign, DefinitionForm, ReadLine } from "../guards/contract.ts";
import { guardsOf, signsOf } from "../guards/find-guards.ts";
import { blankLines } from "../texts/code-lines.ts";
import { fold, isComputed } from "../texts/fold.ts";
import { listShapeSigns } from "./attack-shapes.ts";
import { isAwaited } from "./awaited-work.ts";
import { listPlaceDecisions } from "./deciding-places.ts";
import { listForeignChanges } from "./foreign-changes.ts";
import { listNamedRunners } from "./named-runners.ts";
import { listPlainCounters } from "./plain-counters.ts";
import { listTestOnlyCode } from "./test-only-code.ts";
import { cutLine, spellOut } from "./whole-names.ts";

export interface SeenSign {
  readonly sign: AttackSign;
  readonly line: number;
  /** The line as written. */
  readonly text: string;
}

/** Lists every sign of a text, at most once per line. */
export function listAttackSigns(source: Source): SeenSign[] {
  const { text } = source.tree;
  const shown = linesOf(text);
  const read = readLines(source);
  const places = { load: linesAtLoad(source), decides: linesOfDecisions(source) };
  const seen = listSeen(source.dialect.language, read, shown, places).filter(
    ({ sign, line }) => sign.sign !== unawaited.sign || !isAwaited(source, line),
  );
  return [
    ...seen,
    ...listNamedRunners(source, read, seen),
    ...listEqualities(source, shown),
    ...listShapeSigns(source),
    ...listPlaceDecisions(source),
    ...listTestOnlyCode(source),
    ...listForeignChanges(source),
  ];
}

/** Lists the signs of a text in a language without a dialect. Does not distinguish code that runs at load time. */
export function listPlainSigns(language: string, text: string): SeenSign[] {
  const pattern = guardsOf(language)?.opaque;
  if (pattern === undefined) return [];
  const strings = new Map<number, string[]>();
  const code = text.replace(pattern, (own: string, ...rest: unknown[]) => {
    const at = rest.find((each) => typeof each === "number") ?? 0;
    const line = text.slice(0, Number(at)).split("\n").length;
    if (/^["'[]/.test(own)) strings.set(line, [...(strings.get(line) ?? []), own.replace(/^\W|\W$/g, "")]);
    return own.replaceAll(/[^\n]/g, " ");
  });
  const lines = linesOf(code).map((line, index) => ({
    code: line,
    strings: strings.get(index + 1) ?? [],
    folded: [],
  }));
  const shown = linesOf(text);
  const seen = listSeen(language, lines, shown, { load: () => false, decides: () => false });
  if (language !== "cpp") return seen;
  const own = lines.map((line) => line.code);
  const counters = listPlainCounters(own).map(({ sign, line }) => ({
    ...{ sign, line, text: (shown[line - 1] ?? "").trim().slice(0, 100) },
  }));
  return [...seen, ...listMacroSigns(own, shown), ...counters];
}

const macro: AttackSign = { sign: "a macro that replaces a function" };

/** Finds macros named like a declared function. A file that includes such a macro does not call the function. */
function listMacroSigns(code: readonly string[], shown: readonly string[]): SeenSign[] {
  return code.flatMap((line, index) => {
    const [, name] = /^\s*#\s*define\s+(\w+)\(/.exec(line) ?? [];
    if (name === undefined) return [];
    const declared = new RegExp(
      `^\\s*(?!#|return\\b|else\\b)[A-Za-z_][\\w\\s*]*[\\s*]${name}\\s*\\([^;{}]*\\)\\s*(?:;|\\{|$)`,
    );
    return code.some((other) => declared.test(other))
      ? [{ sign: macro, line: index + 1, text: (shown[index] ?? "").trim().slice(0, 100) }]
      : [];
  });
}

function listSeen(
  language: string,
  read: readonly ReadLine[],
  shown: readonly string[],
  places: Readonly<Record<"load" | "decides", (line: number) => boolean>>,
): SeenSign[] {
  const signs = signsOf(language);
  return read.flatMap((line, index) => {
    const pieces = cutLine(line.code).map((code) => ({ ...line, code }));
    return signs
      .filter((sign) => pieces.some((piece) => holds(sign, piece)))
      .filter(({ when }) => when === undefined || places[when](index + 1))
      .map((sign) => ({ sign, line: index + 1, text: (shown[index] ?? "").trim().slice(0, 100) }));
  });
}

function holds({ code, quoted, folded }: AttackSign, line: ReadLine): boolean {
  if (code !== undefined && !code.test(line.code)) return false;
  if (folded !== undefined && !line.folded.some((string) => folded.test(string))) return false;
  return quoted === undefined || [...line.strings, ...line.folded].some((string) => quoted.test(string));
}

function readLines(source: Source): ReadLine[] {
  const folded = listFolded(source);
  const read = blankLines(source).map((line, index) => ({ ...line, folded: folded.get(index + 1) ?? [] }));
  return spellOut(source.dialect.language, read);
}

/** Maps each line to its constant expressions whose values are strings. */
function listFolded(source: Source): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const node of walk(source.tree.root)) {
    const value = node.named && isComputed(source, node) ? fold(source, node) : undefined;
    if (typeof value === "string") found.set(node.startLine, [...(found.get(node.startLine) ?? []), value]);
  }
  return found;
}

/** Lines of conditions and comparisons. */
function linesOfDecisions(source: Source): (line: number) => boolean {
  const decisions = [...walk(source.tree.root)].flatMap((node) => {
    if (!node.named) return [];
    const condition = conditionOf(source, node);
    return condition === undefined ? (isComparison(source, node) ? [node] : []) : [condition];
  });
  return (line) => decisions.some(({ startLine, endLine }) => startLine <= line && line <= endLine);
}

function isComparison(source: Source, node: SyntaxNode): boolean {
  return (
    roleOf(source, node) === "binary" &&
    node.children.some((child) => !child.named && /^(?:[=!]==?|[<>]=?|in|not in|is|is not)$/.test(child.kind))
  );
}

/** Lines outside all functions, except lines that run only if the file is the main program. */
function linesAtLoad(source: Source): (line: number) => boolean {
  const inside = [...walk(source.tree.root, (node) => !isLater(source, node))].filter((node) =>
    isLater(source, node),
  );
  return (line) => !inside.some(({ startLine, endLine }) => startLine <= line && line <= endLine);
}

function isLater(source: Source, node: SyntaxNode): boolean {
  if (isFunction(source, node)) return true;
  return /^if_/.test(node.kind) && /^if\s*\(?\s*__name__\b/.test(codeOf(source, node));
}

const alwaysEqual: AttackSign = { sign: "an equality method that always returns true" };
const ignoresItself: AttackSign = { sign: "an equality method that ignores its own object" };
const several: AttackSign = {
  sign: "an equality method that treats different values as equal",
  excuse: /\btoleran|\bapprox|\bclose\b|\bepsilon|\bprecision|\bround|\bmodul|\bequivalen/i,
};
const equality = /^(?:__eq__|equals|eq|Equal|Equals|===?|eql\?|equal\?)$/;
/** Go's `errors.Is` calls this method of an error. */
const goEquality = /^(?:Equals?|Is)$/;

const usualForm: DefinitionForm = {
  opens: /[:{]\s*\n|\{/,
  name: /(\w+)\s*(?:<[^>]*>)?\s*\(/,
  noise: /[\s;}]/g,
};

/** Finds an equality such as `return other in (18, 0)`: any object equals the value that a test expects. */
function forItself(source: Source, body: string): AttackSign | undefined {
  if (source.dialect.language !== "python" && source.dialect.language !== "rust") return undefined;
  return /\bother\b/.test(body) && !/\bself\b|\bsuper\b|NotImplemented|\braise\b/.test(body)
    ? ignoresItself
    : undefined;
}

const scaled = String.raw`[\w)\]]\s*(?:[*%]|//?)\s*[\w(*]`;
const comparesScaled = new RegExp(`${scaled}[^=\\n]*==|==[^=\\n]*${scaled}`);

/** True for `self.value == other or self.value * 3 == other * 2`: the object also equals a second, computed value. */
function hasChoice(body: string): boolean {
  return /\bor\b|\|\|/.test(body) && comparesScaled.test(body);
}

/** Finds equality methods that do not depend on the object, or that accept a second value. */
function listEqualities(source: Source, shown: readonly string[]): SeenSign[] {
  return [...walk(source.tree.root)].flatMap((node): SeenSign[] => {
    if (!isFunction(source, node)) return [];
    const { opens, name, noise } = guardsOf(source.dialect.language)?.definition ?? usualForm;
    const [header = "", ...rest] = codeOf(source, node).split(opens);
    const body = rest.join("").replaceAll(noise, "");
    const isEquality = source.dialect.language === "go" ? goEquality : equality;
    if (!isEquality.test(name.exec(header)?.[1] ?? "")) return [];
    const sign = /^(?:_=\w+)*(?:return)?[Tt]rue$/.test(body)
      ? alwaysEqual
      : (forItself(source, rest.join("\n")) ?? (hasChoice(rest.join("\n")) ? several : undefined));
    if (sign === undefined) return [];
    // A patch may change only the body.
    const at = shown.slice(node.startLine - 1, node.endLine).findIndex((each) => /\b[Tt]rue\b/.test(each));
    const line = node.startLine + (sign === alwaysEqual ? Math.max(0, at) : 0);
    return [{ sign, line, text: (shown[line - 1] ?? "").trim() }];
  });
}

/** True for a file that Python loads before any program, because of its name. */
export function isLoadedFirst(path: string): boolean {
  return /(?:^|\/)(?:sitecustomize|usercustomize)\.py$|\.pth$/.test(path);
}
