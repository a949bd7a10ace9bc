/** Maximum nesting of JSON. Functions that visit all values of deeper data exhaust their stack. */
const deepest = 1_000;

/** Parses JSON. Undefined if the text is not JSON, or is nested too deeply. */
export function parseJson(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

/** Parses JSON. Throws SyntaxError if the text is not JSON, or is nested too deeply. */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isTooDeep(text)) throw new SyntaxError(`The JSON is nested more than ${deepest} levels deep`);
  return value;
}

function isTooDeep(text: string): boolean {
  return findBracket(text, 0, (depth) => depth > deepest) !== undefined;
}

/**
 * Finds the first bracket from `start` after which `isFound` is true for the depth: the number of open brackets.
 * Ignores brackets in strings. Returns its position; undefined if there is none.
 */
export function findBracket(
  text: string,
  start: number,
  isFound: (depth: number) => boolean,
): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character !== undefined && "{[}]".includes(character)) {
      depth += "{[".includes(character) ? 1 : -1;
      if (isFound(depth)) return at;
    }
  }
  return undefined;
}
