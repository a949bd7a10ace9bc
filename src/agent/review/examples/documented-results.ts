/**
 * Compares new tests with the results that the code's documentation or the statement gives: `>>> fee(7)` followed by
 * 15, `fee(7) // => 15`, `assert_eq!(fee(7), 15)`. If a new test expects another result from the same call, it records
 * a fault as correct.
 */
import { basename } from "node:path";
import { isOwnSource } from "../../../languages/source-files.ts";
import { readSource } from "../../code/change.ts";
import { readCode } from "../../state/assertion-text.ts";
import { listDocumentation } from "../statement/named-values.ts";
import { readStatedResults } from "../statement/stated-results.ts";
import { type BaseFiles, mostSearched } from "../texts/base-files.ts";
import type { OwnTest } from "../texts/own-tests.ts";

interface ShownResult {
  /** `shipping` in `shipping.fee(7)`; "" if nothing precedes the name. */
  readonly of: string;
  readonly name: string;
  readonly given: string;
  readonly value: string;
}

export interface Contradiction {
  readonly test: OwnTest;
  /** The call's text, such as `fee(7)`. */
  readonly call: string;
  readonly asked: string;
  readonly shown: string;
}

const literal = String.raw`(?:-?\d+(?:\.\d+)?|"[^"\n]*"|'[^'\n]*'|[Tt]rue|[Ff]alse|None|null|nil)`;
/** Matches literals only, because the result for a variable depends on its value. */
const given = String.raw`(?:${literal}|(?:&(?:mut )?|vec!|\[\]\w+|new \w+\[\] ?)?[\[({](?:\s*${literal}\s*,?)*\s*[\])}])`;
const call = String.raw`(?<![\p{L}\p{N}_$)\].])(?:[\p{Ll}_][\p{L}\p{N}_]*::)*(?:(?<of>[\p{L}_$][\p{L}\p{N}_$]*)\.)?(?<name>[\p{L}_$][\p{L}\p{N}_$]*)\((?<given>\s*${given}(?:\s*,\s*${given})*)\s*\)`;
const value = String.raw`(?<value>${literal})(?![\w.(\[]*\w|\s*[-+*/%]\s*\w)`;
const shownForms = [
  String.raw`>>>\s*${call}[ \t]*\n[ \t]*${value}[ \t]*$`,
  String.raw`${call}[\x60}]?\s*(?:===?|->|→|=>|//\s*(?:=>|->)?|#\s*(?:=>|->)?|returns|gives|yields|evaluates to|is)\s*\x60?${value}`,
  String.raw`assert_eq!\(\s*${call}\s*,\s*${value}\s*\)`,
];
const askedForms = [
  String.raw`(?<!!\s*\(?)${call}\s*(?:===?|\)\s*\.\s*(?:toBe|toEqual|toStrictEqual|isEqualTo|to\.(?:equal|eql|be))\s*\(|,)\s*${value}`,
  String.raw`(?<value>${literal})\s*(?:===?|,)\s*${call}`,
  String.raw`\bassert_eq!\(\s*${call}\s*,\s*${value}\s*[,)]`,
  // RSpec, and a comparison that is refused in Go and Rust: `got := Fee(7); got != 15`.
  String.raw`${call}\s*\)\s*\.\s*to\s+eq(?:l|ual)?[\s(]+${value}`,
  String.raw`(?<got>[\p{Ll}_][\p{L}\p{N}_]*)\s*:?=\s*${call}\s*;?\s*if\s+\k<got>\s*!=\s*${value}`,
  String.raw`\bif\s+(?<got>[\p{Ll}_][\p{L}\p{N}_]*)\s*:=\s*${call}\s*;\s*\k<got>\s*!=\s*${value}`,
  String.raw`\bif\s+${call}\s*!=\s*${value}`,
];
const unequal = /(?<!\bif\b.*)!==?|[Nn]ot_?[Ee]qual|assert_ne|\.not\.|notStrictEqual|notDeepEqual|isNot/;

/**
 * Finds the first new test whose expected result differs from the documentation or the statement for the same call;
 * undefined if there is none.
 */
export async function findContradicted(
  tests: readonly OwnTest[],
  statement: string,
  base: BaseFiles,
): Promise<Contradiction | undefined> {
  const asked = tests.map((test) => ({ test, results: listAsked(test.body) }));
  if (asked.every(({ results }) => results.length === 0)) return undefined;
  const names = new Set(asked.flatMap(({ results }) => results.map(({ name }) => name)));
  const shown = await listShown(names, statement, base);
  for (const { test, results } of asked)
    for (const { of, name, given: inputs, value: found } of results) {
      const same = shown.filter(
        (each) =>
          each.name === name &&
          each.given === inputs &&
          (of === "" || of === each.of || (each.of === "" && isType(of))),
      );
      const [first] = same;
      if (first === undefined || same.some((each) => each.value === found)) continue;
      return { test, call: `${name}(${inputs})`, asked: found, shown: first.value };
    }
  return undefined;
}

/** True for a class name. Java code writes it before a function, and the statement may omit it. */
const isType = (of: string): boolean => /^\p{Lu}\p{L}*\p{Ll}/u.test(of);

async function listShown(
  names: ReadonlySet<string>,
  statement: string,
  base: BaseFiles,
): Promise<readonly ShownResult[]> {
  const stated = readStatedResults(statement).flatMap(
    ({ call: text, value: wanted, isNumber, isBoolean, parts }) =>
      parts === undefined
        ? readResults(`${text} == ${isNumber || isBoolean ? wanted : JSON.stringify(wanted)}`, shownForms)
        : [],
  );
  return [...stated, ...(await readShown(names, base))];
}

/**
 * Finds a documented or stated call whose inputs occur in the tests, but whose result does not. Such tests compare with
 * computed values, which may contain the fault. Ignores common values. Undefined without such a call.
 */
export async function findUncompared(
  tests: readonly OwnTest[],
  statement: string,
  base: BaseFiles,
): Promise<Contradiction | undefined> {
  const read = tests.map((test) => ({ test, ...readCode(`${test.around}\n${test.body}`) }));
  const names = new Set(read.flatMap(({ called }) => called));
  const has = (values: readonly string[], wanted: string): boolean =>
    values.some((each) => plain(each) === wanted || JSON.stringify(each) === wanted);
  const all = read.flatMap(({ values }) => values);
  for (const { name, given: inputs, value: result } of await listShown(names, statement, base)) {
    const parts = inputs.match(new RegExp(literal, "g")) ?? [];
    if (isCommon(result) || parts.every(isCommon) || has(all, result)) continue;
    const found = read.find(
      ({ called, values }) =>
        called.includes(name) && parts.every((part) => isCommon(part) || has(values, part)),
    );
    if (found !== undefined)
      return { test: found.test, call: `${name}(${inputs})`, asked: "", shown: result };
  }
  return undefined;
}

/** True for a value that many tests contain by chance, or check without writing it. */
function isCommon(value: string): boolean {
  return /^(?:-?[01]|true|false|null|".?")$/.test(value);
}

/**
 * Reads the documented results, if exactly one file defines the name. Another function of the same name has its own
 * results.
 */
async function readShown(names: ReadonlySet<string>, base: BaseFiles): Promise<ShownResult[]> {
  const defining = new Map<string, string[]>();
  const documented = new Map<string, ShownResult[]>();
  for (const path of (await base.list()).filter(isOwnSource).slice(0, mostSearched)) {
    const text = (await base.read(path)) ?? "";
    const own = [...names].filter((name) => defines(text, name));
    if (own.length === 0) continue;
    for (const name of own) defining.set(name, [...(defining.get(name) ?? []), path]);
    const source = await readSource(path, text);
    const parts = source === undefined ? [] : listDocumentation(source);
    documented.set(
      path,
      parts.flatMap((part) => readResults(part, shownForms)),
    );
  }
  return [...defining].flatMap(([name, [path = "", ...more]]) =>
    more.length > 0 ? [] : (documented.get(path) ?? []).flatMap((each) => withModule(each, name, path)),
  );
}

/**
 * Keeps a result of the module's own function. Only a module may precede the name, because a method's result depends on
 * its object.
 */
function withModule(shown: ShownResult, name: string, path: string): ShownResult[] {
  const module = basename(path).replace(/\..*$/, "");
  return shown.name === name && (shown.of === "" || shown.of === module) ? [{ ...shown, of: module }] : [];
}

export function defines(text: string, name: string): boolean {
  const escaped = name.replaceAll("$", String.raw`\$`);
  return new RegExp(
    `\\b(?:def|function\\*?|fn|func)\\s+(?:\\([^)]*\\)\\s*)?${escaped}\\b|(?<![\\w$.])${escaped}\\s*=\\s*(?:async\\s*)?(?:function\\b|\\()|[\\w>\\]]\\s+${escaped}\\s*\\([^;{}]*\\)[^;{}]*\\{`,
  ).test(text);
}

/** Reads the results that a test expects. Skips comments, and lines that state what a call does not return. */
function listAsked(body: string): ShownResult[] {
  const lines = body.split("\n").filter((line) => !unequal.test(line) && !/^\s*(?:#|\/\/|\*)/.test(line));
  return readResults(lines.join("\n"), askedForms);
}

function readResults(text: string, forms: readonly string[]): ShownResult[] {
  return forms.flatMap((form) =>
    [...text.matchAll(new RegExp(form, "gmu"))].flatMap(({ groups = {} }) =>
      groups.name === undefined || groups.given === undefined || groups.value === undefined
        ? []
        : [
            {
              of: groups.of ?? "",
              name: groups.name,
              given: plain(groups.given),
              value: plain(groups.value),
            },
          ],
    ),
  );
}

/** Returns one spelling for values that languages spell differently. */
function plain(text: string): string {
  const same = text
    .trim()
    // Go, Rust and Java write the type of a list.
    .replaceAll(/(?:\[\]\w+|new \w+\[\] ?)\{([^{}]*)\}|(?:&(?:mut )?|vec!)\[([^[\]]*)\]/g, "[$1$2]")
    .replaceAll("'", '"')
    .replace(/\s*,\s*/g, ", ");
  if (/^-?\d+(?:\.\d+)?$/.test(same)) return String(Number(same));
  return /^(?:None|null|nil)$/.test(same)
    ? "null"
    : same.replace(/^(?:True|False)$/, (word) => word.toLowerCase());
}
