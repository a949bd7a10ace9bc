/** Applies edits that consist of a range and its new text, as language servers send them. */
import type { CodeFileEdit } from "../domain/code-intelligence.ts";
import type { FileChange } from "./contract.ts";

/** Applies edits to a text. The edits must not overlap, and must be in the order of the text. */
export function applyRanges(text: string, edits: CodeFileEdit["edits"]): string {
  const starts = lineStarts(text);
  const offset = ({ line, column }: { readonly line: number; readonly column: number }): number => {
    const start = starts[line - 1] ?? text.length;
    return Math.min(start + column, starts[line] ?? text.length);
  };
  let result = "";
  let at = 0;
  for (const { range, text: replacement } of edits) {
    result += text.slice(at, offset(range.start)) + replacement;
    at = offset(range.end);
  }
  return result + text.slice(at);
}

/** Converts edits to changes of whole files. Leaves out files for which `textOf` returns undefined. */
export function changesOf(
  edits: readonly CodeFileEdit[],
  textOf: (path: string) => string | undefined,
): FileChange[] {
  return edits.flatMap(({ path, edits: own }) => {
    const before = textOf(path);
    return before === undefined ? [] : [{ path, before, after: applyRanges(before, own) }];
  });
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
