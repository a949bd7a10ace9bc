/**
 * Finds changed files that are code although their names do not say so. Programs load files with any ending
 * (`require("./rules.dat")`), and start scripts without one (`bin/fee`).
 */
import { basename, extname } from "node:path";
import type { Language } from "../../languages/contract.ts";
import { languages } from "../../languages/languages.generated.ts";
import { isSourceFile, languageOf } from "../../languages/source-files.ts";
import { walk } from "../../syntax/node.ts";
import { countSyntaxErrors } from "../../syntax/parser.ts";
import { conditionOf } from "../../syntax/reading.ts";
import { isFunction } from "../../syntax/statements.ts";
import { type ChangedFile, linesOf, readSource } from "../code/change.ts";
import type { BaseFiles } from "./base-files.ts";
import { scriptOf } from "./guards/find-guards.ts";
import { isUnreadData, withoutBlanks } from "./too-large.ts";

/** Maximum number of base files searched for a name. */
const mostSearched = 3_000;
/** Longer files are data. */
const mostCharacters = 1_000_000;

export interface ReadAsCode {
  /** Each file that is code by another name has the ending of its language, so that the checks read it. */
  readonly files: readonly ChangedFile[];
  /** The text of a finding, with the names that the files have in the repository. */
  readonly tell: (text: string) => string;
}

/** Gives the files that are code by another name a second name. A file may be code in several languages. */
export async function readAsCode(files: readonly ChangedFile[], base: BaseFiles): Promise<ReadAsCode> {
  const renamed = new Map<string, string>();
  const read: ChangedFile[] = [];
  for (const file of files) {
    const named = await nameByLanguage(file, files, base);
    for (const each of named) renamed.set(each.path, file.path);
    read.push(...(named.length === 0 ? [file] : named));
  }
  const tell = (text: string): string =>
    [...renamed].reduce((told, [path, original]) => told.replaceAll(path, original), text);
  return { files: read, tell };
}

async function nameByLanguage(
  given: ChangedFile,
  files: readonly ChangedFile[],
  base: BaseFiles,
): Promise<ChangedFile[]> {
  const { path, before, after, isTest, isLink } = given;
  if (isTest || isLink === true || after === undefined || after === before) return [];
  if (languageOf(path) !== undefined || scriptOf(path) !== undefined || after.length > mostCharacters)
    return [];
  const file = isUnreadData(given) ? withoutBlanks(given) : given;
  if (isUnreadData(file)) return [];
  const paths = [...files.map((each) => each.path), ...(await base.list())];
  const endings = new Set([...endingsOf(paths), ...endingOfInterpreter(after)]);
  const isNamed = async (): Promise<boolean> =>
    !documents.test(path) && (await isNamedInCode(given, files, base));
  const found: ChangedFile[] = [];
  for (const ending of endings) {
    const named = { ...file, path: path + ending };
    if (await isCode(named, isNamed)) found.push(named);
  }
  return found;
}

/**
 * It has functions or branches. If its syntax is wrong in the language, other code must also name it. The name of a
 * document is no such sign: build scripts read `README.md`.
 */
async function isCode({ path, after }: ChangedFile, isNamed: () => Promise<boolean>): Promise<boolean> {
  const source = await readSource(path, after);
  if (source === undefined || after === undefined) return false;
  const decides = [...walk(source.tree.root)].some(
    (node) => node.named && (isFunction(source, node) || conditionOf(source, node) !== undefined),
  );
  const grammar = languageOf(path)?.grammar(extname(path));
  if (!decides || grammar === undefined) return false;
  return (await countSyntaxErrors(grammar, after.replaceAll("\0", " "))) === 0 || (await isNamed());
}

const all: readonly Language[] = languages;

/** `#!/usr/bin/env python3` */
function endingOfInterpreter(text: string): string[] {
  const [first = ""] = linesOf(text.slice(0, 500));
  if (!first.startsWith("#!")) return [];
  const found = all.find(({ interpreters = [] }) =>
    interpreters.some((name) => new RegExp(`(?:/|\\s)${name}(?:\\s|$)`).test(first)),
  );
  return found === undefined ? [] : found.extensions.slice(0, 1);
}

/** The endings of a project's languages, one for each. */
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

/** Not a document, unless code names it. */
export async function isLoaded(
  file: ChangedFile,
  files: readonly ChangedFile[],
  base: BaseFiles,
): Promise<boolean> {
  return !documents.test(file.path) || (await isNamedInCode(file, files, base));
}

export async function isNamedInCode(
  { path }: ChangedFile,
  files: readonly ChangedFile[],
  base: BaseFiles,
): Promise<boolean> {
  const name = basename(path);
  const isNaming = (other: string, text: string | undefined): boolean =>
    languageOf(other) !== undefined && text?.includes(name) === true;
  if (files.some((other) => isNaming(other.path, other.after))) return true;
  const sources = (await base.list()).filter((other) => isSourceFile(other));
  for (const other of sources.slice(0, mostSearched))
    if (isNaming(other, await base.read(other))) return true;
  return false;
}
