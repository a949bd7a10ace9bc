/** Finds functions that no longer check that a path stays in its folder. Works on the text. Pure. */
import { literally } from "../../../base/literal-pattern.ts";
import { type Functions, helpersOf, type Unit } from "./shown-code.ts";

/** Calls that resolve a path. `Promise.resolve`, `unicodedata.normalize` and `name.normalize("NFC")` do not. */
const resolves = String.raw`\b(?:realpath|realpathSync|(?<!\bPromise\.)resolve|normpath|abspath|(?<!\bunicodedata\.)normalize(?!\(\s{2,}\))|filepath\.Abs|Clean|EvalSymlinks|canonicalize|toRealPath|expand_path|getCanonicalPath)\b`;
const resolving = new RegExp(resolves);
const assigned = new RegExp(
  String.raw`(\$?\w+)(?:\s*,\s*\w+)?[^\S\n]*(?::\s*[\w.]+\s*)?:?=(?!=)[^;=]{0,200}?${resolves}`,
  "g",
);
const contains =
  /\b(?:startswith|startsWith|starts_with|start_with\?|HasPrefix|is_relative_to|relative_to|commonpath|strncmp|str_starts_with|strpos|IsLocal)(?![\w$])/;
const refuses = /\b(?:raise|throw|panic|abort|return|Err)\b/;
/** Functions that refuse a path outside its folder. */
const refusing = /safe_?(?:join|path)|send_from_directory|secure_?filename|\bOpen(?:In)?Root\b|\bos\.Root\b/i;
const ofPaths = /path|dir|folder|root|file/i;
const aboutFolders = /\btraversal\b|\boutside\b|\bcontain|\bsym-?links?\b|\bescap|\babsolute path/i;

/**
 * True if the code may refuse a path, and one of its lines compares a resolved path with a folder. The line contains
 * the resolving call, or a variable with its result.
 */
function isContained(code: string): boolean {
  if (!ofPaths.test(code) || !refuses.test(code)) return false;
  const names = [...code.matchAll(assigned)].map(([, name = ""]) => literally(name));
  const resolved = new RegExp(
    [resolves, ...names.map((name) => String.raw`(?<![\w$])${name}(?![\w$])`)].join("|"),
  );
  return code.split("\n").some((line) => contains.test(line) && resolved.test(line));
}

/** Returns the functions that no longer check that a path stays in its folder. */
export function findLostContainment(
  units: readonly Unit[],
  functions: Functions,
  change: { readonly is: string; readonly was: string },
  subjects: string,
): Unit[] {
  if (aboutFolders.test(subjects)) return [];
  const count = (text: string): number => [...text.matchAll(new RegExp(contains.source, "g"))].length;
  if (count(change.is) >= count(change.was)) return [];
  return units.filter((unit) => {
    if (unit.name === "" || !isContained(unit.was.code)) return false;
    const own = [unit.is, ...helpersOf(functions, unit)];
    return !own.some(({ code }) => [contains, resolving, refusing].some((form) => form.test(code)));
  });
}
