/**
 * Finds new or changed checks that accept a part of the hostile input. Examples are folders compared as texts, tokens
 * compared with their own beginning, and values between a query's quotes. Works on the text. Pure.
 */
import { literally } from "../../../base/literal-pattern.ts";
import { argumentsAt } from "../../state/assertion-text.ts";
import { type Careless, type Changed, type Compared, indentOf } from "./careless-form.ts";
import { findQuotedValues } from "./quoted-values.ts";

/**
 * The languages in which these calls compare paths as texts. In Java and Rust, calls of these names compare whole parts
 * of a path.
 */
const textPaths = /^(?:python|javascript|typescript|tsx|jsx|go|ruby|php)$/;
/**
 * Calls that resolve a path. The names in `resolvesPath` take only paths. The others in `resolves` also take other
 * values.
 */
const resolvesPath =
  /\b(?:realpath(?:Sync)?|normpath|abspath|EvalSymlinks|expand_path|getCanonicalPath)\b|\b(?:path|filepath)(?:\.\w+)?\.(?:resolve|normalize|Abs|Clean)\b|\bPath\([^\n]*\)\.resolve\b/;
const resolves = new RegExp(
  String.raw`(?:${resolvesPath.source}|\b(?:(?<!\bPromise\.)resolve|Abs|Clean)\b|(?<![\w$.:>])normalize\(\s*[\w$])`,
);
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

const aboutFolders =
  /\btraversal\b|\boutside\b|\bescap|\babsolute path|\bwithin\b|\bparent (?:folder|director)/i;

type Line = ReturnType<typeof linesIn>[number];

/** Code that refuses an input: errors, empty results, and answers such as 403. */
const refusal =
  /\b(?:raise|throw|panic|abort|die|assert|bail|Err\w*|err[A-Z]\w*)\b|\b(?:errors\.New|fmt\.Errorf)\b|\b(?:return|else)\s*\(?\s*(?:None|null|nil|false|False|undefined)\b|[?:]\s*(?:null|false|undefined)\b|\b40[034]\b|\b(?:forbid|deny|reject)\w*/i;
const compares =
  /\b(?:startswith|startsWith|start_with\?|starts_with|HasPrefix|str_starts_with|strpos)\b|\bin\b/;

/**
 * Returns true if the check on this line refuses bad input. The refusal is in the check's body, or after the body if
 * the body handles good input. `isBad`: true if the check (without a `not`) holds for bad input.
 */
function refusesAt(lines: readonly Line[], index: number, isBad: boolean): boolean {
  const own = lines[index]?.code ?? "";
  const isResult = /\breturn\b/.test(own) && !/\bif\b|\?[^.?]/.test(own) && compares.test(own);
  if (isResult) return true;
  const rest = lines.slice(index + 1).map(({ code }) => code);
  const end = rest.findIndex((line) => line.trim() !== "" && indentOf(line) <= indentOf(own));
  const size = end === -1 ? rest.length : end;
  const isNegated = /\bnot\b|!(?!=)|\bunless\b|={2,3}\s*(?:false|False)\b|!==?\s*0\b/.test(own);
  const body = size === 0 ? rest.slice(0, 3) : rest.slice(0, size);
  const answer = isNegated === isBad ? rest.slice(size) : body;
  return [own, ...answer].some((line) => refusal.test(line));
}

/** Finds checks such as `startswith(root)`, which is also true for the neighbour `root-old`. */
function findTextPrefixes(change: Changed): Careless[] {
  if (!textPaths.test(change.code.language)) return [];
  return change.compared.flatMap((each): Careless[] => {
    const { is, was, own } = each;
    if (prefixed.test(was) || byParts.test(is) || !resolves.test(is)) return [];
    const lines = linesIn(change, each);
    const isWhole = lines.some(
      ({ code, strings }) => separator.test(code) || strings.some((text) => /[/\\]$/.test(text)),
    );
    if (isWhole) return [];
    const index = lines.findIndex(({ code, line }) => {
      const found = change.added.has(line) ? prefixed.exec(code) : null;
      const folder = (found?.[1] ?? found?.[2] ?? "").trim();
      if (!/^[\w$@]/.test(folder) || /["'`+]/.test(folder)) return false;
      const names = [...code.matchAll(/[\w$]+/g)].map(([name]) => name);
      const isResolved = (name: string): boolean =>
        new RegExp(String.raw`(?<![\w$.])${literally(name)}\s*:?=(?!=)[^\n]*${resolves.source}`).test(is);
      return resolves.test(code) || names.some(isResolved);
    });
    const at = lines[index];
    const refuses = refusesAt(lines, index, false);
    const isAbout = aboutFolders.test(`${change.subjects}\n${own.documentation}`);
    if (at === undefined || (!refuses && !isAbout)) return [];
    const text =
      "compares folders as text, so a neighbour with a longer name (`/data-old` for `/data`) counts as inside the folder";
    return [{ line: at.line, text, isDoubt: !refuses || (!isAbout && !resolvesPath.test(is)) }];
  });
}

const absolute =
  /\bis_?abs(?:olute)?\b|\bisAbs(?:olute)?\b|\bIsAbs\b|\bis_absolute\b|\bdrive\b|\banchor\b|\bsplitroot\b|\bsecure_filename\b/;

/** Finds checks that refuse only `..`. Absolute paths, and often `sub/../../name`, still pass. */
function findDotsOnly(change: Changed): Careless[] {
  const { code, subjects } = change;
  const whole = code.lines.map((line) => line.code).join("\n");
  if (resolves.test(whole) || byParts.test(whole)) return [];
  return change.compared.flatMap((each): Careless[] => {
    const { own } = each;
    if (!aboutFolders.test(`${subjects}\n${own.documentation}`)) return [];
    const lines = linesIn(change, each);
    if (
      lines.some(
        ({ code: line, strings }) => absolute.test(line) || strings.some((text) => /^(?:[/\\]|~)/.test(text)),
      )
    )
      return [];
    const index = lines.findIndex(({ code: line, line: number, strings }) => {
      if (!change.added.has(number) || !strings.some((text) => /^\.\.[/\\]?$/.test(text))) return false;
      const atStart = /\b(?:startswith|startsWith|start_with\?|HasPrefix|str_starts_with|starts_with)\b/.test(
        line,
      );
      // Python's `folder / name` takes an absolute name as it is.
      const anywhere =
        code.language === "python" && /\bin\b/.test(line) && /^\s*(?:if|elif|return|assert)\b/.test(line);
      return atStart || anywhere;
    });
    const at = lines[index];
    return at === undefined || !refusesAt(lines, index, true)
      ? []
      : [{ line: at.line, text: "refuses only `..` in a path, so other paths still leave the folder" }];
  });
}

const constantTime =
  /\b(?:compare_digest|timingSafeEqual|hash_equals|ConstantTimeCompare|hmac\.Equal|secure_compare|MessageDigest\.isEqual|constant_time_eq|ct_eq)\b/;
/** A cut to the length of the other side. */
const cut =
  /\[\s*:\s*len\(|\bslice\(\s*0\s*,\s*[\w$.]+\.(?:byte)?[lL]ength|\bsub(?:array|string)\(\s*0\s*,\s*[\w$.]+\.(?:byteLength|length)|\bsubstr\([^,]+,\s*0\s*,\s*strlen\(|\[\s*0?\s*,\s*[\w@.]+\.(?:length|bytesize|size)\s*\]|\bcopyOf\([^,]+,\s*[\w.]+\.length|\[\s*\.\.\s*[\w.]+\.len\(\)\s*\]/;

/** The name in `len(given)`, `given.length`. */
const cutLength =
  /(?:\blen|\bstrlen)\(\s*\$?([\w.]+)|([\w$@.]+?)\.(?:byteLength|length|bytesize|size|len\(\))/;

/** Returns the arguments of constant-time comparisons, and the receiver of `ct_eq`. */
function constantTimeArguments(is: string): string {
  const calls = [...is.matchAll(new RegExp(String.raw`(\S+\.)?${constantTime.source}\s*\(`, "g"))];
  const opens = calls.map(({ 0: call, index }) => index + call.length - 1);
  const receivers = calls.flatMap(([call, receiver]) =>
    receiver !== undefined && /ct_eq\s*\($/.test(call) ? [receiver] : [],
  );
  return [...receivers, ...argumentsAt(is, opens).flat()].join(" , ");
}

/**
 * `compare_digest(expected[: len(given)], given)`: an empty token equals every token. A cut to another length, such as
 * `header[: len(PREFIX)] == PREFIX`, is not a finding.
 */
function findCutTokens(change: Changed): Careless[] {
  return change.compared.flatMap(({ own, is, was, added }): Careless[] => {
    if (!constantTime.test(was) || cut.test(was)) return [];
    const compared = constantTimeArguments(is);
    const lengths = new RegExp(cutLength.source, "g");
    const operands = new Set(compared.replaceAll(lengths, " ").match(/[\w$@.]+/g));
    const isPart = (line: string): boolean => {
      const found = cut.exec(line);
      if (found === null) return false;
      const rest = line.slice(found.index);
      const [, ofCall, ofField] = cutLength.exec(rest) ?? [];
      const [, kept = ""] = /([\w$@]+)\s*(?::[^=]*)?=(?!=)/.exec(line) ?? [];
      const isChecked = /^[^,;]*[\])]\s*[!=]==?/.test(rest);
      return (
        (cut.test(compared) && constantTime.test(line)) ||
        compared.includes(line.trim().replace(/,$/, "")) ||
        operands.has(ofCall ?? ofField ?? "") ||
        (operands.has(kept) && !isChecked)
      );
    };
    const isPlain = !constantTime.test(is) && /(?<![=!<>])={2,3}(?!=)|\bzip\(/.test(is);
    const at = added.find(({ code }) => cut.test(code) && (isPlain || isPart(code)));
    return at === undefined
      ? []
      : [
          {
            line: at.line,
            text: `compares only a part of the secret in \`${own.name}\`, and the input decides how long this part is`,
          },
        ];
  });
}

export const weakChecks: readonly ((change: Changed) => Careless[])[] = [
  findTextPrefixes,
  findDotsOnly,
  findCutTokens,
  findQuotedValues,
];
