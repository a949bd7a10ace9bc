/**
 * Finds sources that a compiler reads differently from how they look:
 * - an encoding in which a comment ends within its line
 * - identifiers with look-alike letters or escapes
 * - Java escapes outside strings
 * - C comments that continue past the end of a line
 * - characters inside a line that end it for a compiler
 *
 * People and checks that read the text as written do not see the code that runs.
 */
import { languageOf } from "../../../languages/source-files.ts";
import { nodeAt, walk } from "../../../syntax/node.ts";
import { codeOf } from "../../../syntax/reading.ts";
import { addedLines, type ChangedFile, linesOf, readSource } from "../../code/change.ts";
import type { Finding } from "../contract.ts";

/**
 * Objects to text that tools read differently from people. `subjects`: the part of the statement that contains the
 * request.
 */
export async function judgeReadOtherwise(
  files: readonly ChangedFile[],
  subjects: string,
): Promise<Finding[]> {
  const told = await Promise.all(files.map((file) => findReadOtherwise(file, subjects)));
  return told.flatMap((text) => (text === undefined ? [] : [{ weight: "objection", text: `${text}.` }]));
}

const ofText = /\bunicode|\bescap|\bencod|\bidentifier|\bcharset|\bcoding\b|\bASCII|\btrigraph|\bcontinu/i;

/** Describes the first added line that a compiler reads differently from how it looks; undefined without one. */
async function findReadOtherwise(file: ChangedFile, subjects: string): Promise<string | undefined> {
  const { path, before, after, isTest } = file;
  const language = languageOf(path)?.name;
  if (isTest || after === undefined || language === undefined) return undefined;
  const lines = linesOf(after);
  const added = addedLines(file);
  const own = (number: number): string => lines[number - 1] ?? "";
  const tell = (number: number, what: string): string =>
    `${path}:${number} ${what}: \`${own(number).trim().slice(0, 100)}\``;
  const ended = await findInnerEnd(file, language);
  if (ended !== undefined) return tell(ended, "contains a character that ends the line for a compiler");
  if (ofText.test(subjects)) return undefined;
  const encoded =
    language === "python" ? added.find((number) => number <= 2 && isOtherCoding(own(number))) : undefined;
  if (encoded !== undefined) return tell(encoded, "declares an encoding in which its lines read differently");
  const escaped = language === "java" ? added.find((number) => hasHiddenEscape(own(number))) : undefined;
  if (escaped !== undefined) return tell(escaped, "contains an escape that the compiler reads as code");
  const joined = isOfC.test(path) ? added.find((number) => goesOn(lines, number)) : undefined;
  if (joined !== undefined) return tell(joined, "continues past the end of its line");
  const name = await findOddName(path, after, new Set(added));
  return name === undefined || before?.includes(name.text) === true
    ? undefined
    : tell(name.line, "writes a name with characters that the compiler reads as other letters");
}

/** A carriage return that is not part of the line's end. */
const loneReturn = /\r(?!\r*(?:\n|$))/;
/** Further characters that end a line in some languages: Unicode's separators of lines and paragraphs. */
const separators: ReadonlyMap<string, RegExp> = new Map([
  ["javascript", /[\u2028\u2029]/],
  ["typescript", /[\u2028\u2029]/],
  ["csharp", /[\u0085\u2028\u2029]/],
]);

/** Returns the first added line with an inner character that ends a line. Strings of scripts may contain separators. */
async function findInnerEnd(file: ChangedFile, language: string): Promise<number | undefined> {
  const { path, before, after } = file;
  const lines = linesOf(after);
  const separator = separators.get(language);
  const isOfReturns = endsInReturns(before);
  for (const number of addedLines(file)) {
    const line = lines[number - 1] ?? "";
    if (!isOfReturns && loneReturn.test(line)) return number;
    if (separator?.test(line) !== true) continue;
    const source = await readSource(path, after);
    if (source === undefined) return number;
    const from = lines.slice(0, number - 1).reduce((sum, { length }) => sum + length + 1, 0);
    const found = [...line.matchAll(new RegExp(separator, "g"))].map(({ index }) => from + index);
    if (found.some((at) => !/^(?:string|template_string)/.test(nodeAt(source.tree.root, at).kind)))
      return number;
  }
  return undefined;
}

/** True if most lines of the old file end in a carriage return alone. */
function endsInReturns(before = ""): boolean {
  const count = (pattern: RegExp): number => before.match(pattern)?.length ?? 0;
  return count(/\r(?!\n)/g) > count(/\n/g);
}

const isOfC = /\.(?:[ch]|cc|cpp|cxx|hh|hpp|hxx)$/;
const coding = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/;
/** Usual encodings, in which code reads as it looks. */
const usual =
  /^(?:utf[-_]?8(?:[-_]sig)?|(?:us[-_])?ascii|latin[-_]?\d+|iso[-_]?8859[-_]\d+|(?:cp|windows[-_]?)\d+|koi8[-_]\w)$/i;

function isOtherCoding(line: string): boolean {
  const [, name] = coding.exec(line) ?? [];
  return name !== undefined && !usual.test(name);
}

/**
 * True if the line has an escape that changes what Java parses, because Java decodes escapes first. Inside a string,
 * only escapes that can end the string matter.
 */
function hasHiddenEscape(line: string): boolean {
  const texts = line.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g) ?? [];
  const rest = line.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');
  const odd = String.raw`(?<!\\)(?:\\\\)*\\u+`;
  return (
    new RegExp(`${odd}00[0-7]`).test(rest) ||
    texts.some((text) => new RegExp(`${odd}00(?:0[aAdD]|2[27]|5[cC])`).test(text))
  );
}

/**
 * True if a backslash joins a comment or a word of the C line with the next line, or if the line has a trigraph.
 * Excludes joined lines of macros, because they are normal.
 */
function goesOn(lines: readonly string[], number: number): boolean {
  const line = lines[number - 1] ?? "";
  if (/\?\?[=/'()!<>-]/.test(line)) return true;
  if (!/\\\s*$/.test(line)) return false;
  let first = number - 1;
  while (first > 0 && /\\\s*$/.test(lines[first - 1] ?? "")) first -= 1;
  const isMacro = /^\s*#/.test(lines[first] ?? "");
  return !isMacro && /\/\/|\/\*|\*\\\s*$|\w\\\s*$/.test(line);
}

interface OddName {
  readonly text: string;
  readonly line: number;
}

async function findOddName(
  path: string,
  text: string,
  added: ReadonlySet<number>,
): Promise<OddName | undefined> {
  // Most files contain no such letters at all.
  if (text.normalize("NFKC") === text && !/\\u[{0-9a-fA-F]/.test(text)) return undefined;
  const source = await readSource(path, text);
  if (source === undefined) return undefined;
  for (const node of walk(source.tree.root)) {
    if (!added.has(node.startLine) || node.children.length > 0 || !/identifier/.test(node.kind)) continue;
    const written = codeOf(source, node);
    if (written.includes("\\u") || written.normalize("NFKC") !== written.normalize("NFC"))
      return { text: written, line: node.startLine };
  }
  return undefined;
}
