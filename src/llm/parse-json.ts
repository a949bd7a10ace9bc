import { findBracket, readJson } from "../base/parse-json.ts";

/**
 * Finds the JSON in a model's text: the text itself, the content of a code fence, or the first complete value in the
 * prose. Undefined if there is none.
 */
export function parseModelJson(text: string): { readonly value: unknown } | undefined {
  return tryParse(text) ?? fromFence(text) ?? fromProse(text);
}

function tryParse(text: string): { value: unknown } | undefined {
  try {
    return { value: readJson(text) };
  } catch {
    return undefined;
  }
}

function fromFence(text: string): { value: unknown } | undefined {
  for (const [, inside = ""] of text.matchAll(/```[\w-]*\n([\s\S]*?)\n?```/g)) {
    const parsed = tryParse(inside);
    if (parsed !== undefined) return parsed;
  }
  return undefined;
}

/** Maximum number of start positions to try: prose full of braces must not cost too much. */
const mostStarts = 20;

function fromProse(text: string): { value: unknown } | undefined {
  let start = text.search(/[{[]/);
  for (let count = 0; start !== -1 && count < mostStarts; count++) {
    const parsed = tryParse(text.slice(start, endOfValue(text, start)));
    if (parsed !== undefined) return parsed;
    const next = text.slice(start + 1).search(/[{[]/);
    start = next === -1 ? -1 : start + 1 + next;
  }
  return undefined;
}

/** Returns the position after the bracket that closes the one at `start`. Ignores brackets in strings. */
function endOfValue(text: string, start: number): number {
  return (findBracket(text, start, (depth) => depth === 0) ?? text.length - 1) + 1;
}
