/** Recognises a test file that only gains tests, so that only its new tests run on the base. */
import { literally } from "../../base/literal-pattern.ts";
import type { FileSymbols } from "../../domain/code-symbols.ts";
import type { TestKey } from "../../domain/test-outcome.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import { symbolsOf } from "./symbols-of.ts";
import { isInLines, type LineSpan, listTestBodies, type TestBody, textOfLines } from "./test-bodies.ts";

/**
 * Returns the new tests if the text `after` is the text `before` with whole new tests, groups of tests and imports.
 * Their names must be new words, so nothing can replace an existing definition. Returns undefined for any other change,
 * and if a new test may affect other tests.
 */
export async function gainedTests(
  path: string,
  before: string,
  after: string,
): Promise<TestBody[] | undefined> {
  const [old, now] = [await symbolsOf(path, before), await symbolsOf(path, after)];
  if (old === undefined || now === undefined || !gainsImports(before, old, now)) return undefined;
  const bodies = await listTestBodies(path, after);
  const lines = after.split("\n");
  const gained = now.definitions.filter(
    (definition) =>
      bodies.some((body) => definition.startLine <= body.startLine && body.endLine <= definition.endLine) &&
      isNewName(definition.name, before) &&
      !isShared(lines, definition) &&
      !mayLeaveState.test(textOfLines(lines, definition)),
  );
  const spans = gained.map((span) => withComment(lines, span));
  const isGained = (line: number): boolean => spans.some((span) => isInLines(span, line));
  const [kept, rest] = [restOf(before, old, () => false), restOf(after, now, isGained)];
  const isSame =
    kept.length === rest.length &&
    kept.every(
      ({ line, blank }, at) =>
        line === rest[at]?.line &&
        (blank === undefined || rest[at].blank === undefined || blank === rest[at].blank),
    );
  return isSame ? bodies.filter(({ startLine }) => isGained(startLine)) : undefined;
}

function isNewName(name: string, before: string): boolean {
  return name !== "TestMain" && !new RegExp(`(?<!\\w)${literally(name)}(?!\\w)`).test(before);
}

/**
 * Matches code that may change later tests of the same process: an assignment to another object's field, an environment
 * variable, a stand-in.
 */
const mayLeaveState =
  /(?<!\b(?:self|this))\.\w+(?:\[[^\]\n]*\])?\s*[-+*/|&^%]*=(?![=>~])|\benviron\b|\bENV\[|\bset(?:attr|env)\b|\bglobal\b|\b\w*(?:mock|stub|spyOn)\w*\s*\(/i;

/** True if a decorator or attribute of the definition can affect other tests. */
function isShared(lines: readonly string[], { startLine, endLine }: LineSpan): boolean {
  const own = lines.slice(startLine - 1, endLine);
  const end = own.findIndex((line) => /^\s*(?:async\s+)?(?:def|class)\s/.test(line));
  return own.slice(0, Math.max(end, 0)).some((line) => /fixture|autouse|hook/i.test(line));
}

/** The span with the comment lines directly above it. */
function withComment(lines: readonly string[], { startLine, endLine }: LineSpan): LineSpan {
  let start = startLine;
  while (/^\s*(?:#|\/\/)/.test(lines[start - 2] ?? "")) start -= 1;
  return { startLine: start, endLine };
}

/** True if all old imports are still there, and each other import binds a new word. */
function gainsImports(before: string, { imports: old }: FileSymbols, { imports: now }: FileSymbols): boolean {
  const idOf = ({ source, name, alias }: FileSymbols["imports"][number]): string =>
    JSON.stringify([source, name, alias]);
  const known = new Set(old.map(idOf));
  const present = new Set(now.map(idOf));
  return (
    old.every((each) => present.has(idOf(each))) &&
    now.every((each) => known.has(idOf(each)) || (each.alias !== undefined && isNewName(each.alias, before)))
  );
}

interface KeptLine {
  readonly line: string;
  /** The number of blank lines above; undefined if a gained test or an import is there. */
  readonly blank: number | undefined;
}

/** Matches a line with nothing but an import. */
const onlyImport = /^\s*(?:(?:from|import|use|require)\s[^()=;]*;?|(?:\w+ )?"[^"]*")\s*$/;

/** The lines of a text without gained tests, imports and blank lines. */
function restOf(text: string, { imports }: FileSymbols, isGained: (line: number) => boolean): KeptLine[] {
  const importLines = new Set(imports.map(({ line }) => line));
  const kept: KeptLine[] = [];
  let blank: number | undefined = 0;
  for (const [index, line] of text.split("\n").entries()) {
    if (isGained(index + 1) || (importLines.has(index + 1) && onlyImport.test(line))) blank = undefined;
    else if (line.trim() === "") blank = blank === undefined ? undefined : blank + 1;
    else {
      kept.push({ line, blank });
      blank = 0;
    }
  }
  return kept;
}

/** Returns the tests that a file gains on a tree (`gainedTests`). Undefined if the base or the tree lacks the file. */
export async function gainedOn(
  trees: Pick<TreeStore, "read">,
  base: string,
  tree: string,
  path: string,
): Promise<TestBody[] | undefined> {
  const [before, after] = [await trees.read(base, path), await trees.read(tree, path)];
  return before === undefined || after === undefined
    ? undefined
    : gainedTests(path, before.toString("utf8"), after.toString("utf8"));
}

/**
 * Returns the keys of new tests of a file, by the keys of existing tests in the same groups. A class that others
 * inherit gives a test several keys. Undefined if a group has no existing test with a result.
 *
 * @param known keys of the base's tests
 * @param bodies the tests of the base's file
 */
export function keysOfGained(
  path: string,
  known: readonly TestKey[],
  bodies: readonly TestBody[],
  gained: readonly TestBody[],
): TestKey[] | undefined {
  const own = known.filter(({ target }) => target === path);
  const groupOf = (body: TestBody): string => body.path.slice(0, body.path.length - body.name.length);
  const keys: TestKey[] = [];
  for (const test of gained) {
    const beside = bodies.filter((body) => groupOf(body) === groupOf(test));
    const keyed = beside.map((body) => own.filter((key) => isNameOf(key, body.name)).map(prefixOf(body)));
    const [first = [], ...others] = keyed.filter((prefixes) => prefixes.length > 0);
    const shared = first.filter((each) =>
      others.every((prefixes) => prefixes.some(({ name }) => name === each.name)),
    );
    if (shared.length === 0) return undefined;
    keys.push(...shared.map((each) => ({ ...each, name: `${each.name}${test.name}` })));
  }
  return keys;
}

function isNameOf({ name }: TestKey, own: string): boolean {
  return name.endsWith(own) && !/\w$/.test(name.slice(0, name.length - own.length));
}

function prefixOf({ name: own }: TestBody): (key: TestKey) => TestKey {
  return (key) => ({ ...key, name: key.name.slice(0, key.name.length - own.length) });
}
