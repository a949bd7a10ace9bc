/**
 * Prepares C text for the parser, which sees the text before preprocessing. Macros used as attributes, and `#if`
 * branches that split an expression, do not parse. Each function here replaces them with spaces. The text keeps its
 * length, so that all positions stay valid.
 */

import { afterBracket } from "./written.ts";

/** Replaces everything but line breaks with spaces. */
function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, " ");
}

const keywords = new Set(
  (
    "return else const static extern struct enum union typedef volatile case goto sizeof inline register unsigned signed long " +
    "short new throw operator class typename auto constexpr virtual mutable explicit friend restrict delete public private " +
    "protected using namespace template thread_local consteval constinit co_return co_yield co_await not and or if while " +
    "switch for do int char void double float bool define undef ifdef ifndef elif include pragma error defined endif"
  ).split(" "),
);

/** A word in capitals, as macros usually are. */
const macro = /^[A-Z][A-Z0-9_]{2,}$/;
const builtinType = /^(?:int|char|void|unsigned|signed|long|short|double|float|bool|struct)$/;

/** Removes macros from declarations: `ZEXTERN int ZEXPORT f(int a)`, `local int x`, `BEGIN_DECLS` on its own line. */
export function withoutMacros(text: string): string {
  const lines = withoutTestData(withoutDoubleLists(text)).split("\n");
  let inDirective = false;
  return lines
    .map((line, row) => {
      const isDirective = inDirective || /^\s*#/.test(line);
      inDirective = isDirective && line.endsWith("\\");
      if (isDirective) return line;
      return isMacroAlone(line, lines[row + 1] ?? "") ? blank(line) : withoutAttributes(line);
    })
    .join("\n");
}

function isMacroAlone(line: string, next: string): boolean {
  const alone = /^\s*[A-Z][A-Z0-9_]{2,}(\([^()]*\))?\s*(;?)\s*$/.exec(line);
  if (alone === null) return false;
  if (alone[2] === ";") return /\b(?:int|char|bool|float|double|long|unsigned|const)\b/.test(alone[1] ?? "");
  return !/^\s*(?:[{=+\-*/.,;:?)&|]|->)/.test(next);
}

/** Turns `int f OF((int a, int b));` into `int f (int a, int b);`. */
function withoutDoubleLists(text: string): string {
  let out = text;
  for (const found of text.matchAll(/[\w)]\s+([A-Z_][A-Z0-9_]*\s?)\(\(/g)) {
    const at = found.index + found[0].length - 2;
    const end = afterBracket(text, at);
    if (end - at > 2000 || text[end - 1] !== ")" || !/^\s*(?:;|[A-Z])/.test(text.slice(end + 1, end + 40)))
      continue;
    const name = at - (found[1]?.length ?? 0);
    out = `${out.slice(0, name)}${" ".repeat(at - name + 1)}${out.slice(at + 1, end)} ${out.slice(end + 1)}`;
  }
  return out;
}

/** Turns `TEST_XML(name, "<a/>") {` into `TEST_XML(name) {`, because a test's data is not a parameter. */
function withoutTestData(text: string): string {
  return text.replaceAll(
    /^([A-Z][A-Z0-9_]{2,}\(\w+)(,\s*"(?:[^"\\\n]|\\.)*"[^\n]*)(\)\s*\{)/gm,
    (_, head, data, tail) => {
      return `${head}${blank(data)}${tail}`;
    },
  );
}

const words = /[A-Za-z_]\w*/g;

/** Removes each macro on a declaration's line. */
function withoutAttributes(line: string): string {
  if (!/[A-Za-z_]\w*[ \t]+[A-Za-z_*&~]/.test(line)) return line;
  let out = line.replace(/(\)\s*(?:const\s*)?)([A-Z][A-Z0-9_]{2,})(?=\s*(?:[;{]|$))/, (_, before, name) => {
    return `${before}${blank(name)}`;
  });
  for (const found of line.matchAll(words)) {
    const [word] = found;
    if (keywords.has(word)) continue;
    const end = found.index + word.length;
    const rest = out.slice(end);
    const length = word.length + argumentsLength(rest);
    const after = /^[ \t]*(?:[*&]|[ \t]([A-Za-z_~]\w*)([ \t]*[*&<:]*[ \t]*[A-Za-z_~]?))/.exec(
      out.slice(found.index + length),
    );
    const before = out.slice(0, found.index);
    if (after === null || !standsForNothing(word, before, after[1], after[2] ?? "", line.slice(end)))
      continue;
    out = `${out.slice(0, found.index)}${" ".repeat(length)}${out.slice(found.index + length)}`;
  }
  return out;
}

/** The arguments after a macro's name, such as `("since 2")`. */
function argumentsLength(rest: string): number {
  return /^\([^()]*\)/.exec(rest)?.[0].length ?? 0;
}

/**
 * True for a word before a declaration that is not a type: two words or the name of a type follow it, or a type
 * precedes it.
 */
function standsForNothing(
  word: string,
  before: string,
  next: string | undefined,
  following: string,
  rest: string,
): boolean {
  if (/["'/]/.test(before)) return false;
  if (next !== undefined && builtinType.test(next) && /^\s*(?:\w+\s+)*$/.test(before)) return true;
  if (!macro.test(word)) return false;
  const previous = /(\w+|[*>&])\s*$/.exec(before)?.[1];
  if (next !== undefined && (previous === "class" || previous === "struct"))
    return /^\s*\w+\s*(?:[:{]|$)/.test(rest) || (previous === "class" && /^\s*\w+\s*;/.test(rest));
  const isType = previous !== undefined && (!keywords.has(previous) || builtinType.test(previous));
  if (isType && (next !== undefined || /\w/.test(previous))) return true;
  return next !== undefined && (/[A-Za-z_~]$/.test(following) || keywords.has(next));
}

/**
 * Keeps the first branch of each `#if`, and blanks the directives and the other branches. Blanks all branches of `#if
 * 0`. Also blanks `#pragma` and similar lines.
 */
export function firstBranches(text: string): string {
  let skipping = 0;
  const stack: number[] = [];
  return text
    .split("\n")
    .map((line) => {
      const directive =
        /^\s*#\s*(if|ifdef|ifndef|elif|else|elifdef|endif|region|endregion|pragma|nullable)\b/.exec(
          line,
        )?.[1];
      if (directive === undefined) return skipping > 0 ? blank(line) : line;
      if (directive.startsWith("if")) {
        stack.push(skipping);
        // The first branch of `#if 0` is never compiled.
        if (/^\s*#\s*if\s+0\b/.test(line)) skipping = 1;
      } else if (directive.startsWith("el")) skipping = 1;
      else if (directive === "endif") skipping = stack.pop() ?? 0;
      return blank(line);
    })
    .join("\n");
}
