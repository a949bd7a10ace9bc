/**
 * Splits a file into code, comments and strings. Uses regular expressions instead of a parser, so that broken files
 * work too.
 */
import { languageOf } from "../../languages/source-files.ts";

export type TokenField = "code" | "comment" | "string";

/** Receives each token of a text, in order. `offset`: the token's start in the text, in UTF-16 code units. */
export type TokenSink = (text: string, field: TokenField, offset: number) => void;

/** An unclosed comment or string ends with the text, or after a limit of characters. So one pass reads each text. */
const cLike =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<string>"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\]){0,4000}`|'(?:\\.|[^'\\\n]){2,200}')|(?<code>[\p{L}_$][\p{L}\p{N}_$]*)/gu;
/** A single quote begins a lifetime or a character literal, and this character may be a double quote. */
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
  [/\.(?:[cm]?[jt]sx?|vue|svelte|go|java|kts?|c|cc|cpp|cxx|h|hh|hpp|cs|swift|scala)$/, cLike],
  [/\.(?:toml|ya?ml|sh|bash|zsh|cfg|ini|ex|mk|cmake)$|(?:^|\/)(?:Makefile|Dockerfile)$/, hash],
];

/** Chooses the scanner for a file that `scanners` does not list, by the language's comment sign. */
function byComment(path: string): RegExp {
  const sign = languageOf(path)?.lineComment;
  return sign === "#" ? hash : sign === "//" ? cLike : plain;
}

/**
 * Passes the tokens of a text to `sink`. A whole string or comment is one token, which the caller splits into words.
 */
export function scanText(path: string, text: string, sink: TokenSink): void {
  const scanner = scanners.find(([pattern]) => pattern.test(path))?.[1] ?? byComment(path);
  for (const match of text.matchAll(scanner)) {
    const groups = match.groups ?? {};
    if (groups["code"] !== undefined) sink(match[0], "code", match.index);
    else sink(match[0], groups["comment"] === undefined ? "string" : "comment", match.index);
  }
}
