/** Tells whether a changed text still parses, without parsing the whole file for each change. */
import { Edit } from "web-tree-sitter";
import { countErrors, type Grammar, loadParser, parseTree } from "../syntax/parser.ts";

export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

export interface SyntaxCheck {
  /** True when the change brings no syntax error that the text did not have. */
  parses(change: TextChange): boolean;
  free(): void;
}

export async function openSyntaxCheck(grammar: Grammar, text: string): Promise<SyntaxCheck> {
  const parser = await loadParser(grammar);
  const base = parseTree(parser, text);
  const errors = countErrors(base);
  return {
    parses(change) {
      const old = base.copy();
      try {
        old.edit(editOf(text, change));
        const tree = parseTree(parser, applyChange(text, change), old);
        const count = countErrors(tree);
        tree.delete();
        return count <= errors;
      } finally {
        old.delete();
      }
    },
    free: () => base.delete(),
  };
}

export function applyChange(text: string, change: TextChange): string {
  return text.slice(0, change.start) + change.replacement + text.slice(change.end);
}

function editOf(text: string, change: TextChange): Edit {
  const start = positionAt(text, change.start);
  const after = positionAt(change.replacement, change.replacement.length);
  return new Edit({
    startIndex: change.start,
    oldEndIndex: change.end,
    newEndIndex: change.start + change.replacement.length,
    startPosition: start,
    oldEndPosition: positionAt(text, change.end),
    newEndPosition: {
      row: start.row + after.row,
      column: after.row === 0 ? start.column + after.column : after.column,
    },
  });
}

function positionAt(text: string, offset: number): { row: number; column: number } {
  let row = 0;
  let lineStart = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) {
    row++;
    lineStart = at + 1;
  }
  return { row, column: offset - lineStart };
}
