/**
 * Finds tests that were made for a patch. A test written before the patch cannot know the patch's definitions. If a
 * test names something that only the patch has, it does not check the existing behaviour. Examples are a switch, a new
 * function, and a file whose presence changes the behaviour. The reported fault may then remain.
 */
import { literally } from "../../../base/literal-pattern.ts";
import { callableKinds } from "../../../domain/code-symbols.ts";
import { isOwnSource, languageOf } from "../../../languages/source-files.ts";
import { addedLines, type ChangedFile, linesOf } from "../../code/change.ts";
import { symbolsOf } from "../../code/symbols-of.ts";
import { readCode } from "../../state/assertion-text.ts";
import type { Guards } from "../guards/contract.ts";
import { guardsOf } from "../guards/find-guards.ts";
import { type BaseFiles, mostSearched } from "../texts/base-files.ts";
import type { OwnTest } from "../texts/own-tests.ts";
import { findWidenedCall, listWidened } from "./widened-calls.ts";

const shortest = 3;

/**
 * Maps each test to a name that the patch adds to the base: one in the test, or a parameter to which the test passes a
 * value. Omits tests without such a name, and tests with a new name that the statement contains.
 */
export async function findMadeFor(
  files: readonly ChangedFile[],
  tests: readonly OwnTest[],
  statement: string,
  base: BaseFiles,
): Promise<ReadonlyMap<OwnTest, string>> {
  const brought = await listBroughtNames(files);
  const named = new Map(tests.map((test) => [test, listNames(test).filter((name) => brought.has(name))]));
  const unknown = await leaveOutKnown([...new Set([...named.values()].flat())], base);
  const widened = (await listWidened(files)).filter(({ added }) => !holdsWord(statement, added));
  return new Map(
    [...named].flatMap(([test, names]): [OwnTest, string][] => {
      const passed = findWidenedCall(test, widened);
      if (passed !== undefined) return [[test, passed.added]];
      const found = names.filter((name) => unknown.has(name));
      const [first] = found;
      // True if the test uses a new name from the statement, or a name that accompanies it.
      const isAsked = found.some((name) => holdsWord(statement, name));
      return first === undefined || isAsked ? [] : [[test, first]];
    }),
  );
}

/**
 * Lists names that the patch adds and that other code can use: definitions, parameters, fields, environment variables,
 * files.
 */
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

/** Matches files in folders of tests or test data, whatever their type. */
const ofTests = /(?:^|\/)(?:tests?|__tests__|specs?|fixtures|testdata)\//i;

/** Returns the names of a file: `rules.py` and `rules`. */
function namesOfFile(path: string): string[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return [name, name.replace(/\.\w+$/, "")].filter((each) => each.length >= shortest);
}

/** Lists the defined names. Omits names inside a function, except its parameters, because they are private to it. */
async function listDefined({ path, after = "" }: ChangedFile): Promise<string[]> {
  const definitions = (await symbolsOf(path, after))?.definitions ?? [];
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
  /(?:environ\b|\bENV\b|[Gg]etenv|getProperty|LookupEnv|env::var|process\.env|getattr|hasattr|open|Path|exists|read\w*|ReadFile|resolve|join)\s*(?:\.\s*(?:get|fetch|key\?)\s*)?[.([]+\s*(?:f?["'`]([\w.-]+)["'`]|([A-Z]\w+))/g;
const guardsFor = (path: string): Guards | undefined => guardsOf(languageOf(path)?.name ?? "");

function listAskedFor(file: ChangedFile): string[] {
  const lines = linesOf(file.after);
  const own = guardsFor(file.path);
  const patterns = [field, asked, own?.globals ?? [], own?.asked ?? []].flat();
  return addedLines(file).flatMap((number) => {
    const line = lines[number - 1] ?? "";
    const found = patterns.flatMap((pattern) => [...line.matchAll(pattern)]);
    return found.map(([, one, other]) => one ?? other ?? "");
  });
}

/** Lists the names that the test calls, reads from an object, assigns, imports, or has as a string. */
function listNames({ body, around, file }: OwnTest): string[] {
  const text = `${around}\n${body}`;
  const pattern = guardsFor(file)?.globals;
  const globals = pattern === undefined ? [] : [...text.matchAll(pattern)].map(([, name = ""]) => name);
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
      ...globals,
    ]),
  ];
}

/** Selects names in the form of constants. The test does not define them, so they are not its variables. */
function constantsOf(names: readonly string[]): string[] {
  return names.filter((name) => /^[A-Z][A-Z\d_]{2,}$/.test(name));
}

/** Returns the whole name and its last part, as for `bank.ALLOW_EMPTY` and `rules.py`. */
function spell(text: string): string[] {
  return [text, text.slice(Math.max(text.lastIndexOf("."), text.lastIndexOf("/")) + 1)];
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);
}

/** Removes names that occur in the base's code or tests. */
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
  const escaped = literally(word);
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, "iu").test(text);
}
