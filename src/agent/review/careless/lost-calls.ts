/** Finds calls that escape or validate a value, and that the patch removes from a function. Works on the text. Pure. */

import { literally } from "../../../base/literal-pattern.ts";
import { once } from "../../../base/once.ts";
import { linesOf } from "../../code/change.ts";
import { type ChangedCode, type FileCode, type FunctionCode, joinCode } from "../texts/code-lines.ts";
import { inertNames, type Protection, sinks } from "./protections.ts";
import { type Functions, helpersOf, type Side, type Unit, wordsOf } from "./shown-code.ts";

const isProtecting = ({ name }: Protection, word: string): boolean =>
  name.test(word) && !inertNames.test(word);

/** Returns true if the new text has fewer names of protecting calls than the old text. */
export function hasFewerCalls(
  { is, was }: { readonly is: string; readonly was: string },
  protection: Protection,
): boolean {
  const count = (text: string): number =>
    (text.match(/[A-Za-z_$][\w$]*/g) ?? []).filter((word) => isProtecting(protection, word)).length;
  return count(is) < count(was);
}

interface Call {
  readonly name: string;
  /** The name with its object, such as `re.escape`. */
  readonly whole: string;
  readonly inner: string;
  readonly start: number;
  readonly end: number;
}

const anyCall =
  /(?<![\w$])((?:[\w$]+\s*(?:\.|::|->)\s*)?)([A-Za-z_]\w*)\((?=([^()]{0,300}(?:\([^()]{0,300}(?:\([^()]{0,300}\)[^()]{0,300}){0,4}\)[^()]{0,300}){0,8})\))/g;

const callsIn = (code: string): Call[] =>
  [...code.matchAll(anyCall)].map(({ 0: { length }, 1: object = "", 2: name = "", 3: inner = "", index }) => {
    const whole = `${object}${name}`;
    return { name, whole, inner, start: index, end: index + length + inner.length + 1 };
  });

/**
 * Returns the name of a protecting call that the patch removes, although the function still uses the call's values
 * unchanged. Undefined without such a call.
 */
export function findLostCall(
  unit: Unit,
  protection: Protection,
  functions: Functions,
  { before, code: { functions: all } }: ChangedCode,
  subjects: string,
): string | undefined {
  const [is, was] = [bodyOf(unit.is.code, unit.name), bodyOf(unit.was.code, unit.name)];
  const protecting = callsIn(was).filter(({ name }) => isProtecting(protection, name));
  if (protecting.length === 0 || standsIn(unit, protection, functions)) return undefined;
  const now = chainsIn(protection.isStatement === true ? is : withoutConditions(is));
  const old = chainsIn(withoutConditions(without(was, protecting)));
  const calls = callsIn(is);
  const lost = protecting.find(({ name, whole, inner }) => {
    if (isSinkGone(unit, whole, before === undefined ? [] : importsOf(before), subjects)) return false;
    return valuesIn(inner).some((value) => {
      const isKept = protection.isStatement === true || isAssigned(was, value, name);
      const isBare = countUses(now, value) > (isKept ? 0 : countUses(old, value));
      return (
        isBare &&
        !isHandedOn(calls, value, protection, functions) &&
        !isTaken(is, calls, value, protection, functions)
      );
    });
  });
  return lost === undefined || isGivenProtected(unit, protection, all) ? undefined : lost.name;
}

type NamedCode = readonly Pick<FunctionCode, "name" | "lines">[];

/** Maps each name to its calls in the file's functions, each with the calling function. */
const callersIn = once((all: NamedCode) =>
  Map.groupBy(
    all.flatMap(({ name: from, lines }) => callsIn(joinCode(lines)).map((call) => ({ ...call, from }))),
    ({ name }) => name,
  ),
);

/** True if other functions of the file call this function, and all of them pass a protected argument. */
function isGivenProtected({ name: own }: Unit, protection: Protection, all: NamedCode): boolean {
  const calls = (callersIn(all).get(own) ?? []).filter(({ from }) => from !== own);
  const isProtected = ({ inner }: Call): boolean =>
    callsIn(inner).some(({ name }) => isProtecting(protection, name));
  return calls.length > 0 && calls.every(isProtected);
}

/** Returns the function's text after its name and parameters. */
function bodyOf(text: string, name: string): string {
  const rest = text.slice(text.indexOf(name) + name.length);
  return rest.slice(rest.indexOf(")") + 1);
}

/**
 * True if something replaces the protection: a similar call, the function's own code, or a helper with one of these.
 */
function standsIn(unit: Unit, protection: Protection, functions: Functions): boolean {
  const { kind, own } = protection;
  const known = wordsOf(unit.was.code);
  const holds = ({ code }: Side, isNew: boolean): boolean => {
    const called = new Set([...code.matchAll(/([\w$]+)[?!]?\(/g)].map(([, each]) => each));
    return [...wordsOf(code)].some(
      (each) =>
        isProtecting(protection, each) ||
        (kind.test(each) && called.has(each)) ||
        (isNew && !known.has(each) && (kind.test(each) || own.test(each))),
    );
  };
  const { name, is } = unit;
  const body = { ...is, code: is.code.replace(name, "") };
  return (
    holds(body, true) ||
    helpersOf(functions, unit).some(
      (each) =>
        holds(each, each.isNew) ||
        callsIn(each.code).some((call) => isOwnCall(call, protection, functions) && call.inner.trim() !== ""),
    )
  );
}

/** True if the call's name says that it protects its arguments, and no known function of this name contradicts. */
const isOwnCall = ({ name }: Call, { ownCall }: Protection, functions: Functions): boolean =>
  ownCall?.test(name) === true && !functions.has(name);

/** True if a call that may replace the protection gets the value, or a variable that holds it. */
function isTaken(
  body: string,
  calls: readonly Call[],
  value: string,
  protection: Protection,
  functions: Functions,
): boolean {
  if (protection.ownCall === undefined) return false;
  const holders = [
    value,
    ...[...body.matchAll(assignment)].flatMap(([, name = "", from = ""]) =>
      chainsIn(from).includes(value) && !composes.test(from) ? [name] : [],
    ),
  ];
  const isIn = (text: string): boolean => chainsIn(text).some((each) => holders.includes(each));
  return (
    calls.some((call) => isOwnCall(call, protection, functions) && isIn(call.inner)) ||
    [...body.matchAll(queryParameters)].some(([, given = ""]) => isIn(given))
  );
}

const assignment =
  /^\s*(?:(?:const|let|var|final|my)\s+)?(\$?\w+)\s*(?::\s*[\w.[\]<>, ]+)?:?=(?!=)\s*([{[(][^}\])]{0,400}|[^\n]*)/gm;
/** Signs that an expression composes one text from several. */
export const composes = /[+%`]|\bformat\w*\(|\bs?printf\(|\bjoin\(|[#$]\{/;
/** `params={"q": a}` and `{ params: { q: a } }` as an argument of a request. */
const queryParameters = /[(,{]\s*params?\s*[:=]\s*([{[(][^}\])]{0,400}|\w+)/g;

const importsOf = once(({ source }: FileCode) =>
  linesOf(source.tree.text).filter((line) => /\b(?:import|require|use)\b/.test(line)),
);

/**
 * True if the value no longer reaches a sink (a shell, pattern, page or query), or if the statement wants the
 * unprotected value there.
 */
function isSinkGone({ is, was }: Unit, whole: string, imports: readonly string[], subjects: string): boolean {
  const named = new RegExp(String.raw`\b(?:import|require|use)\b.*\b${literally(whole)}\b`);
  const imported = imports.find((line) => named.test(line)) ?? "";
  const [now, old] = [is.shown.join("\n"), was.shown.join("\n")];
  return sinks.some(
    ({ of, form, instead, about }) =>
      of.test(`${imported} ${whole}`) &&
      ((form.test(old) && (!form.test(now) || about?.test(subjects) === true)) ||
        (instead?.test(now) === true && !instead.test(old))),
  );
}

/** `value = escape(value)`: later uses of the name use the protected text. */
function isAssigned(was: string, value: string, call: string): boolean {
  return new RegExp(String.raw`(?<![\w$.])${literally(value)}\s*:?=(?!=)[^\n]*\b${literally(call)}\(`).test(
    was,
  );
}

/** True if the value is an argument of a function that protects it. */
function isHandedOn(
  calls: readonly Call[],
  value: string,
  protection: Protection,
  functions: Functions,
): boolean {
  return calls.some(
    ({ name, inner }) =>
      chainsIn(inner).includes(value) &&
      (functions.get(name) ?? []).some(({ code }) =>
        callsIn(code).some((each) => each.name !== name && isProtecting(protection, each.name)),
      ),
  );
}

function without(text: string, calls: readonly Call[]): string {
  return calls
    .toReversed()
    .reduce((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(Math.max(start, end))}`, text);
}

const condition =
  /\b(?:if|elif|elsif|unless|while|assert)\b\s*(?:\([^()\n]{0,300}(?:\([^()\n]{0,300}(?:\([^()\n]{0,300}\)[^()\n]{0,300}){0,4}\)[^()\n]{0,300}){0,8}\)|[^\n:{]*?(?=:|\{|\belse\b|\bthen\b|\n|$))/g;
const asksAboutValue =
  /\b(?:len|isinstance|bool|strlen|empty|isset|is_null|is_string)\([^()]*\)|\btypeof\s+[\w$.]+/g;
const tests = [
  asksAboutValue,
  /(?:\bnot\s+|!\s*)[\w$.]+(?![\w$.]|\s*\()/g,
  /(?<![\w$.])[\w$.]+\s+(?:is\b|[!=]==?\s|\?\s|&&|and\b)/g,
];

/**
 * Removes conditions and other checks of a value, because a check does not return the value. Keeps arguments of calls.
 */
function withoutConditions(text: string): string {
  const kept = text.replaceAll(condition, (header) =>
    callsIn(header.replace(/^\w+/, " ").replaceAll(asksAboutValue, " "))
      .map(({ inner }) => inner)
      .join(" "),
  );
  return tests.reduce((rest, form) => rest.replaceAll(form, " "), kept);
}

const chain = /(?<![\w$.>])\$?[A-Za-z_]\w*(?:\s*(?:\?\.|\.|->|::)\s*[A-Za-z_]\w*)*(\s*\()?/g;
/** Methods whose result is the text itself. */
const sameText =
  /(?:\.(?:strip|trim|lower|upper|toLowerCase|toUpperCase|toString|to_s|to_string|as_str|clone))+$/;

/** Lists variables, and members with their objects, in one spelling. Omits functions. */
const chainsIn = (code: string): string[] =>
  [...code.matchAll(chain)].flatMap(([text, call]) => {
    const whole = text.replaceAll(/[\s(]/g, "").replaceAll(/\?\.|->|::/g, ".");
    return call !== undefined && !whole.includes(".") ? [] : [whole.replace(sameText, "")];
  });

const noValue =
  /^(?:self|this|\$this|cls|super|True|False|None|true|false|null|nil|undefined|[A-Z][A-Z_\d]+)$/;

const valuesIn = (inner: string): string[] =>
  chainsIn(inner.replaceAll(/\b\w+\s*=(?!=)/g, " ")).filter((each) => !noValue.test(each));

const countUses = (chains: readonly string[], value: string): number =>
  chains.filter((each) => each === value || each.startsWith(`${value}.`)).length;
