/**
 * Detects an added early exit that skips more statements than the one that it protects. Such a patch changes more
 * behaviour than its failing test asks for. `if p == nil { return }` before the last statement skips nothing else.
 * Works on lines. Pure.
 */
import type { TextChange } from "./syntax-check.ts";

const jump = /\b(?:return|break|continue)\b/g;
const loopJump = /\b(?:break|continue)\b/;
const closer = /^\s*(?:[\])}]+[\s\])};,(]*|end|fi|done)$/;
/** Continues the statement before: `} else {`, `except KeyError:`. */
const continuation = /^\s*(?:\}\s*)?(?:else|elif|elsif|catch|except|rescue|finally|ensure)\b/;
const loop = /^\s*(?:for|while|loop|do|foreach|until)\b|\.(?:each|map)\b.*(?:\{|do)\b/;
const branch =
  /^\s*(?:\}\s*)?(?:if|else|elif|switch|match|case|try|catch|with|unless|select|using|synchronized)\b/;
const functionHeader = /\b(?:func|fn|def|function|lambda)\b|=>\s*\{?\s*$|->\s*\{\s*$|\)[^;=]*\{\s*$/;

export function skipsMore(text: string, { start, end, replacement }: TextChange): boolean {
  const count = (code: string): number => code.match(jump)?.length ?? 0;
  if (count(replacement) <= count(text.slice(start, end))) return false;
  const lines = text.split("\n");
  const at = text.slice(0, end).split("\n").length - 1;
  // An insertion may end in front of the statement or at the end of a line.
  const first = text.slice(end).split("\n", 1)[0]?.trim() === "" ? at + 1 : at;
  const own = lines.findIndex((line, index) => index >= first && line.trim() !== "");
  const indent = indentOf(lines[own] ?? "");
  const next = lines.findIndex((line, index) => index > own && isStatement(line) && indentOf(line) <= indent);
  if (next === -1) return false;
  const outer = indentOf(lines[next] ?? "");
  // Blocks around the protected statement that end before the next one.
  const ended = headersAbove(lines, own).filter((line) => indentOf(line) >= outer);
  const stops = (line: string): boolean =>
    loop.test(line) ? loopJump.test(replacement) : !branch.test(line) && functionHeader.test(line);
  return !ended.some(stops);
}

function isStatement(line: string): boolean {
  return line.trim() !== "" && !closer.test(line) && !continuation.test(line);
}

/** The first lines of the blocks around a line, from the inside. */
function headersAbove(lines: readonly string[], at: number): string[] {
  const headers: string[] = [];
  let indent = indentOf(lines[at] ?? "");
  for (let index = at - 1; index >= 0 && indent > 0; index -= 1) {
    const line = lines[index] ?? "";
    if (line.trim() === "" || indentOf(line) >= indent) continue;
    indent = indentOf(line);
    headers.push(line);
  }
  return headers;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
