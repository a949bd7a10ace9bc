/** A file's text without its comments, for reading declarations. */
import type { Found, Span } from "./found.ts";

/** A function that returns the text of a span, given by its offsets; `end` is exclusive. */
export type TextOf = (start: number, end: number) => string;

/**
 * Returns a function for the text of a span without comments. That function looks up comments only if the span may
 * contain one.
 */
export function textWithoutComments(found: Found, text: string): TextOf {
  let spans: readonly Span[] | undefined;
  return (start, end) => {
    const whole = text.slice(start, end);
    if (!/\/[/*]|#|--/.test(whole)) return whole;
    spans ??= commentsOf(found);
    const parts: string[] = [];
    let at = start;
    for (let next = firstFrom(spans, start); next < spans.length; next++) {
      const comment = spans[next];
      if (comment === undefined || comment.start >= end) break;
      parts.push(text.slice(at, comment.start));
      // Some grammars include the end of the line.
      if (text[comment.end - 1] === "\n") parts.push("\n");
      at = Math.min(end, comment.end);
    }
    return parts.length === 0 ? whole : parts.join("") + text.slice(at, end);
  };
}

function commentsOf({ above }: Found): Span[] {
  return above.filter(({ isComment }) => isComment);
}

/** The index of the first span that begins at or after `start`. */
function firstFrom(spans: readonly Span[], start: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
