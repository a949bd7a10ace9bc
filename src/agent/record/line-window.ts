/** Chooses the lines of a file or of a long text that one reply shows. Pure. */
import { countOf } from "../../base/count.ts";

/** Characters of one reply with numbered lines. A longer reply would lose its middle. */
const mostCharacters = 15_500;

export interface LineWindow {
  /** The last shown line, counted from 1. At least one line is shown. */
  readonly last: number;
  /** A sentence about the remaining lines, with the next `startLine`. Empty at the end of the text. */
  readonly rest: readonly string[];
}

/** Shows the lines from `startLine` to `endLine`: at most `mostLines`, and at most as many as fit into a reply. */
export function windowOf(
  lines: readonly string[],
  {
    startLine,
    endLine = lines.length,
  }: { readonly startLine: number; readonly endLine?: number | undefined },
  mostLines: number,
): LineWindow {
  const most = Math.min(endLine, startLine + mostLines - 1, lines.length);
  let last = startLine;
  let characters = widthOf(lines, startLine);
  while (last < most && characters + widthOf(lines, last + 1) <= mostCharacters) {
    last += 1;
    characters += widthOf(lines, last);
  }
  last = Math.min(last, lines.length);
  const left = lines.length - last;
  return {
    last,
    rest: left === 0 ? [] : [`(${countOf(left, "more line")}: continue with startLine ${last + 1})`],
  };
}

/** The line's length with its number, a tab and the line break. */
function widthOf(lines: readonly string[], line: number): number {
  return (lines[line - 1] ?? "").length + String(line).length + 2;
}
