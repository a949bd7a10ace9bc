/** Recognises changes of one text with equal results. */
import type { TextChange } from "./syntax-check.ts";

/**
 * Creates a filter that accepts a change only if its result differs from the text and from all earlier results. Ignores
 * spaces within lines. Indentation and line breaks count.
 */
export function createDuplicateFilter(text: string): (change: TextChange) => boolean {
  const seen = new Set<string>();
  return (change) => {
    const { start, end, replacement } = widenToLines(text, shrink(text, change));
    const before = normalise(text.slice(start, end));
    const after = normalise(replacement);
    const key = `${start}:${end}:${after}`;
    if (before === after || seen.has(key)) return false;
    seen.add(key);
    return true;
  };
}

/**
 * Shrinks a change to the smallest change with the same result. Two changes with equal results shrink to equal changes,
 * unless the equal text after them exceeds 200 characters.
 */
export function shrink(text: string, change: TextChange): TextChange {
  const { replacement } = change;
  let { start, end } = change;
  // After the replaced piece both texts continue equally, so the common beginning may extend beyond the piece.
  const after = replacement + text.slice(end, end + 200);
  const before = text.slice(start, end + 200);
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let result = replacement;
  if (head > replacement.length || start + head > end) {
    const reach = Math.max(head - replacement.length, start + head - end, 0);
    result = replacement + text.slice(end, end + reach);
    end += reach;
  }
  start += head;
  result = result.slice(head);
  let tail = 0;
  const most = Math.min(end - start, result.length);
  while (tail < most && text[end - 1 - tail] === result[result.length - 1 - tail]) tail++;
  return { start, end: end - tail, replacement: result.slice(0, result.length - tail) };
}

function widenToLines(text: string, change: TextChange): TextChange {
  const lineStart = text.lastIndexOf("\n", change.start - 1) + 1;
  const found = text.indexOf("\n", change.end);
  const lineEnd = found === -1 ? text.length : found;
  return {
    start: lineStart,
    end: lineEnd,
    replacement: text.slice(lineStart, change.start) + change.replacement + text.slice(change.end, lineEnd),
  };
}

/** Keeps indentation and line breaks. In each line, keeps only the spaces that separate words. */
function normalise(code: string): string {
  return code
    .split("\n")
    .map((line) => {
      const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
      const rest = line.slice(indent.length).trimEnd();
      return indent + rest.replace(/\s+/g, " ").replace(/ ?([^\w\s]) ?/g, "$1");
    })
    .join("\n");
}
