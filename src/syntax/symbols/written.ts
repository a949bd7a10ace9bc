/** Prepares source text for display: comments without marks, declarations on one line, receivers without arguments. */

const longestSignature = 300;
const longestDocumentation = 2000;
const longestReceiver = 100;

/** Puts a text on one line: collapses spaces, and cuts it to `longest` characters. */
export function onOneLine(text: string, longest: number = longestSignature): string {
  const short = text.length > longest * 4 ? text.slice(0, longest * 4) : text;
  const line = short.replaceAll(/\s+/g, " ").trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** Returns a declaration on one line. Removes the line breaks and the trailing comma inside its brackets. */
export function declaredOnOneLine(declaration: string): string {
  if (!declaration.includes("\n")) return onOneLine(declaration);
  return onOneLine(declaration.replaceAll(/([([<])\s*\n\s*/g, "$1").replaceAll(/,?\s*\n\s*([)\]>])/g, "$1"));
}

/** Shortens brackets whose contents span several lines: braces to `{…}`, square brackets to `[…]`. */
export function folded(declaration: string): string {
  if (!declaration.includes("\n")) return declaration;
  let out = "";
  for (let index = 0; index < declaration.length; index++) {
    const char = declaration[index] ?? "";
    if (char !== "{" && char !== "[") {
      out += char;
      continue;
    }
    const end = afterBracket(declaration, index);
    const inside = declaration.slice(index, end + 1);
    out += inside.includes("\n") ? `${char}…${closing[char]}` : inside;
    index = end;
  }
  return out;
}

/**
 * Returns a declaration's text without the token that opens its body. Keeps the arrow of an assigned function, to show
 * that it is a function.
 */
export function withoutOpening(header: string): string {
  const arrow = /^(?=[^=]*=[^=>]).*=>(?=[\s{(]*$)/s.exec(header)?.[0];
  if (arrow !== undefined) return arrow;
  return header.replace(/(?:\s|\{|:|;|=>|=|\bdo\b|\bwhere)+$/, "");
}

/** Removes comment marks of all languages, and text after 2,000 characters. Undefined if no text is left. */
export function withoutCommentMarks(comment: string): string | undefined {
  const text = comment
    .replace(/^\s*(?:\/\*+!?|--\[=*\[)/, "")
    .replace(/(?:\*+\/|\]=*\]|--\]\])\s*$/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*(?:\/\/+[!<]?|\/\*+|\*(?!\*)|#+|---?-*)(?: |(?=\S)|$)/, "").trimEnd())
    .join("\n");
  return limited(text);
}

/** Returns a type as written, without the `:` or `->` before it and the quotes around it. At most 120 characters. */
export function typeText(written: string): string {
  return onOneLine(written.replace(/^\s*(?::|->)\s*/, "").replace(/^(["'])(.*)\1$/, "$2"), 120);
}

/** Returns a type's name without its arguments: `Vec<T>` is `Vec`, `*Server` is `Server`. */
export function bareType(written: string): string {
  return written.replace(/[<[(].*$/s, "").replaceAll(/^[\s&*(]+|[\s&*:]+$/g, "");
}

/**
 * Returns a documenting string literal without its quotes and common indentation, at most 2,000 characters. Undefined
 * if no text is left.
 */
export function withoutQuotes(literal: string): string | undefined {
  const inner = literal.replace(/^[A-Za-z]*("""|'''|"|')/, "").replace(/("""|'''|"|')$/, "");
  const lines = inner.split("\n");
  const indents = lines.slice(1).flatMap((line) => (line.trim() === "" ? [] : [line.search(/\S/)]));
  const indent = Math.min(...indents, 100);
  return limited([lines[0], ...lines.slice(1).map((line) => line.slice(indent))].join("\n"));
}

function limited(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  return trimmed.length > longestDocumentation ? `${trimmed.slice(0, longestDocumentation - 1)}…` : trimmed;
}

const plainReceiver = /^[\w$.:@#>-]*$/;
const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

/**
 * Returns the text before a member's name, shortened. `a?.b(x, y)[0]` becomes `a.b()[]`, `Foo::<T>` becomes `Foo`, and
 * a string keeps only its quotation marks.
 */
export function receiverText(written: string): string {
  if (written.length <= longestReceiver && plainReceiver.test(written)) return written.replace(/(?:::)$/, "");
  let out = "";
  for (let index = 0; index < written.length && out.length < longestReceiver; index++) {
    const char = written[index] ?? "";
    if (char === '"' || char === "'" || char === "`") {
      index = afterString(written, index);
      out += char + char;
    } else if (char in closing && !(char === "<" && /\s/.test(written[index + 1] ?? ""))) {
      index = afterBracket(written, index);
      if (char !== "<" && char !== "{") out += char + closing[char];
    } else if (!/\s/.test(char)) out += char;
    else if (/\w$/.test(out) && /\w/.test(written[index + 1] ?? "")) out += " ";
  }
  return out.replaceAll(/[?!]+(?=\.)/g, "").replaceAll(/::(?=::|[(.]|$)/g, "");
}

function afterString(text: string, at: number): number {
  const quote = text[at];
  let index = at + 1;
  while (index < text.length && text[index] !== quote) index += text[index] === "\\" ? 2 : 1;
  return index;
}

/**
 * Returns the index of the bracket that closes the bracket at `at`. If none closes it, returns the index of the last
 * character.
 */
export function afterBracket(text: string, at: number): number {
  let depth = 0;
  for (let index = at; index < text.length; index++) {
    const char = text[index] ?? "";
    if (char in closing && (char !== "<" || text[at] === "<")) depth++;
    else if (char === '"') index = afterString(text, index);
    else if (
      ")]}".includes(char) ||
      (char === ">" && text[at] === "<" && !/[-=]/.test(text[index - 1] ?? ""))
    )
      if (--depth === 0) return index;
  }
  return text.length - 1;
}

/** Splits a declaration into its leading annotations and attributes, and the text after them. */
export function splitAttributes(header: string): readonly [attributes: string, rest: string] {
  let at = 0;
  for (;;) {
    const start =
      /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*(?:@[\w.:]+(?![\w.:]|\s*[|&+*/-]{0,2}=)\s*(\()?|(#?!?\[))/.exec(
        header.slice(at),
      );
    if (start === null || /^\s*@interface\b/.test(header.slice(at))) break;
    const opens = start[1] !== undefined || start[2] !== undefined;
    at = opens ? afterBracket(header, at + start[0].length - 1) + 1 : at + start[0].length;
  }
  return [header.slice(0, at), header.slice(at)];
}
