/** Widens lines to their enclosing definitions, so that no definition is cut. Pure. */
import type { Definition, Lines } from "./skeleton.ts";

/**
 * Default for `mostWhole`. Millwright cuts longer definitions. Lines outside smaller definitions get `around` lines of
 * context.
 */
const usualWhole = 60;
const around = 3;

/**
 * Widens a span to the outermost definitions at its ends with at most `mostWhole` lines. If there is no such
 * definition, widens the span by a few lines. `lines`: the lines of the file.
 */
export function widen(
  { start, end }: Lines,
  definitions: readonly Definition[],
  lines: readonly string[],
  mostWhole = usualWhole,
): Lines {
  const from = outermost(definitions, start, mostWhole)?.startLine ?? lineBefore(start, definitions, lines);
  const to = outermost(definitions, end, mostWhole)?.endLine ?? lineAfter(end, definitions, lines);
  return { start: Math.min(start, from), end: Math.max(end, to) };
}

/** The largest definition around a line that is short enough to show it whole. */
function outermost(
  definitions: readonly Definition[],
  line: number,
  mostWhole: number,
): Definition | undefined {
  return definitions
    .filter((each) => holds(each, line) && sizeOf(each) <= mostWhole)
    .reduce<Definition | undefined>(
      (most, next) => (most === undefined || sizeOf(next) > sizeOf(most) ? next : most),
      undefined,
    );
}

/** Returns the smallest definition that contains the lines and begins before them; undefined if there is none. */
export function innermostAround(
  definitions: readonly Definition[],
  { start, end }: Lines,
): Definition | undefined {
  return definitions
    .filter((each) => each.startLine < start && end <= each.endLine)
    .reduce<Definition | undefined>(
      (least, next) => (least === undefined || sizeOf(next) < sizeOf(least) ? next : least),
      undefined,
    );
}

/** Adds a few lines above, but no lines of another definition. */
function lineBefore(line: number, definitions: readonly Definition[], lines: readonly string[]): number {
  if (definitions.some(({ startLine }) => startLine === line)) return line;
  let at = Math.max(1, line - around);
  for (const { endLine } of definitions) if (at <= endLine && endLine < line) at = endLine + 1;
  while (at < line && isBlank(lines[at - 1])) at += 1;
  return at;
}

function lineAfter(line: number, definitions: readonly Definition[], lines: readonly string[]): number {
  if (definitions.some(({ endLine }) => endLine === line)) return line;
  let at = Math.min(lines.length, line + around);
  for (const { startLine } of definitions) if (line < startLine && startLine <= at) at = startLine - 1;
  while (at > line && isBlank(lines[at - 1])) at -= 1;
  return at;
}

function isBlank(line: string | undefined): boolean {
  return (line ?? "").trim() === "";
}

function holds({ startLine, endLine }: Definition, line: number): boolean {
  return startLine <= line && line <= endLine;
}

function sizeOf({ startLine, endLine }: Definition): number {
  return endLine - startLine + 1;
}
