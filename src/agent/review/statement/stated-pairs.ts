/**
 * Finds phrases of a statement that name several functions together ("by `withdraw` and by `transfer` alike"). Such a
 * phrase asks for each of the functions.
 */
import { isOwnSource } from "../../../languages/source-files.ts";
import { readCode } from "../../state/assertion-text.ts";
import type { BaseFiles } from "../texts/base-files.ts";
import type { OwnTest } from "../texts/own-tests.ts";
import type { StatedPart } from "./stated-parts.ts";

const name = /(?:by\s+|in\s+|with\s+|for\s+)?`([^`\n]{2,80})`/.source;
const both = new RegExp(
  [
    `\\bboth\\s+(?:of\\s+)?${name}\\s+and\\s+${name}`,
    `${name}\\s+and\\s+${name}\\s*,?\\s+(?:alike|both|as well|too|each)\\b`,
    `${name}\\s*,?\\s+as well as\\s+${name}`,
    `\\bneither\\s+${name}\\s+nor\\s+${name}`,
  ].join("|"),
  "giu",
);
const isName = /^[\p{L}_$][\p{L}\p{N}_$.:]*(?:\([^)\n]*\))?$/u;

/** Maximum number of the base's files to search for their definitions. */
const mostSearched = 1_000;

/**
 * Finds two functions of the base that the statement mentions together, if the tests name only one of them; undefined
 * if there are none. `leftOut`: the other function.
 */
export async function findLeftOut(
  statement: string,
  tests: readonly OwnTest[],
  base: BaseFiles,
): Promise<{ readonly asked: string; readonly leftOut: string } | undefined> {
  const text = tests.map(({ body, around }) => `${around}\n${body}`).join("\n");
  for (const [, ...found] of withSingleBlanks(statement).matchAll(both)) {
    const names = found.filter((each) => each !== undefined && isName.test(each));
    const asked = names.find((each) => holds(text, each));
    const leftOut = names.find((each) => !holds(text, each));
    if (names.length !== 2 || asked === undefined || leftOut === undefined) continue;
    if (await areDefined(names, base)) return { asked, leftOut };
  }
  return undefined;
}

const listed = /(?<!\bbetween\s)`[^`\n]{2,80}`(?:\s*,\s*`[^`\n]{2,80}`)*\s*,?\s+and\s+`[^`\n]{2,80}`/giu;

/**
 * Lists the functions that the tests do not call, although the statement names them together with called ones. Takes
 * the first such list. Reads functions of the base, and calls of them. The result is uncertain if the title names only
 * functions that the tests call. Example: "`get` loses the sign", and later "due to the symmetry of `put` and `get`".
 */
export async function listLeftOut(
  statement: string,
  tests: readonly OwnTest[],
  base: BaseFiles,
): Promise<StatedPart[]> {
  const text = tests.map(({ body, around }) => `${around}\n${body}`).join("\n");
  const { values } = readCode(text);
  const [title = ""] = statement.trimStart().split("\n", 1);
  for (const [all] of withSingleBlanks(statement).matchAll(listed)) {
    const names = [...all.matchAll(/`([^`]+)`/g)].map(([, each = ""]) => each);
    if (!names.every((each) => isName.test(each))) continue;
    const given = (each: string): readonly string[] => readCode(each.replace(/^[^(]*/, "")).values;
    const isAsked = (each: string): boolean =>
      holds(text, each) && (given(each).length === 0 || given(each).some((value) => values.includes(value)));
    const left = names.filter((each) => !isAsked(each));
    if (left.length === 0 || left.length === names.length || !(await areDefined(names, base))) continue;
    const isCertain = left.some((each) => holds(title, each)) || !names.some((each) => holds(title, each));
    return left.map((each) => ({ text: `\`${each}\``, isCertain }));
  }
  return [];
}

/** Reduces blanks to single ones, because the patterns need quadratic time for long runs of blanks. */
function withSingleBlanks(text: string): string {
  return text.replaceAll(/\s+/g, (run) => (run.includes("\n") ? "\n" : " "));
}

/** True if the project defines all these names. It does not define `True`, `GET` and `bytes`. */
async function areDefined(names: readonly string[], base: BaseFiles): Promise<boolean> {
  const left = new Set(names.map(lastOf));
  for (const path of (await base.list()).filter(isOwnSource).slice(0, mostSearched)) {
    const text = left.size === 0 ? undefined : await base.read(path);
    if (text === undefined) continue;
    for (const name of left) if (defines(text, name)) left.delete(name);
  }
  return left.size === 0;
}

function defines(text: string, name: string): boolean {
  const own = name.replaceAll("$", String.raw`\$`);
  return new RegExp(
    `\\b(?:def|function\\*?|func|fn)\\s+(?:\\([^)\\n]*\\)\\s*)?${own}\\b|(?<![\\w$.])${own}\\s*\\([^()\\n]*\\)[^;\\n]{0,60}\\{\\s*$|(?<![\\w$.])${own}\\s*=\\s*(?:async\\s*)?(?:function\\b|\\(?[\\w$, ]*\\)?\\s*=>)`,
    "m",
  ).test(text);
}

function lastOf(name: string): string {
  return name.replace(/\(.*$/, "").split(/\.|::/).at(-1) ?? "";
}

function holds(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w$])${lastOf(name).replaceAll("$", String.raw`\$`)}(?![\\w$])`).test(text);
}
