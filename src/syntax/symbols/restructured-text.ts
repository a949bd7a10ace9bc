import type { FileSymbols } from "../../domain/code-symbols.ts";
import { type CodePiece, documentSymbols, type Heading } from "./documents.ts";

export function readRestructuredText(text: string): FileSymbols {
  const lines = text.split(/\r?\n/);
  const headings: Heading[] = [];
  const code: CodePiece[] = [];
  const styles: string[] = [];
  let literal: number | undefined;
  for (const [row, line] of lines.entries()) {
    const indent = line.search(/\S/);
    if (literal !== undefined && indent >= 0 && indent <= literal) literal = undefined;
    if (literal !== undefined) {
      code.push({ row, column: 0, text: line, isInline: false });
      continue;
    }
    const heading = headingAt(lines, row, styles);
    if (heading !== undefined) headings.push(heading);
    if (opensLiteral(line)) literal = indent;
    code.push(...inline(line, row));
  }
  return documentSymbols("restructuredtext", lines, headings, code);
}

const underline = /^([!-/:-@[-`{-~])\1{2,}\s*$/;

/** A heading style (its mark, and whether a line stands above) gets the level at which it first appears. */
function headingAt(lines: readonly string[], row: number, styles: string[]): Heading | undefined {
  const line = lines[row] ?? "";
  const mark = underline.exec(lines[row + 1] ?? "")?.[1];
  const name = line.trim();
  if (mark === undefined || name === "" || underline.test(line)) return undefined;
  if ((lines[row + 1] ?? "").trim().length < Math.min(name.length, 3)) return undefined;
  const hasOverline = underline.exec(lines[row - 1] ?? "")?.[1] === mark;
  if (!hasOverline && (/^\s/.test(line) || (lines[row - 1] ?? "").trim() !== "")) return undefined;
  const style = `${mark}${hasOverline}`;
  if (!styles.includes(style)) styles.push(style);
  return {
    name: name.replaceAll(/:\w+:|[`*]/g, ""),
    level: styles.indexOf(style) + 1,
    startRow: hasOverline ? row - 1 : row,
    row,
    textRow: row + 2,
  };
}

function opensLiteral(line: string): boolean {
  return (
    /^\s*\.\.\s+(?:code|code-block|sourcecode|parsed-literal)::/.test(line) ||
    /(?<!^\s*\.\..*)::\s*$/.test(line)
  );
}

/**
 * The inline code of a line: ``code``, :func:`a.b`, and the name that a directive documents: `.. autofunction:: a.b`.
 */
function inline(line: string, row: number): CodePiece[] {
  const pieces: CodePiece[] = [];
  const push = (column: number, text: string): void => {
    pieces.push({ row, column, text, isInline: true });
  };
  for (const span of line.matchAll(/``(.+?)``/g)) push(span.index + 2, span[1] ?? "");
  for (const role of line.matchAll(/:(?:\w+:)*\w+:`(?:[^`<]*<)?([~!.]?)([^`>]+)>?`/g)) {
    const text = role[2] ?? "";
    push(role.index + role[0].lastIndexOf(text), text);
  }
  const directive =
    /^\s*\.\.\s+(?:\w+:)?(?:auto)?(?:function|class|method|module|exception|data|attribute)::\s*(\S.*)$/.exec(
      line,
    );
  if (directive !== null) push(line.indexOf(directive[1] ?? ""), (directive[1] ?? "").split("(", 1)[0] ?? "");
  return pieces;
}
