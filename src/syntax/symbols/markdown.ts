import type { FileSymbols } from "../../domain/code-symbols.ts";
import { type CodePiece, documentSymbols, type Heading } from "./documents.ts";

export function readMarkdown(text: string): FileSymbols {
  const lines = text.split(/\r?\n/);
  const headings: Heading[] = [];
  const code: CodePiece[] = [];
  let row = frontMatterEnd(lines);
  let fence: string | undefined;
  for (; row < lines.length; row++) {
    const line = lines[row] ?? "";
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
      else code.push({ row, column: 0, text: line, isInline: false });
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      continue;
    }
    const heading = headingAt(lines, row);
    if (heading !== undefined) headings.push(heading);
    for (const span of line.matchAll(/(`+)(.+?)\1(?!`)/g)) {
      const column = span.index + (span[1]?.length ?? 0);
      code.push({ row, column, text: span[2] ?? "", isInline: true });
    }
  }
  return documentSymbols("markdown", lines, headings, code);
}

/** The row after a front matter (`---` … `---`), or 0. */
function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0] !== "---") return 0;
  const end = lines.indexOf("---", 1);
  return end < 0 ? 0 : end + 1;
}

function headingAt(lines: readonly string[], row: number): Heading | undefined {
  const line = lines[row] ?? "";
  const marked = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line);
  if (marked !== null) {
    const name = plain(marked[2] ?? "");
    return name === ""
      ? undefined
      : { name, level: marked[1]?.length ?? 1, startRow: row, row, textRow: row + 1 };
  }
  const under = /^ {0,3}(=+|-{2,})\s*$/.exec(lines[row + 1] ?? "")?.[1];
  if (under === undefined || line.trim() === "" || /^\s*(?:[-*+>|]|\d+\.)/.test(line)) return undefined;
  // The last line of a longer paragraph may be a heading too, but not that of a table or list.
  return { name: plain(line), level: under.startsWith("=") ? 1 : 2, startRow: row, row, textRow: row + 2 };
}

/** A heading's words without the markup of code, emphasis, links and images. */
function plain(heading: string): string {
  return heading
    .replaceAll(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
    .replaceAll(/[`*]|<[^>]+>|(?<!\w)_|_(?!\w)/g, "")
    .trim();
}
