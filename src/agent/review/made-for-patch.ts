/**
 * Tests that were made for a patch: written before it, they cannot know what it will define. One that names what only the patch has (a
 * switch that it sets, a new function that it prefers, a file whose presence it asks for) asks for something else than what was there, and
 * what the statement reports may be as it was.
 */
import { callableKinds } from "../../domain/code-symbols.ts";
import { isOwnSource } from "../../languages/source-files.ts";
import { extractSymbols } from "../../syntax/symbols/extract-symbols.ts";
import { addedLines, type ChangedFile, linesOf } from "../code/change.ts";
import { readCode } from "../state/assertion-text.ts";
import type { BaseFiles } from "./base-files.ts";
import type { OwnTest } from "./own-tests.ts";

/** Files of the base that are searched for a name. */
const mostSearched = 3_000;
const shortest = 3;

/** What each of the tests names that neither the base nor the statement has, and the patch brings in; tests that name nothing are left out. */
export async function findMadeFor(
  files: readonly ChangedFile[],
  tests: readonly OwnTest[],
  statement: string,
  base: BaseFiles,
): Promise<ReadonlyMap<OwnTest, string>> {
  const brought = await listBroughtNames(files);
  const named = new Map(tests.map((test) => [test, listNames(test).filter((name) => brought.has(name))]));
  const unknown = await leaveOutKnown([...new Set([...named.values()].flat())], base);
  return new Map(
    [...named].flatMap(([test, names]): [OwnTest, string][] => {
      const found = names.filter((name) => unknown.has(name));
      const [first] = found;
      // It asks for something new that the statement names, and for what comes with it.
      const isAsked = found.some((name) => holdsWord(statement, name));
      return first === undefined || isAsked ? [] : [[test, first]];
    }),
  );
}

/** Names that code outside of the patch can ask for: definitions, parameters, fields, variables of the environment, files. */
export async function listBroughtNames(files: readonly ChangedFile[]): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const file of files) {
    if (file.isTest || ofTests.test(file.path) || file.after === undefined) continue;
    if (file.before === undefined) for (const name of namesOfFile(file.path)) names.add(name);
    const old = wordsOf(file.before ?? "");
    for (const name of [...(await listDefined(file)), ...listAskedFor(file)])
      if (name.length >= shortest && !old.has(name)) names.add(name);
  }
  return names;
}

/** Data of tests, whatever the file is. */
const ofTests = /(?:^|\/)(?:tests?|__tests__|specs?|fixtures|testdata)\//i;

/** `rules.py` and `rules`. */
function namesOfFile(path: string): string[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return [name, name.replace(/\.\w+$/, "")].filter((each) => each.length >= shortest);
}

/** What stands in a function is its own, but for its parameters. */
async function listDefined({ path, after = "" }: ChangedFile): Promise<string[]> {
  const definitions = (await extractSymbols(path, after))?.definitions ?? [];
  const isInside = (container: number): boolean => {
    const around = definitions[container];
    return around !== undefined && isFunction.has(around.kind);
  };
  return definitions.flatMap(({ kind, name, container, signature, isTest }) => {
    if (isTest === true || kind === "test" || isInside(container)) return [];
    return isFunction.has(kind) ? [name, ...wordsOf(signature)] : [name];
  });
}

const isFunction: ReadonlySet<string> = new Set(callableKinds);

const field =
  /(?:\b(?:self|this|cls|exports|opts|options|settings|config)|\b[A-Z]\w*)\??\s*\.\s*([\p{L}_$][\p{L}\p{N}_$]*)/gu;
const asked =
  /(?:environ\b|[Gg]etenv|LookupEnv|env::var|process\.env|getattr|hasattr|open|Path|exists|read\w*|ReadFile|resolve|join)\s*(?:\.\s*get\s*)?[.([]+\s*(?:f?["'`]([\w.-]+)["'`]|([A-Z]\w+))/g;

function listAskedFor(file: ChangedFile): string[] {
  const lines = linesOf(file.after);
  return addedLines(file).flatMap((number) => {
    const line = lines[number - 1] ?? "";
    return [...line.matchAll(field), ...line.matchAll(asked)].map(([, one, other]) => one ?? other ?? "");
  });
}

/** What it calls, reads of an object, gives a value by name, imports, or has as a text that is a name. */
function listNames({ body, around }: OwnTest): string[] {
  const text = `${around}\n${body}`;
  const code = readCode(text);
  const texts = code.values.flatMap((value) =>
    /^[\p{L}_$][\p{L}\p{N}_$./-]*$/u.test(value) ? spell(value) : [],
  );
  const used = new Set(code.plain);
  const taken = [...text.matchAll(/(?:\bfrom\s+[\w.]+\s+)?\bimport\b[^\n]*/g)].flatMap(([line]) => [
    ...wordsOf(line),
  ]);
  return [
    ...new Set([
      ...code.called,
      ...texts,
      ...taken.filter((name) => used.has(name)),
      ...constantsOf(code.plain),
    ]),
  ];
}

/** Constants are no variables of the test's own, where it does not make them. */
function constantsOf(names: readonly string[]): string[] {
  return names.filter((name) => /^[A-Z][A-Z\d_]{2,}$/.test(name));
}

/** `bank.ALLOW_EMPTY`, `rules.py`: whole, and its last part. */
function spell(text: string): string[] {
  return [text, text.slice(Math.max(text.lastIndexOf("."), text.lastIndexOf("/")) + 1)];
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);
}

/** Names that no source of the base has, in its tests or in its code. */
export async function leaveOutKnown(names: readonly string[], base: BaseFiles): Promise<ReadonlySet<string>> {
  const left = new Set(names);
  const sources = left.size === 0 ? [] : (await base.list()).filter(isOwnSource);
  for (const path of sources.slice(0, mostSearched)) {
    if (left.size === 0) break;
    const text = await base.read(path);
    if (text === undefined) continue;
    for (const name of left) if (holdsWord(text, name)) left.delete(name);
  }
  return left;
}

function holdsWord(text: string, word: string): boolean {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, "iu").test(text);
}
