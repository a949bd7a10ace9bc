/**
 * Finds changed files that are code although their names do not show it. Programs load files with any extension
 * (`require("./rules.dat")`), and start scripts without one (`bin/fee`).
 */
import { basename, dirname, extname } from "node:path";
import { literally } from "../../../base/literal-pattern.ts";
import type { Language } from "../../../languages/contract.ts";
import { languages } from "../../../languages/languages.generated.ts";
import { isSourceFile, isTestFile, languageOf } from "../../../languages/source-files.ts";
import { dialectOf } from "../../../syntax/dialects/index.ts";
import { walk } from "../../../syntax/node.ts";
import { countErrorCharacters } from "../../../syntax/parser.ts";
import { conditionOf } from "../../../syntax/reading.ts";
import { isFunction } from "../../../syntax/statements.ts";
import { type ChangedFile, linesOf, readSource } from "../../code/change.ts";
import { scriptOf } from "../guards/find-guards.ts";
import type { BaseFiles } from "../texts/base-files.ts";
import { isUnreadData, withoutBlanks } from "../texts/too-large.ts";

/** Maximum number of base files searched for a name. */
const mostSearched = 3_000;
/** Maximum length of a file that may be code. Longer files are data. */
export const mostCharacters = 1_000_000;

export interface ReadAsCode {
  /** The files. A code file with another extension gets the extension of its language, so the checks read it. */
  readonly files: readonly ChangedFile[];
  /** Returns a finding's text with the files' names in the repository. */
  readonly tell: (text: string) => string;
}

/**
 * Gives code files with other extensions a second name. If a file may be code in several languages, it gets several
 * names.
 */
export async function readAsCode(files: readonly ChangedFile[], base: BaseFiles): Promise<ReadAsCode> {
  const renamed = new Map<string, string>();
  const read: ChangedFile[] = [];
  let named: Promise<ReadonlySet<string>> | undefined;
  const isNamed = async ({ path }: ChangedFile): Promise<boolean> => {
    if (documents.test(path)) return false;
    named ??= findNamed(files, files, base);
    return (await named).has(path);
  };
  const endings = endingsOf([...files.map(({ path }) => path), ...(await base.list())]);
  const long = new Set(listLong(files, endings.length));
  for (const file of files) {
    const found = await nameByLanguage(file, {
      endings,
      isLong: long.has(file),
      isNamed: () => isNamed(file),
    });
    for (const each of found) renamed.set(each.path, file.path);
    read.push(...(found.length === 0 ? [file] : found));
  }
  const tell = (text: string): string =>
    [...renamed].reduce(
      (told, [path, original]) =>
        told.replaceAll(new RegExp(`(?<![\\w./-])${literally(path)}(?![\\w/-]|\\.\\w)`, "g"), () => original),
      text,
    );
  return { files: read, tell };
}

async function nameByLanguage(
  given: ChangedFile,
  { endings, ...reading }: Reading & { readonly endings: readonly string[] },
): Promise<ChangedFile[]> {
  const { path, after } = given;
  if (!isData(given) || after === undefined || after.length > mostCharacters) return [];
  const file = isUnreadData(given) ? withoutBlanks(given) : given;
  if (isUnreadData(file)) return [];
  const interpreted = endingOfInterpreter(after);
  const found: ChangedFile[] = [];
  for (const ending of new Set([...endings, ...interpreted])) {
    const named = { ...file, path: path + ending };
    // There is no grammar for a shell.
    const isScript = interpreted.includes(ending) && languageOf(named.path) === undefined;
    if (isScript || (await isCode(named, reading))) found.push(named);
  }
  return found;
}

/**
 * Returns true for a data file that is too large or too sparse for the checks, although its text is code in one of the
 * project's languages.
 */
export async function isUnreadCode(
  file: ChangedFile,
  files: readonly ChangedFile[],
  base: BaseFiles,
): Promise<boolean> {
  const after = file.after ?? "";
  const isUnread = after.length > mostCharacters || (isUnreadData(file) && isUnreadData(withoutBlanks(file)));
  // A parser of scripts reads JSON without errors, and millions of characters of it are usual.
  if (!isData(file) || !isUnread || /\.(?:jsonc?|map)$/i.test(file.path)) return false;
  const endings = endingsOf([...files.map(({ path }) => path), ...(await base.list())]);
  const reading = { isLong: listLong(files, endings.length).includes(file), isNamed: async () => false };
  const first = { ...file, after: after.slice(0, mostCharacters) };
  for (const ending of endings)
    if (await isCode({ ...first, path: file.path + ending }, reading)) return true;
  return false;
}

function isData({ path, before, after, isTest, isLink }: ChangedFile): boolean {
  if (isTest || isLink === true || after === undefined || after === before) return false;
  return languageOf(path) === undefined && scriptOf(path) === undefined;
}

/** Maximum characters of data to parse in the project's languages. Half a million characters of prose take a second. */
const mostParsed = 3_000_000;

/**
 * Lists the largest data files: those that no longer fit into `mostParsed`. Millwright does not parse these as a whole.
 */
function listLong(files: readonly ChangedFile[], languageCount: number): ChangedFile[] {
  const sizeOf = ({ after = "" }: ChangedFile): number => after.length;
  let left = mostParsed;
  return files
    .filter(isData)
    .toSorted((one, other) => sizeOf(one) - sizeOf(other))
    .filter((file) => {
      left -= sizeOf(file) * languageCount;
      return left < 0;
    });
}

/** Maximum share of a code file's characters that its grammar rejects. In prose, it rejects more than a tenth. */
const mostErrors = 0.05;
/** In characters. If the grammar rejects half of a long file's beginning, Millwright does not parse the rest. */
const beginning = 20_000;

interface Reading {
  readonly isLong: boolean;
  readonly isNamed: () => Promise<boolean>;
}

/**
 * True if the file has functions or branches. If the grammar rejects more than `mostErrors` of it, other code must also
 * name the file. A document's name does not count, because build scripts read `README.md`.
 */
async function isCode({ path, after = "" }: ChangedFile, { isLong, isNamed }: Reading): Promise<boolean> {
  const language = languageOf(path);
  if (language === undefined || dialectOf(language.name) === undefined) return false;
  const grammar = language.grammar(extname(path));
  const isWrong = async (text: string, share: number): Promise<boolean> =>
    (await countErrorCharacters(grammar, text.replaceAll("\0", " "))) > share * text.length;
  const isProse =
    (isLong && (await isWrong(after.slice(0, beginning), 0.5))) || (await isWrong(after, mostErrors));
  return (!isProse || (await isNamed())) && decides(path, after);
}

async function decides(path: string, text: string): Promise<boolean> {
  const source = await readSource(path, text);
  return (
    source !== undefined &&
    [...walk(source.tree.root)].some(
      (node) => node.named && (isFunction(source, node) || conditionOf(source, node) !== undefined),
    )
  );
}

const all: readonly Language[] = languages;
/** Interpreters of languages without a grammar. */
const shells = { interpreters: ["(?:ba|da|k|z)?sh"], extensions: [".sh"] };
const perl = { interpreters: ["perl"], extensions: [".pl"] };

/**
 * Returns the extension for the interpreter in the first line, such as `#!/usr/bin/env python3`, as a list. Empty
 * without a known interpreter.
 */
export function endingOfInterpreter(text: string): string[] {
  const [first = ""] = linesOf(text.slice(0, 500));
  if (!first.startsWith("#!")) return [];
  const found = [...all, shells, perl].find(({ interpreters = [] }) =>
    interpreters.some((name) => new RegExp(`(?:/|\\s)${name}(?:\\s|$)`).test(first)),
  );
  return found === undefined ? [] : found.extensions.slice(0, 1);
}

/** Returns the extensions of a project's languages, one for each language. */
export function endingsOf(paths: readonly string[]): string[] {
  const endings = new Map<string, string>();
  for (const path of paths) {
    const language = languageOf(path);
    if (language !== undefined && !endings.has(language.name)) endings.set(language.name, extname(path));
  }
  return [...endings.values()];
}

/** Files for people, which show code in examples. */
const documents =
  /\.(?:md|markdown|rst|rdoc|adoc|html?|css|svg|ya?ml|toml|json|jsonc|xml|po|cfg|ini|sh|bash|bat|ps1)$|(?:^|\/)(?:Dockerfile|Makefile|LICENSE)[\w.]*$/i;

/** Returns false for a document, unless code names it. */
export async function isLoaded(
  file: ChangedFile,
  files: readonly ChangedFile[],
  base: BaseFiles,
): Promise<boolean> {
  return !documents.test(file.path) || (await isNamedInCode(file, files, base));
}

export async function isNamedInCode(
  file: ChangedFile,
  files: readonly ChangedFile[],
  base: BaseFiles,
): Promise<boolean> {
  return (await findNamed([file], files, base)).has(file.path);
}

/** Programs that measure speed. */
const benchmark = /(?:^|\/)(bench(?:es|marks?)?)\/(?:.*\/)?([^/.]+)[^/]*$/;
/** Names of files that programs load by the name of their folder. */
const folderItself = /^(?:index|__init__|mod|lib)$/;

/** True for a benchmark that nothing else loads: no other file of the change and no source of the base names it. */
export async function isBenchmarkAlone(
  file: ChangedFile,
  files: readonly ChangedFile[],
  base: BaseFiles,
): Promise<boolean> {
  const [, folder = "", stem = ""] = benchmark.exec(file.path) ?? [];
  const sources = (await base.list()).filter(
    (other) => other !== file.path && languageOf(other) !== undefined,
  );
  if (stem === "" || folderItself.test(stem) || sources.length > mostSearched) return false;
  // In some languages, a test uses the other files of its folder without their names.
  const isBesideTest = [...sources, ...files.map(({ path }) => path)].some(
    (other) => dirname(other) === dirname(file.path) && isTestFile(other),
  );
  if (isBesideTest) return false;
  const name = new RegExp(
    `(?<![\\w-])${literally(stem)}(?![\\w-])|(?<![\\w-])${literally(folder)}(?:["'\`]|/)`,
  );
  if (files.some(({ path, after }) => path !== file.path && after !== undefined && name.test(after)))
    return false;
  for (const other of sources) if (name.test((await base.read(other)) ?? "")) return false;
  return true;
}

/** Returns the paths of the data files that code names. */
async function findNamed(
  data: readonly ChangedFile[],
  files: readonly ChangedFile[],
  base: BaseFiles,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const left = new Set(data.map(({ path }) => path));
  const search = (text = ""): void => {
    for (const path of left) if (text.includes(basename(path)) && left.delete(path)) found.add(path);
  };
  for (const { path, after } of files) if (languageOf(path) !== undefined) search(after);
  const sources = (await base.list()).filter((other) => isSourceFile(other));
  for (const other of sources.slice(0, mostSearched)) {
    if (left.size === 0) break;
    if (languageOf(other) !== undefined) search(await base.read(other));
  }
  return found;
}
