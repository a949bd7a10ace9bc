/**
 * Finds protections against hostile input that a patch removes. Examples are escaping, an argument list, a safe loader
 * and a check of the folder. Works on the text; pure except for the parser and the base's files.
 */
import { basename, dirname, extname } from "node:path";
import { isSourceFile, isTestFile } from "../../../languages/source-files.ts";
import type { Finding } from "../contract.ts";
import type { BaseFiles } from "../texts/base-files.ts";
import { type ChangedCode, joinCode, readCode } from "../texts/code-lines.ts";
import type { Careless } from "./careless-form.ts";
import { composes, findLostCall, hasFewerCalls } from "./lost-calls.ts";
import { findLostContainment } from "./lost-containment.ts";
import { exchanges, type Protection, protections, unsafeForms } from "./protections.ts";
import {
  compareUnits,
  type Functions,
  helpersOf,
  indexFunctions,
  type Side,
  type Unit,
  wholeSide,
  wordsOf,
} from "./shown-code.ts";

/** A changed file that the base has, with both texts. */
interface Shown extends Side {
  readonly file: ChangedCode;
  readonly was: Side;
  readonly units: readonly Unit[];
  readonly subjects: string;
  /** All new texts of the change (`is`) and all old ones (`was`), each as one text. */
  readonly change: { readonly is: string; readonly was: string };
  /** The number of lines with HTML tags, in the new texts (`is`) and in the old texts (`was`). */
  readonly tags: { readonly is: number; readonly was: number };
  /** The protections with fewer calls after the change. */
  readonly fewer: readonly Protection[];
  readonly functions: Functions;
}

/** Maximum numbers of base files that a check reads, and that it parses. */
const mostFiles = { read: 1_000, parsed: 200 };

/** Objects to protections that the changed files lose. Reads files of the base only if there is a loss. */
export async function judgeLostProtections(
  changed: readonly ChangedCode[],
  base: BaseFiles,
  subjects: string,
): Promise<Finding[]> {
  const sides = changed.map((file) => ({
    file,
    is: wholeSide(file.code),
    was: file.before === undefined ? undefined : wholeSide(file.before),
  }));
  const [now, old] = [sides.map(({ is }) => is), sides.flatMap(({ was }) => was ?? [])];
  const change = { is: textOf(now), was: textOf(old) };
  const tags = { is: tagsOf(now), was: tagsOf(old) };
  const fewer = protections.filter((each) => hasFewerCalls(change, each));
  const functions = indexFunctions(changed);
  const shown = sides.flatMap(({ file, is, was }): Shown[] => {
    const { code, before } = file;
    if (before === undefined || was === undefined) return [];
    const units = compareUnits(code, before);
    return [{ ...is, file, was, units, subjects, change, tags, fewer, functions }];
  });
  const findings: Finding[] = [];
  for (const each of shown) {
    if (findLosses(each).length === 0) continue;
    const known = { ...each, functions: await addImported(each, changed, base) };
    findings.push(
      ...findLosses(known).map(({ line, text, isDoubt }): Finding => {
        return {
          weight: isDoubt === true ? "doubt" : "objection",
          text: `${each.file.file.path}:${line} ${text}.`,
        };
      }),
    );
  }
  return findings;
}

const tag = /<\/?[a-z!]/i;

const countTags = ({ shown }: Side): number => shown.filter((line) => tag.test(line)).length;

const tagsOf = (sides: readonly Side[]): number => sides.reduce((all, side) => all + countTags(side), 0);

const textOf = (sides: readonly Side[]): string => sides.map(({ code }) => code).join("\n");

/** Maximum number of findings of one kind in a file. */
const mostFindings = 10;

function findFirst(units: readonly Unit[], find: (unit: Unit) => readonly Careless[]): Careless[] {
  const found: Careless[] = [];
  for (const unit of units) {
    if (found.length >= mostFindings) break;
    found.push(...find(unit));
  }
  return found;
}

const findLosses = (shown: Shown): Careless[] => losses.flatMap((find) => find(shown));

const moduleOf = (path: string): string => {
  const name = basename(path, extname(path));
  return /^(?:index|__init__|mod|lib)$/.test(name) ? basename(dirname(path)) : name;
};

/**
 * Adds functions that the changed file names, from unchanged files. Such a file is in the same folder, or the changed
 * file names its module.
 */
async function addImported(
  { file, units, functions }: Shown,
  changed: readonly ChangedCode[],
  base: BaseFiles,
): Promise<Functions> {
  const own = file.file.path;
  const names = new Set(
    units.flatMap(({ is, was }) => callees(is, was)).filter((name) => !functions.has(name)),
  );
  const words = wordsOf(file.code.source.tree.text);
  const isNamed = (path: string): boolean => words.has(moduleOf(path));
  const paths = (await base.list()).filter(
    (path) =>
      extname(path) === extname(own) &&
      isSourceFile(path) &&
      !isTestFile(path) &&
      (isNamed(path) || dirname(path) === dirname(own)) &&
      changed.every((each) => each.file.path !== path),
  );
  const ordered = [...paths.filter(isNamed), ...paths.filter((path) => !isNamed(path))];
  const found = new Map(functions);
  let parsed = 0;
  for (const path of ordered.slice(0, mostFiles.read)) {
    if (names.size === 0 || parsed === mostFiles.parsed) break;
    const text = await base.read(path);
    if (text === undefined || !hasWord(text, names)) continue;
    parsed += 1;
    const code = await readCode(path, text);
    if (code === undefined) continue;
    for (const [name, all] of indexFunctions([{ code, before: code }]))
      if (names.has(name)) found.set(name, [...(found.get(name) ?? []), ...all]);
  }
  return found;
}

/** Lists the functions that a text calls, and the text's new words: some languages call without parentheses. */
function callees({ code }: Side, was: Side): string[] {
  const old = wordsOf(was.code);
  const called = [...code.matchAll(/([\w$]+[?!]?)\s*\(/g)].map(([, name = ""]) => name);
  return [...called, ...[...wordsOf(code)].filter((name) => !old.has(name))];
}

function hasWord(text: string, names: ReadonlySet<string>): boolean {
  for (const [name] of text.matchAll(/[A-Za-z_$][\w$]*[?!]?/g))
    if (names.has(name) || names.has(name.replace(/[?!]$/, ""))) return true;
  return false;
}

const count = (lines: readonly string[], form: RegExp): number => [...joinCode(lines).matchAll(form)].length;

/** Returns the lines of the unit, and of the functions that took over its work. */
const withHelpers = ({ functions }: Shown, unit: Unit): string[] => [
  ...unit.is.shown,
  ...helpersOf(functions, unit).flatMap((each) => each.shown),
];

function findExchanges(all: Shown): Careless[] {
  const { file, shown, was, units, subjects } = all;
  return exchanges.flatMap(({ languages, safe, unsafe, about, says }): Careless[] => {
    if (languages?.includes(file.code.language) === false || about.test(subjects)) return [];
    if (count(shown, safe) >= count(was.shown, safe)) return [];
    return findFirst(units, (unit) => {
      const own = withHelpers(all, unit);
      const isExchanged =
        count(own, safe) < count(unit.was.shown, safe) && count(own, unsafe) > count(unit.was.shown, unsafe);
      return isExchanged ? [{ line: unit.startLine, text: says }] : [];
    });
  });
}

function findUnsafeForms({ file: { code, added }, shown, was, units, subjects }: Shown): Careless[] {
  const functions = units.filter(({ name }) => name !== "");
  const inside = new Set(
    functions.flatMap(({ startLine, is }) => is.shown.map((_, index) => startLine + index)),
  );
  return unsafeForms.flatMap(({ languages, unsafe, about, says, only }): Careless[] => {
    if (languages?.includes(code.language) === false || about.test(subjects)) return [];
    if (count(was.shown, unsafe) > 0) return [];
    const at = shown.findIndex(
      (line, index) =>
        added.has(index + 1) && (only === undefined || inside.has(index + 1)) && count([line], unsafe) > 0,
    );
    return at === -1 ? [] : [{ line: at + 1, text: says }];
  });
}

/** Finds removed calls that escape or validate a value, if nothing replaces them. */
function findLostCalls(all: Shown): Careless[] {
  const { file, units, subjects, fewer, functions } = all;
  return fewer.flatMap((protection): Careless[] => {
    const { about, does, languages } = protection;
    if (languages?.includes(file.code.language) === false || about.test(subjects)) return [];
    return findFirst(units, (unit) => {
      const lost = unit.name === "" ? undefined : findLostCall(unit, protection, functions, file, subjects);
      return lost === undefined || subjects.includes(lost)
        ? []
        : [
            {
              line: unit.startLine,
              text: `no longer ${does} a value: \`${unit.name}\` no longer calls \`${lost}\``,
              isDoubt: leavesMarkup(all, unit),
            },
          ];
    });
  });
}

/** True if the function no longer writes tags or composes text. A library's function may then take the value safely. */
function leavesMarkup(all: Shown, unit: Unit): boolean {
  const { tags, units } = all;
  const lost = countTags(unit.was);
  const outside = units.find(({ name }) => name === "");
  return (
    lost > 0 &&
    tags.is <= tags.was - lost &&
    (outside === undefined || countTags(outside.is) === 0) &&
    !withHelpers(all, unit).some((line) => tag.test(line)) &&
    !composes.test(unit.is.code) &&
    !/["']/.test(unit.is.code)
  );
}

/** Finds lost checks that a path stays in its folder. */
function findLostFolders({ units, subjects, change, functions }: Shown): Careless[] {
  return findLostContainment(units, functions, change, subjects).map(({ startLine, name }) => ({
    line: startLine,
    text: `no longer checks in \`${name}\` that a path stays in its folder`,
  }));
}

/** Finds lost refusals of `__proto__` as a key. */
function findLostPrototypeChecks(all: Shown): Careless[] {
  const { shown, was, units, subjects } = all;
  if (/__proto__|\bprototype/i.test(subjects)) return [];
  const form = /‹__proto__›|\bhasOwn(?:Property)?\b|\bObject\.create\(null\)|\bnew\s+Map\(/g;
  const key = /‹__proto__›/g;
  if (count(shown, key) >= count(was.shown, key)) return [];
  return units.flatMap((unit) =>
    count(unit.was.shown, key) > 0 && count(withHelpers(all, unit), form) < count(unit.was.shown, form)
      ? [{ line: unit.startLine, text: "no longer refuses `__proto__` as a key" }]
      : [],
  );
}

const losses = [findExchanges, findUnsafeForms, findLostCalls, findLostFolders, findLostPrototypeChecks];
