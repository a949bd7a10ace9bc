/** The words of a file with what they stand in: code, a comment, a string. Lexical only, so that broken files have words too. */

export type TokenField = "code" | "comment" | "string";

/** Called in the order of the text; `offset` is where the stretch of text starts. */
export type TokenSink = (text: string, field: TokenField, offset: number) => void;

/** What is not closed ends with the text or after so many characters: each text is read in one pass, whatever it holds. */
const cLike =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<string>"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\]){0,4000}`|'(?:\\.|[^'\\\n]){2,200}')|(?<code>[\p{L}_$][\p{L}\p{N}_$]*)/gu;
/** A single quote is a lifetime's or a character's; that one may be a double quote. */
const rust =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<string>r#+"[\s\S]{0,20000}?"#|"(?:\\[\s\S]|[^"\\]){0,4000}"|'(?:\\.|[^'\\\n])')|(?<code>[\p{L}_][\p{L}\p{N}_]*)/gu;
const python =
  /(?<comment>#[^\n]*|[rRbBuU]{0,2}"""[\s\S]*?(?:"""|$)|[rRbBuU]{0,2}'''[\s\S]*?(?:'''|$))|(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?<code>[\p{L}_][\p{L}\p{N}_]*)/gu;
const lua =
  /(?<comment>--\[\[[\s\S]*?(?:\]\]|$)|--[^\n]*)|(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\[\[[\s\S]*?(?:\]\]|$))|(?<code>[\p{L}_][\p{L}\p{N}_]*)/gu;
const hash =
  /(?<comment>#[^\n]*)|(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?<code>[\p{L}_][\p{L}\p{N}_]*)/gu;
const plain = /(?<comment>[\p{L}_][\p{L}\p{N}_]*)/gu;

const scanners: readonly (readonly [RegExp, RegExp])[] = [
  [/\.rs$/, rust],
  [/\.pyi?$/, python],
  [/\.lua$/, lua],
  [/\.(?:[cm]?[jt]sx?|vue|svelte|go|java|kts?|c|cc|cpp|cxx|h|hh|hpp|cs|swift|scala|php)$/, cLike],
  [/\.(?:toml|ya?ml|sh|bash|zsh|cfg|ini|rb|ex|mk|cmake)$|(?:^|\/)(?:Makefile|Dockerfile)$/, hash],
];

/** Strings and comments come whole; the caller splits them into words. */
export function scanText(path: string, text: string, sink: TokenSink): void {
  const scanner = scanners.find(([pattern]) => pattern.test(path))?.[1] ?? plain;
  for (const match of text.matchAll(scanner)) {
    const groups = match.groups ?? {};
    if (groups["code"] !== undefined) sink(match[0], "code", match.index);
    else sink(match[0], groups["comment"] === undefined ? "string" : "comment", match.index);
  }
}
