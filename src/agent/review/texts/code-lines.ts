/**
 * Reads a file's code line by line, without comments and contents of strings, and also function by function. Pure
 * except for the parser.
 */
import { callableKinds, type Definition, typeKinds } from "../../../domain/code-symbols.ts";
import { type SyntaxNode, walk } from "../../../syntax/node.ts";
import { codeOf, roleOf, type Source } from "../../../syntax/reading.ts";
import { addedLines, type ChangedFile, linesOf, readSource } from "../../code/change.ts";
import { symbolsOf } from "../../code/symbols-of.ts";
import { argumentsAt } from "../../state/assertion-text.ts";

export interface BlankedLine {
  /** The line with comments and the contents of strings blanked. */
  readonly code: string;
  /** The strings that begin on the line. */
  readonly strings: readonly string[];
}

export function blankLines(source: Source): BlankedLine[] {
  const { text, root } = source.tree;
  const strings = new Map<number, string[]>();
  let code = "";
  let at = 0;
  const isOpaque = (node: SyntaxNode): boolean => {
    const role = roleOf(source, node);
    return role === "comment" || (role === "string" && !holdsCode(node));
  };
  for (const node of walk(root, (each) => !isOpaque(each))) {
    if (!isOpaque(node) || node.start < at) continue;
    const own = codeOf(source, node);
    if (roleOf(source, node) === "string")
      strings.set(node.startLine, [...(strings.get(node.startLine) ?? []), unquote(own)]);
    code += text.slice(at, node.start) + own.replaceAll(/[^\n]/g, " ");
    at = node.end;
  }
  code += text.slice(at);
  return linesOf(code).map((line, index) => ({ code: line, strings: strings.get(index + 1) ?? [] }));
}

/** True for a template string with expressions in it. */
function holdsCode(node: SyntaxNode): boolean {
  return node.children.some(({ kind }) => /substitution|interpolation/.test(kind));
}

function unquote(text: string): string {
  return /^\w*#*("""|'''|"|'|`)([\s\S]*)\1#*$/.exec(text)?.[2] ?? text;
}

export interface FunctionCode
  extends Pick<Definition, "kind" | "name" | "signature" | "startLine" | "endLine"> {
  /** The type of a method; "" for other functions. */
  readonly type: string;
  readonly documentation: string;
  readonly parameters: readonly string[];
  /** The function's blanked lines, with its header. */
  readonly lines: readonly string[];
}

export interface FileCode {
  readonly path: string;
  readonly source: Source;
  readonly language: string;
  readonly lines: readonly BlankedLine[];
  readonly definitions: readonly Definition[];
  readonly functions: readonly FunctionCode[];
}

/** A changed file of the product, read once for all checks. */
export interface ChangedCode {
  readonly file: ChangedFile;
  readonly code: FileCode;
  readonly before: FileCode | undefined;
  readonly added: ReadonlySet<number>;
}

/** Reads the changed files of the product. Skips tests, deleted files, and languages without a dialect. */
export async function readChangedCode(files: readonly ChangedFile[]): Promise<ChangedCode[]> {
  const read: ChangedCode[] = [];
  for (const file of files) {
    const { path, before, after, isTest } = file;
    if (isTest || after === undefined || after === before) continue;
    const code = await readCode(path, after);
    if (code === undefined) continue;
    read.push({ file, code, before: await readCode(path, before), added: new Set(addedLines(file)) });
  }
  return read;
}

const callables: ReadonlySet<string> = new Set(callableKinds);
const types: ReadonlySet<string> = new Set(typeKinds);
/**
 * A line with more characters and function starts is machine-written. Each function would have the whole line as its
 * code.
 */
const machineLine = { characters: 5_000, functions: 20 };

/** Omits definitions on lines that a machine wrote (`machineLine`). `codeAt` returns the code of a line. */
export function leaveMachineLines<T extends { readonly startLine: number }>(
  definitions: readonly T[],
  codeAt: (line: number) => string,
): T[] {
  const beginning = Map.groupBy(definitions, ({ startLine }) => startLine);
  return [...beginning].flatMap(([line, own]) => {
    if (own.length <= machineLine.functions) return own;
    return codeAt(line).replaceAll(/\s+/g, "").length > machineLine.characters ? [] : own;
  });
}

/**
 * Reads a file's code: its lines without comments and strings, its definitions and functions. Returns undefined for a
 * language without a dialect, or without a text.
 */
export async function readCode(path: string, text: string | undefined): Promise<FileCode | undefined> {
  const source = await readSource(path, text);
  if (source === undefined || text === undefined) return undefined;
  const lines = blankLines(source);
  const definitions = (await symbolsOf(path, text))?.definitions ?? [];
  const functions = leaveMachineLines(
    definitions.filter(({ kind }) => callables.has(kind)),
    (line) => lines[line - 1]?.code ?? "",
  ).map((each): FunctionCode => {
    const { kind, name, signature, startLine, endLine, owner, container } = each;
    const around = definitions[container];
    return {
      ...{ kind, name, signature, startLine, endLine },
      type: owner ?? (around !== undefined && types.has(around.kind) ? around.name : ""),
      documentation: each.documentation ?? "",
      parameters: readParameters(signature, name),
      lines: lines.slice(startLine - 1, endLine).map(({ code }) => code),
    };
  });
  return { path, source, language: source.dialect.language, lines, definitions, functions };
}

const receiver = /^(?:self|cls|this|&(?:'\w+ )?(?:mut )?self|mut self)\b/;
/** Matches a parameter's name in `weight: int`, `int $weight = 2`, `mut weight: u32`, `final int weight`. */
const ownName = /([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:[?!]?\s*[:=].*)?$/su;
/** Go's `prices []int`, where the type comes last. */
const nameFirst = /^([\p{L}_]\w*)\s+[\w[\]*.{]/u;

/** Returns the parameters of a signature, as in the source, without the receiver (such as `self`). */
export function writtenParameters(signature: string, name: string): string[] {
  const open = signature.indexOf("(", signature.indexOf(name) + name.length);
  if (open === -1) return [];
  const [parts = []] = argumentsAt(signature, [open]);
  return parts.filter((part) => !receiver.test(part));
}

/** Returns the parameter names of a signature, without the receiver (such as `self`). */
export function readParameters(signature: string, name: string): string[] {
  const isGo = /^func\b/.test(signature);
  return writtenParameters(signature, name).map(
    (part) => (isGo ? nameFirst.exec(part)?.[1] : ownName.exec(part)?.[1]?.replace(/^\$/, "")) ?? part,
  );
}

/** Joins blanked lines and omits empty ones, because patterns with `^\s*` need quadratic time for a run of them. */
export function joinCode(lines: readonly string[]): string {
  return lines.flatMap((line) => (line.trim() === "" ? [] : [line.trimEnd()])).join("\n");
}

/** Returns the code with comments and strings blanked, at the same offsets; "" without code. */
export function blankedText(code: FileCode | undefined): string {
  return (code?.lines ?? []).map((line) => line.code).join("\n");
}
