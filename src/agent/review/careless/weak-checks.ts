/**
 * Finds checks of hostile input that a patch adds or changes and that let a part of it through: a folder compared as a
 * text, a token compared with its own beginning, a value between the quotes of a query. Works on the text. Pure.
 */
import { literally } from "../../../base/literal-pattern.ts";
import { linesOf } from "../../code/change.ts";
import { type Careless, type Changed, type Compared, formerOf } from "./careless-form.ts";

/** The languages whose paths are texts here. Java's and Rust's methods of this name compare whole parts of a path. */
const textPaths = /^(?:python|javascript|typescript|tsx|jsx|go|ruby|php)$/;
const resolves =
  /\b(?:realpath(?:Sync)?|(?<!\bPromise\.)resolve|normpath|abspath|(?<!\bunicodedata\.)normalize|Abs|Clean|EvalSymlinks|expand_path|getCanonicalPath)\b/;
const refuses = /\b(?:raise|throw|panic|abort|return|Err)\b/;
/** Checks that compare whole parts of a path. */
const byParts =
  /\b(?:is_relative_to|relative_to|commonpath|relative|IsLocal|Rel|relative_path_from|each_filename)\b/;
/** The folder in `startswith(FOLDER)`, `HasPrefix(path, FOLDER)`, `strpos($path, $folder)`. */
const prefixed =
  /\b(?:startswith|startsWith|start_with\?)\(\s*((?:[^()]|\([^()]*(?:\([^()]*\)[^()]*)*\))*)\)|\b(?:HasPrefix|str_starts_with|strpos)\([^,]+,\s*((?:[^()]|\([^()]*\))*)\)/;
const separator = /\bsep(?:arator)?\b|\bSeparator\b|\bPathSeparator\b|\bDIRECTORY_SEPARATOR\b|\bSEPARATOR\b/;

/** The function's lines in the new file, each with its code and strings. */
const linesIn = ({ code }: Changed, { own }: Compared) =>
  code.lines
    .slice(own.startLine - 1, own.endLine)
    .map((line, index) => ({ ...line, line: own.startLine + index }));

/** `startswith(root)` is also true for the neighbour `root-old`. */
function findTextPrefixes(change: Changed): Careless[] {
  if (!textPaths.test(change.code.language)) return [];
  return change.compared.flatMap((each): Careless[] => {
    const { is, was } = each;
    if (prefixed.test(was) || byParts.test(is) || !resolves.test(is) || !refuses.test(is)) return [];
    const lines = linesIn(change, each);
    const isWhole = lines.some(
      ({ code, strings }) => separator.test(code) || strings.some((text) => /[/\\]$/.test(text)),
    );
    if (isWhole) return [];
    const at = lines.find(({ code, line }) => {
      const found = change.added.has(line) ? prefixed.exec(code) : null;
      const folder = (found?.[1] ?? found?.[2] ?? "").trim();
      if (!/^[\w$@]/.test(folder) || /["'`+]/.test(folder)) return false;
      const names = [...code.matchAll(/[\w$]+/g)].map(([name]) => name);
      const isResolved = (name: string): boolean =>
        new RegExp(String.raw`(?<![\w$.])${literally(name)}\s*:?=(?!=)[^\n]*${resolves.source}`).test(is);
      return resolves.test(code) || names.some(isResolved);
    });
    return at === undefined
      ? []
      : [
          {
            line: at.line,
            text: "compares a folder as a text, so its neighbours with a longer name count as within it",
          },
        ];
  });
}

const aboutFolders =
  /\btraversal\b|\boutside\b|\bescap|\babsolute path|\bwithin\b|\bparent (?:folder|director)/i;
const absolute =
  /\bis_?abs(?:olute)?\b|\bisAbs(?:olute)?\b|\bIsAbs\b|\bis_absolute\b|\bdrive\b|\banchor\b|\bsplitroot\b|\bsecure_filename\b/;

/** A refusal of `..` only: `sub/../../name` has it later, and an absolute path has none. */
function findDotsOnly(change: Changed): Careless[] {
  const { code, subjects } = change;
  const whole = code.lines.map((line) => line.code).join("\n");
  if (resolves.test(whole) || byParts.test(whole)) return [];
  return change.compared.flatMap((each): Careless[] => {
    const { own, is } = each;
    if (
      !aboutFolders.test(`${subjects}\n${own.documentation}`) ||
      !/\b(?:raise|throw|panic|Err)\b|\breturn\b/.test(is)
    )
      return [];
    const lines = linesIn(change, each);
    if (
      lines.some(
        ({ code: line, strings }) => absolute.test(line) || strings.some((text) => /^(?:[/\\]|~)/.test(text)),
      )
    )
      return [];
    const at = lines.find(({ code: line, line: number, strings }) => {
      if (!change.added.has(number) || !strings.some((text) => /^\.\.[/\\]?$/.test(text))) return false;
      const atStart = /\b(?:startswith|startsWith|start_with\?|HasPrefix|str_starts_with|starts_with)\b/.test(
        line,
      );
      // Python's `folder / name` takes an absolute name as it is.
      const anywhere =
        code.language === "python" && /\bin\b/.test(line) && /^\s*(?:if|elif|return|assert)\b/.test(line);
      return atStart || anywhere;
    });
    return at === undefined
      ? []
      : [{ line: at.line, text: "refuses only `..` in a path, so other paths still leave the folder" }];
  });
}

const constantTime =
  /\b(?:compare_digest|timingSafeEqual|hash_equals|ConstantTimeCompare|hmac\.Equal|secure_compare|MessageDigest\.isEqual|constant_time_eq|ct_eq)\b/;
/** A cut by the other side's length. */
const cut =
  /\[\s*:\s*len\(|\bslice\(\s*0\s*,\s*[\w$.]+\.(?:byte)?[lL]ength|\bsub(?:array|string)\(\s*0\s*,\s*[\w$.]+\.(?:byteLength|length)|\bsubstr\([^,]+,\s*0\s*,\s*strlen\(|\[\s*0?\s*,\s*[\w@.]+\.(?:length|bytesize|size)\s*\]|\bcopyOf\([^,]+,\s*[\w.]+\.length|\[\s*\.\.\s*[\w.]+\.len\(\)\s*\]/;

/** `compare_digest(expected[: len(given)], given)`: an empty token is equal to every other one. */
function findCutTokens(change: Changed): Careless[] {
  return change.compared.flatMap(({ own, is, was, added }): Careless[] => {
    if (!constantTime.test(was) || cut.test(was)) return [];
    const at = added.find(({ code }) => cut.test(code));
    const compares = constantTime.test(is) || /(?<![=!<>])={2,3}(?!=)|\bzip\(/.test(is);
    return at === undefined || !compares
      ? []
      : [
          {
            line: at.line,
            text: `compares only a part of the secret in \`${own.name}\`, whose length the input decides`,
          },
        ];
  });
}

const marks = String.raw`(?:\?|%s|%\(\w+\)s|\$\d|:[a-z]\w*)`;
/** `name = ?`, `name IN (?, ?)` */
const bound = new RegExp(String.raw`(?:=|<|>|\bIN\b|\bLIKE\b|\bBETWEEN\b)\s*\(?\s*${marks}`, "i");
/** A value, or a list of values, between quotes: `= '{name}'`, `IN ('${"${names}"}')`, `LIKE '" + name`. */
const quoted = /(?:[^=!<>]=|[<>]|\bIN\b|\bLIKE\b)\s*\(?\s*\\?['"]%?(?:\{\w|\$\{|#\{|["'`]\s*[+.]\s*[\w$])/i;
const listed = /\bIN\s*\(\s*(?:\$\{|#\{|\{)\s*([^}]*)\}\s*\)/i;
const runs =
  /\b(?:execute\w*|executemany|query\w*|Query\w*|Exec\w*|prepare\w*|Prepare\w*|raw|all|get|run)\s*\(/;

/** The list's text consists of marks such as `?`. */
function isMarks(hole: string, lines: readonly string[]): boolean {
  const mark = /["'`](?:\?|%s|\$)|\$\$\{|\$\{/;
  if (mark.test(hole)) return true;
  const [name = ""] = /[\w$]+/.exec(hole) ?? [];
  const assigned = new RegExp(String.raw`(?<![\w$.])${literally(name)}\s*(?:\+|:)?=(?!=)`);
  return !lines.some((line) => assigned.test(line) && /["'`]|\bjoin\b/.test(line) && !mark.test(line));
}

/** `f"{column} IN ('{values}')"` in a function whose conditions have placeholders for such values. */
function findQuotedValues(change: Changed): Careless[] {
  const { code, before, compared } = change;
  const [now, old] = [linesOf(code.source.tree.text), linesOf(before?.source.tree.text ?? "")];
  return compared.flatMap(({ own, added }): Careless[] => {
    const former = formerOf(before, own);
    if (former === undefined) return [];
    const was = old.slice(former.startLine - 1, former.endLine);
    const is = now.slice(own.startLine - 1, own.endLine);
    const isQuery =
      was.some((line) => bound.test(line)) &&
      (was.some((line) => runs.test(line)) || /\b(?:SELECT|WHERE|UPDATE|DELETE)\b/.test(was.join("\n")));
    if (!isQuery || was.some((line) => quoted.test(line))) return [];
    const at = added.find(({ line }) => {
      const text = now[line - 1] ?? "";
      if (!/["'`]/.test(text)) return false;
      const [, hole] = listed.exec(text) ?? [];
      return (
        (/\b(?:IN|LIKE)\b|\bWHERE\b|\bAND\b|\{\w+\}\s*=/i.test(text) && quoted.test(text)) ||
        (hole !== undefined && !isMarks(hole, is))
      );
    });
    return at === undefined ? [] : [{ line: at.line, text: "puts a value into the text of a query" }];
  });
}

export const weakChecks: readonly ((change: Changed) => Careless[])[] = [
  findTextPrefixes,
  findDotsOnly,
  findCutTokens,
  findQuotedValues,
];
