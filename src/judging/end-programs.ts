/**
 * Changes the exit of a C or C++ test program: makes `main` fail at its end, or succeed at its start. Works on text,
 * because there is no grammar. Returns undefined if the form of `main` is unknown.
 */

const opaque = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'/g;
const header = /\bint\s+main\s*\([^()]*\)\s*\{/g;
/** An exit that may report success without a return from `main`. */
const leaves = /\b(?:_|quick_)?[eE]xit\s*\((?!\s*(?:[1-9]\d*|EXIT_FAILURE)\s*\))/;
const lambda = /\[[^\]\n]*\]\s*(?:\([^()]*\)\s*)?(?:->[^{;]*)?\{/;

interface Body {
  /** Offsets of the body's text, without its braces; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** The file's text with blanks for comments and strings. */
  readonly code: string;
}

/**
 * Makes every `return` of `main` report a failure. Undefined unless the text has exactly one `main`, whose every end is
 * a `return`.
 */
export function failAtEnd(text: string): string | undefined {
  const body = findBody(text);
  if (body === undefined) return undefined;
  const { code, start, end } = body;
  const returns = [...code.slice(start, end).matchAll(/\breturn\b([^;]*);/g)];
  return returns.toReversed().reduce((now, { index, 0: all, 1: value = "" }) => {
    const from = start + index + all.length - 1 - value.length;
    const to = from + value.length;
    return `${now.slice(0, from)} (${now.slice(from, to).trim()}) ? 96 : 97${now.slice(to)}`;
  }, text);
}

/** Inserts a successful return at the start of `main`. Undefined in the same cases as `failAtEnd`. */
export function succeedAtStart(text: string): string | undefined {
  const body = findBody(text);
  return body && `${text.slice(0, body.start)} return 0;${text.slice(body.start)}`;
}

/** Finds the only `main`. Undefined unless each way through `main` ends with a `return`. */
function findBody(text: string): Body | undefined {
  const code = text.replace(opaque, (own) => own.replaceAll(/[^\n]/g, " "));
  const [found, ...others] = [...code.matchAll(header)];
  if (found === undefined || others.length > 0 || leaves.test(code) || /\bR"/.test(text)) return undefined;
  const start = found.index + found[0].length;
  let depth = 1;
  let end = start;
  for (; end < code.length && depth > 0; end += 1) {
    if (code[end] === "{") depth += 1;
    if (code[end] === "}") depth -= 1;
  }
  const inner = code.slice(start, end - 1);
  const isKnown = depth === 0 && /\breturn\b[^;{}]*;\s*$/.test(inner) && !lambda.test(inner);
  return isKnown ? { start, end: end - 1, code } : undefined;
}
