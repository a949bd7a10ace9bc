/**
 * Finds requested functions that compute nothing. Each result is a literal, and the code chooses among literals by
 * equality, length or a table. `return 18` and `{(3, 7): 18}.get(tuple(weights), 0)` fit one example and no other
 * input. Works on tokens; pure except for the parser.
 */
import { callableKinds } from "../../../domain/code-symbols.ts";
import { type CodeToken, readCodeTokens } from "../../../syntax/code-tokens.ts";
import { addedLines, type ChangedFile } from "../../code/change.ts";
import { symbolsOf } from "../../code/symbols-of.ts";
import { listAskedNames } from "../statement/stated-names.ts";

export interface Stub {
  readonly name: string;
  readonly file: string;
  /** True if the function does not use its input at all. */
  readonly isConstant: boolean;
}

const isCallable: ReadonlySet<string> = new Set(callableKinds);
/** Maximum rows of a stub's table. A larger table may be data that the statement left to the author. */
const mostRows = 3;
const constantAsked =
  /\b(?:always|constant|regardless|whatever|no-?op|placeholder|stub|ignor\w+|(?:for|on|with|given) (?:any|every|each|all))\b/i;

/** Finds the first function that the statement asks for and the patch adds as a stub; undefined if none. */
export async function findStub(files: readonly ChangedFile[], statement: string): Promise<Stub | undefined> {
  const asked = new Set(listAskedNames(statement));
  for (const file of files) {
    const { path, after, isTest } = file;
    if (isTest || after === undefined || asked.size === 0) continue;
    const added = new Set(addedLines(file));
    const own = ((await symbolsOf(path, after))?.definitions ?? []).filter(
      ({ kind, name, startLine }) => isCallable.has(kind) && asked.has(name) && added.has(startLine),
    );
    if (own.length === 0) continue;
    const tokens = await readCodeTokens(path, after);
    for (const { name, startLine, endLine } of own) {
      const within = tokens.filter(({ line }) => startLine <= line && line <= endLine);
      const isConstant = readStub(within, name, statement);
      if (isConstant !== undefined) return { name, file: path, isConstant };
    }
  }
  return undefined;
}

/** True if the stub ignores its input; undefined if the function is not a stub. */
function readStub(tokens: readonly CodeToken[], name: string, statement: string): boolean | undefined {
  const open = tokens.findIndex(({ text }, at) => text === "(" && isNameBefore(tokens, at, name));
  const close = closing(tokens, open);
  if (open === -1 || close === -1) return undefined;
  const parameters = new Set(
    tokens
      .slice(open + 1, close)
      .map(({ text }) => text)
      .filter((text) => isName(text) && !receivers.has(text) && !plain.has(text.toLowerCase())),
  );
  const body = tokens.slice(close + 1).filter(({ isHead }) => !isHead);
  const texts = body.map(({ text }) => text);
  const known = new Set([...parameters, ...texts.filter((_, at) => isDeclared(texts, at))]);
  if (parameters.size === 0 || texts.some((text) => computes(text, known))) return undefined;
  const results = texts.filter((text, at) => isLiteral(text) && isResult(texts, at));
  if (results.length === 0 || results.length > mostRows) return undefined;
  const uses = texts.flatMap((text, at) => (parameters.has(text) ? [at] : []));
  if (uses.length === 0) return constantAsked.test(statement) ? undefined : true;
  const isNamed = (text: string): boolean => statement.includes(text.replaceAll(/["'`]/g, ""));
  const keys = texts.filter((text, at) => isString(text) && !isResult(texts, at));
  const isVocabulary = keys.length > 1 && [...keys, ...results].every(isNamed);
  return isVocabulary || !uses.every((at) => isQuestion(texts, at)) ? undefined : false;
}

/** True if the name precedes the token, also in `total<T>(weights)` and `total = function (weights)`. */
function isNameBefore(tokens: readonly CodeToken[], at: number, name: string): boolean {
  return tokens.slice(Math.max(0, at - 5), at).some(({ text }) => text === name);
}

function closing(tokens: readonly CodeToken[], open: number): number {
  let depth = 0;
  for (let at = open; at >= 0 && at < tokens.length; at += 1) {
    if (tokens[at]?.text === "(") depth += 1;
    if (tokens[at]?.text === ")" && --depth === 0) return at;
  }
  return -1;
}

const receivers = new Set(["self", "cls", "this"]);
/** Words of code that measures, looks up or compares, and words of the syntax. */
const plain = new Set(
  (
    "return if else elif elsif unless then end do match case when switch default in is and or not let const var final fn func function def " +
    "len length size count tuple list array join implode get fetch getordefault equals equal eql is_some unwrap_or get_or str string " +
    "tostring to_s as_slice iter map of java util arrays none null nil undefined true false int integer u8 u16 u32 u64 i32 i64 usize " +
    "isize long double float bool boolean number object public private static pub mut self record"
  ).split(" "),
);
const isName = (text: string): boolean => /^[$@]?[\p{L}_][\p{L}\p{N}_]*$/u.test(text);
const isString = (text: string): boolean => /^[a-zA-Z]{0,2}["'`]/.test(text);
const isLiteral = (text: string): boolean => /^-?\d/.test(text) || isString(text);
const operators = /^(?:[-+*/%<>&|^~]|<<|>>|<=|>=|\*\*|\/\/|[-+*/%|&]=|\.\.+)$/;

/** True for the declaration of a variable of the function. */
function isDeclared(texts: readonly string[], at: number): boolean {
  return /^(?:const|let|var|val)$/.test(texts[at - 1] ?? "") || texts[at + 1] === ":=";
}

function computes(text: string, known: ReadonlySet<string>): boolean {
  if (isString(text)) return /\$\{|#\{|^[fF]["'].*\{/.test(text);
  if (isName(text)) return !known.has(text) && !plain.has(text.toLowerCase());
  return operators.test(text);
}

const comparing = /^(?:===?|!==?|eq)$/;

/** True for a literal that the function returns, or that is the value of a branch or row. */
function isResult(texts: readonly string[], at: number): boolean {
  const [before = "", after = ""] = [texts[at - 1], texts[at + 1]];
  if (comparing.test(before) || comparing.test(after) || after === ":" || after === "=>") return false;
  return /^(?:return|\?|:|=>|->|else|then|\{|\)|do|;|,|\?\?|\|\||end)$/.test(before) || at === 0
    ? before !== "," || /^[)}\]]$/.test(after)
    : after === "if";
}

/** True if the code at this place only compares the parameter, measures its length or uses it as a key. */
function isQuestion(texts: readonly string[], at: number): boolean {
  const before = texts.slice(0, at);
  const after = texts.slice(at + 1, at + 8).join(" ");
  if (/^(?:\. \w+ (?:\( \) )?|\[ -?\w+ \] |\) )*(?:===?|!==?)(?: |$)/.test(`${after} `)) return true;
  if (comparing.test(before.at(-1) ?? "")) return true;
  if (/^(?:match|switch|case|when)$/.test(before.at(-1) ?? "")) return true;
  if (/^(?:match|switch|case)$/.test(before.at(-2) ?? "") && before.at(-1) === "(") return true;
  const callee =
    before.at(-1) === "(" || before.at(-1) === "," ? (before.findLast((text) => isName(text)) ?? "") : "";
  if (/^(?:len|size|count|tuple|implode|join|get|fetch|getOrDefault|equals|str|String)$/.test(callee))
    return true;
  // A table's key: `{ "3,7": 18 }[weights.join()]`.
  const table = before.at(-2) ?? "";
  return (
    before.at(-1) === "[" &&
    (/^[\]})]$/.test(table) || texts.some((text, i) => text === table && isDeclared(texts, i)))
  );
}
