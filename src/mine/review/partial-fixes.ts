/**
 * Makes wrong variants of a fix: without the change of one function, without one of its branches, or with other
 * results.
 */
import type { ChangedFile, Hunk } from "../../agent/code/change.ts";
import { addedLines, withoutHunks } from "../../agent/code/change.ts";
import { type Mutant, mutatedText, runningKey } from "../../agent/mutants/list-mutants.ts";
import { literally } from "../../base/literal-pattern.ts";
import { callableKinds, type Definition } from "../../domain/code-symbols.ts";
import { isCodeFile, languageOf } from "../../languages/source-files.ts";
import { type SyntaxNode, walk } from "../../syntax/node.ts";
import { readSource } from "../../syntax/read-source.ts";
import { codeOf, conditionOf, roleOf, type Source } from "../../syntax/reading.ts";
import { isBlockValue, type Statement, statementsOf } from "../../syntax/statements.ts";
import { extractSymbols } from "../../syntax/symbols/extract-symbols.ts";

/** The change of one function. */
export interface FixPart {
  /** The function's name. */
  readonly name: string;
  /** The functions of the same file that call this function. */
  readonly callers: readonly string[];
  /** The function's code that the fix adds or removes, without comments. */
  readonly code: string;
  readonly lines: number;
  /** The fix without this change. */
  readonly variant: Mutant;
}

/** Maximum number of variants of each kind. */
const most = { parts: 8, branches: 8, results: 6 };

/** Lists the changes of functions that change the program's behaviour, among the first eight of each file. */
export async function listParts(files: readonly ChangedFile[]): Promise<FixPart[]> {
  const parts: FixPart[] = [];
  for (const file of fixedFiles(files)) {
    const { path, after, before } = file;
    const groups = new Map<Definition, Hunk[]>();
    const callables = await callablesIn(path, after);
    for (const hunk of file.hunks) {
      const holder = holderOf(callables, hunk);
      if (holder !== undefined) groups.set(holder, [...(groups.get(holder) ?? []), hunk]);
    }
    const lines = new Set(addedLines(file));
    const texts: { name: string; hunks: readonly Hunk[]; text: string }[] = [];
    for (const [{ name }, hunks] of groups) texts.push({ name, hunks, text: withoutHunks(file, hunks) });
    const known = new Set((await callablesIn(path, before)).map(({ name }) => name));
    for (const { name, startLine, endLine } of callables) {
      if (known.has(name) || !isAdded({ startLine, endLine: startLine }, lines)) continue;
      const hunk = { beforeStart: 1, beforeEnd: 1, afterStart: startLine, afterEnd: endLine + 1 };
      texts.push({ name, hunks: [hunk], text: withoutHunks(file, [hunk]) });
    }
    const key = await runningKey(path, after);
    for (const { name, hunks, text } of texts.slice(0, most.parts)) {
      if ((await runningKey(path, text)) === key) continue;
      const code = codeLines(hunks, before.split("\n"), after.split("\n"));
      const variant = mutantOf(path, after, text, `the fix lacks the change of ${name}`);
      const callers = callersOf(callables, name, after.split("\n"));
      parts.push({ name, callers, code: code.join("\n"), lines: code.length, variant });
    }
  }
  return parts;
}

/** An `if` that the fix adds. */
export interface FixBranch {
  readonly lines: number;
  /** A variant of the fix in which the branch never runs. */
  readonly variant: Mutant;
}

export async function listBranches(files: readonly ChangedFile[]): Promise<FixBranch[]> {
  const found: FixBranch[] = [];
  for (const file of fixedFiles(files)) {
    const source = await readSource(file.path, file.after, languageOf);
    if (source === undefined) continue;
    const added = new Set(addedLines(file));
    for (const node of walk(source.tree.root)) {
      const role = roleOf(source, node);
      const condition = role === "if" || role === "else-if" ? conditionOf(source, node) : undefined;
      if (condition === undefined || !isAdded(node, added)) continue;
      const { spelling } = source.dialect;
      const never = /^unless/.test(node.kind) ? spelling.true : spelling.false;
      const told = `the branch of \`${oneLine(codeOf(source, condition))}\` never runs`;
      const variant = replaced(file, condition, never, told);
      found.push({ lines: node.endLine - node.startLine + 1, variant });
    }
  }
  return found.slice(0, most.branches);
}

/** Returns variants of the fix whose changed functions return other values of the same type. */
export function listOtherResults(files: readonly ChangedFile[]): Promise<Mutant[]> {
  return listResults(files, otherResult, () => true);
}

/** Returns variants of the fix in which added lines return an iterator over the reversed list instead of the list. */
export function listOtherOrders(files: readonly ChangedFile[]): Promise<Mutant[]> {
  return listResults(files, otherOrder, (line, added) => added.has(line));
}

type Wrappers = Readonly<Record<string, (value: string) => string>>;

async function listResults(
  files: readonly ChangedFile[],
  wrappers: Wrappers,
  isWanted: (line: number, added: ReadonlySet<number>) => boolean,
): Promise<Mutant[]> {
  const found: Mutant[] = [];
  for (const file of fixedFiles(files)) {
    const source = await readSource(file.path, file.after, languageOf);
    const other = source === undefined ? undefined : wrappers[source.dialect.language];
    if (source === undefined || other === undefined) continue;
    const callables = await callablesIn(file.path, file.after);
    const added = new Set(addedLines(file));
    const holders = new Set(file.hunks.flatMap((hunk) => holderOf(callables, hunk) ?? []));
    for (const statement of statementsOf(source)) {
      const value = returnedValue(source, statement);
      const line = statement.startLine;
      if (value === undefined || !isWanted(line, added)) continue;
      if (![...holders].some(({ startLine, endLine }) => startLine <= line && line <= endLine)) continue;
      const told = `line ${line} returns another value`;
      const variant = replaced(file, value, other(codeOf(source, value)), told);
      if (await parses(variant)) found.push(variant);
    }
  }
  return found.slice(0, most.results);
}

async function parses(variant: Mutant): Promise<boolean> {
  const source = await readSource(variant.file, mutatedText(variant), languageOf);
  return source !== undefined && [...walk(source.tree.root)].every(({ broken }) => !broken);
}

/** Wrappers that give another number, text or truth value. An object stays the same. */
const otherResult: Wrappers = {
  python: (value) =>
    `(lambda v: v + 1 if type(v) in (int, float) else v + "x" if type(v) is str else (not v) if type(v) is bool else v)((${value}))`,
  ruby: (value) =>
    `(${value}).then { |v| v.is_a?(Numeric) ? v + 1 : v.is_a?(String) ? v + "x" : v == true ? false : v == false ? true : v }`,
  javascript: (value) =>
    `((v) => typeof v === "number" ? v + 1 : typeof v === "string" ? v + "x" : typeof v === "boolean" ? !v : v)((${value}))`,
  typescript: (value) =>
    `((v: any): any => typeof v === "number" ? v + 1 : typeof v === "string" ? v + "x" : typeof v === "boolean" ? !v : v)((${value}))`,
};

const otherOrder: Wrappers = {
  python: (value) => `(lambda v: iter(v[::-1]) if type(v) in (list, tuple) else v)((${value}))`,
  ruby: (value) => `(${value}).then { |v| v.is_a?(Array) ? v.reverse.each : v }`,
  javascript: (value) => `((v) => Array.isArray(v) ? [...v].reverse().values() : v)((${value}))`,
  typescript: (value) => `((v: any): any => Array.isArray(v) ? [...v].reverse().values() : v)((${value}))`,
};

function returnedValue(source: Source, { node, role }: Statement): SyntaxNode | undefined {
  if (role !== "return") return undefined;
  if (isBlockValue(source, node) && !/^return/.test(node.kind)) return node;
  const value = node.children.find((child) => child.named && roleOf(source, child) !== "comment");
  if (value?.kind !== "argument_list") return value;
  // Ruby's grammar lists the values of a `return`: several are no single expression.
  const values = value.children.filter((child) => child.named);
  return values.length === 1 ? values[0] : undefined;
}

interface FixedFile extends ChangedFile {
  readonly before: string;
  readonly after: string;
}

function fixedFiles(files: readonly ChangedFile[]): FixedFile[] {
  return files.flatMap((file) => {
    const { path, before = "", after, isTest, isLink } = file;
    if (isTest || isLink === true || after === undefined || !isCodeFile(path)) return [];
    return [{ ...file, before, after }];
  });
}

async function callablesIn(path: string, text: string): Promise<Definition[]> {
  const { definitions = [] } = (await extractSymbols(path, text)) ?? {};
  const kinds = new Set<string>(callableKinds);
  return definitions.filter(({ kind }) => kinds.has(kind));
}

function callersOf(callables: readonly Definition[], name: string, lines: readonly string[]): string[] {
  const call = new RegExp(String.raw`(?<![\w$])${literally(name)}\(`);
  const found = callables.filter(
    ({ name: own, startLine, endLine }) =>
      own !== name && lines.slice(startLine - 1, endLine).some((line) => call.test(line)),
  );
  return found.map(({ name: own }) => own);
}

/** Returns the innermost function that has more lines than the hunk. */
function holderOf(callables: readonly Definition[], { afterStart, afterEnd }: Hunk): Definition | undefined {
  const last = Math.max(afterStart, afterEnd - 1);
  return callables
    .filter(({ startLine, endLine }) => startLine <= afterStart && last <= endLine)
    .filter(({ startLine, endLine }) => endLine - startLine + 1 > afterEnd - afterStart)
    .toSorted((a, b) => a.endLine - a.startLine - (b.endLine - b.startLine))[0];
}

function isAdded(
  { startLine, endLine }: Pick<SyntaxNode, "startLine" | "endLine">,
  added: ReadonlySet<number>,
): boolean {
  for (let line = startLine; line <= endLine; line += 1) if (!added.has(line)) return false;
  return true;
}

function codeLines(hunks: readonly Hunk[], before: readonly string[], after: readonly string[]): string[] {
  return hunks
    .flatMap(({ beforeStart, beforeEnd, afterStart, afterEnd }) => [
      ...before.slice(beforeStart - 1, beforeEnd - 1),
      ...after.slice(afterStart - 1, afterEnd - 1),
    ])
    .map((line) => line.trim())
    .filter((line) => /[\w$]/.test(line) && !/^(?:#(?!\[)|\/\/|\*|\/\*)/.test(line));
}

function oneLine(code: string): string {
  return code.replaceAll(/\s+/g, " ").slice(0, 80);
}

function replaced(
  { path, after }: FixedFile,
  { start, end, startLine }: SyntaxNode,
  replacement: string,
  description: string,
): Mutant {
  return { file: path, line: startLine, description, base: after, start, end, replacement };
}

function mutantOf(file: string, base: string, text: string, description: string): Mutant {
  const shorter = Math.min(base.length, text.length);
  let start = 0;
  while (start < shorter && base[start] === text[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && base.at(-1 - tail) === text.at(-1 - tail)) tail += 1;
  const end = base.length - tail;
  const line = base.slice(0, start).split("\n").length;
  return { file, line, description, base, start, end, replacement: text.slice(start, text.length - tail) };
}
