/**
 * Makes text from a repository safe for a terminal. Replaces control characters (including escape sequences) with
 * visible ones, except tabs and line feeds. Also replaces marks that change the direction of text, because they can
 * disguise a line as another one (CVE-2021-42574).
 */
export function sanitizeForTerminal(text: string): string {
  return text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    showCharacter,
  );
}

function showCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 ? String.fromCodePoint(0x2400 + code) : "\ufffd";
}

/** Removes the escape sequences for colours from a program's output. */
export function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are such characters
  return text.replaceAll(/\u001b\[[0-9;]*m/g, "");
}

/** Colours, and the sequences that redraw progress: erased lines, a moved or hidden cursor, synchronised output. */
const ours = "\\u001b\\[(?:[0-9;]*m|[0-9]*[A-G]|[02]?K|J|\\?25[hl]|\\?2026[hl])";
const controls = "\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f";
const directions = "\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069";
const oursOrSteering = new RegExp(`(${ours})|[${controls}${directions}]`, "g");

/**
 * Makes control characters visible in text that leaves the process, in case the caller did not sanitise it. Keeps
 * colours and the sequences that redraw progress. Also keeps tabs and line breaks. In a text that begins like a JSON
 * document, escapes everything except tabs and line breaks instead, also colours, so that the data stays the same.
 */
export function guardText(text: string): string {
  const isJson = /^\s*[{[]/.test(text);
  return text.replaceAll(oursOrSteering, (found, allowed: string | undefined) => {
    if (isJson) return escapeCharacters(found);
    return allowed ?? showCharacter(found);
  });
}

function escapeCharacters(text: string): string {
  return [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
}

/**
 * Makes a stream apply `guardText` to each written text. Bytes pass unchanged: callers write bytes on purpose, such as
 * a diff.
 */
export function guardStream(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...rest: unknown[]): boolean =>
    write(typeof chunk === "string" ? guardText(chunk) : chunk, ...rest);
}

/** Cuts each line after `most` characters. This bounds a pattern's time on one line of a program's output. */
export function cutLines(text: string, most = 500): string {
  return text.length <= most ? text : text.replaceAll(new RegExp(`^([^\\n]{${most}})[^\\n]+$`, "gm"), "$1");
}
