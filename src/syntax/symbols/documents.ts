/**
 * Reads a document as `FileSymbols`. Sections become definitions, and the code that they mention becomes references.
 */
import type { Definition, FileSymbols, Reference } from "../../domain/code-symbols.ts";
import { onOneLine } from "./written.ts";

export interface Heading {
  readonly name: string;
  /** The heading's level; 1 is the outermost. */
  readonly level: number;
  /** Rows from 0: the heading's first row, the row with its words, and the first row of text after it. */
  readonly startRow: number;
  readonly row: number;
  readonly textRow: number;
}

/** A piece of code in a document. */
export interface CodePiece {
  readonly row: number;
  readonly column: number;
  readonly text: string;
  /** True for inline code, which counts as a name. In code blocks, only called or qualified names count. */
  readonly isInline: boolean;
}

const longestDocumentation = 2000;

export function documentSymbols(
  language: string,
  lines: readonly string[],
  headings: readonly Heading[],
  code: readonly CodePiece[],
): FileSymbols {
  const definitions = headings.map((heading, index) => section(heading, index, headings, lines));
  return {
    language,
    definitions,
    references: mentions(code, headings),
    imports: [],
    syntaxErrors: 0,
  };
}

function section(
  heading: Heading,
  index: number,
  headings: readonly Heading[],
  lines: readonly string[],
): Definition {
  const following = headings.slice(index + 1).find((other) => other.level <= heading.level);
  const nextRow = headings[index + 1]?.startRow ?? lines.length;
  const text = lines.slice(heading.textRow, nextRow).join("\n").trim();
  const line = lines[heading.row] ?? "";
  return {
    kind: "section",
    name: heading.name,
    container: containerOf(index, headings),
    startLine: heading.startRow + 1,
    endLine: Math.max(heading.row + 1, following?.startRow ?? withoutEmptyEnd(lines)),
    at: { line: heading.row + 1, column: Math.max(0, line.indexOf(heading.name)) },
    signature: onOneLine(line),
    ...(text === "" ? {} : { documentation: text.slice(0, longestDocumentation) }),
    isPublic: true,
  };
}

function withoutEmptyEnd(lines: readonly string[]): number {
  return lines.at(-1) === "" ? lines.length - 1 : lines.length;
}

/** The nearest previous heading of a smaller level. */
function containerOf(index: number, headings: readonly Heading[]): number {
  const level = headings[index]?.level ?? 1;
  for (let before = index - 1; before >= 0; before--)
    if ((headings[before]?.level ?? 1) < level) return before;
  return -1;
}

const chain = /[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$~][\w$]*)*/g;

/** The names that the code pieces mention, each once per section. */
function mentions(code: readonly CodePiece[], headings: readonly Heading[]): Reference[] {
  const references: Reference[] = [];
  const seen = new Set<string>();
  let within = -1;
  for (const piece of [...code].sort((a, b) => a.row - b.row || a.column - b.column)) {
    while ((headings[within + 1]?.startRow ?? Number.POSITIVE_INFINITY) <= piece.row) within++;
    for (const found of piece.text.matchAll(chain)) {
      const reference = mention(piece, found, within);
      const key = `${within} ${reference?.receiver} ${reference?.name}`;
      if (reference === undefined || seen.has(key)) continue;
      seen.add(key);
      references.push(reference);
    }
  }
  return references;
}

function mention(piece: CodePiece, found: RegExpExecArray, within: number): Reference | undefined {
  const written = found[0];
  const end = found.index + written.length;
  const isQualified = /[.:#>]/.test(written);
  const isCalled = piece.text[end] === "(";
  if (!piece.isInline && !isCalled && !isQualified) return undefined;
  // Not a name: a path, a program's option, or a word of a quoted sentence.
  if (/[/\\-]/.test(piece.text[found.index - 1] ?? "") || piece.text[end] === "/") return undefined;
  const split = /^(.*?)(?:\.|::|#|->)?([A-Za-z_$~][\w$]*)$/.exec(written);
  const name = split?.[2] ?? written;
  const receiver = split?.[1] ?? "";
  return {
    kind: "name",
    name,
    ...(receiver === "" ? {} : { receiver }),
    at: { line: piece.row + 1, column: piece.column + end - name.length },
    within,
  };
}
