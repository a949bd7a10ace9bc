/**
 * Text from a repository made safe for a terminal: control characters (escape sequences among them) become visible, and so do marks
 * that turn the direction of what follows, with which a line can be made to read as another (CVE-2021-42574).
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

/** What a program prints, without colours: they are no words of what it says. */
export function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are such characters
  return text.replaceAll(/\u001b\[[0-9;]*m/g, "");
}

/** Colours, and what draws progress anew: lines erased, the cursor moved or hidden, output held back until it is whole. */
const ours = "\\u001b\\[(?:[0-9;]*m|[0-9]*[A-G]|[02]?K|J|\\?25[hl]|\\?2026[hl])";
const controls = "\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f";
const directions = "\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069";
const oursOrSteering = new RegExp(`(${ours})|[${controls}${directions}]`, "g");

/**
 * Text as it leaves the process, colours included: what a caller forgot to make safe is shown. A document of JSON stays the same data:
 * in its strings such characters are written as escapes.
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

/** Puts `guardText` before a stream of ours. Bytes pass as they are: they are data that a caller asked for, such as a diff. */
export function guardStream(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...rest: unknown[]): boolean =>
    write(typeof chunk === "string" ? guardText(chunk) : chunk, ...rest);
}
