/**
 * Finds the renames that a statement asks for. After a rename, no existing test with the old name can run. Millwright
 * runs these tests with the new name, and changes nothing else.
 */
import { literally } from "../../base/literal-pattern.ts";
import { callableKinds, typeKinds, valueKinds } from "../../domain/code-symbols.ts";
import { diffLines } from "../../edit/line-diff.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import { textOf } from "../code/changed-files.ts";
import { symbolsOf } from "../code/symbols-of.ts";

/** Maps old names to new ones. */
export type Renames = ReadonlyMap<string, string>;

interface ChangedText {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

const isNamed: ReadonlySet<string> = new Set([...callableKinds, ...typeKinds, ...valueKinds]);
const asksRename = /\brenam(?:e|es|ed|ing)\b/i;

export async function readRenames(
  trees: Pick<TreeStore, "read">,
  statement: string,
  { paths, from, to }: { readonly paths: readonly string[]; readonly from: string; readonly to: string },
): Promise<Renames> {
  if (!asksRename.test(statement)) return new Map();
  const read = async (path: string): Promise<ChangedText> => ({
    path,
    before: await textOf(trees, from, path),
    after: await textOf(trees, to, path),
  });
  return findRenames(statement, await Promise.all(paths.map(read)));
}

/**
 * Finds the definitions that a patch renames at the statement's request. The old name must be gone, and the new one
 * must not have existed. The statement must contain both names, or a part of both: `row_list` and `item_list`, if it
 * asks for `item` in place of `row`.
 */
export async function findRenames(statement: string, files: readonly ChangedText[]): Promise<Renames> {
  const [old, now] = await Promise.all([
    definedIn(files, ({ before }) => before),
    definedIn(files, ({ after }) => after),
  ]);
  const pairs = new Map<string, string>();
  const unclear = new Set<string>();
  for (const [before, after] of files.flatMap(listPairs)) {
    const isRename = old.has(before) && !now.has(before) && now.has(after) && !old.has(after);
    if (!isRename) continue;
    if ((pairs.get(before) ?? after) !== after) unclear.add(before);
    pairs.set(before, after);
  }
  const found = [...pairs].filter(([before]) => !unclear.has(before));
  const stated = found.filter(([before, after]) => asksFor(statement, before) && holds(statement, after));
  const derived = found.filter((pair) => stated.some((each) => isDerived(pair, each)));
  return new Map([...stated, ...derived]);
}

/** Takes the lines of `after` that differ from `before` only in renamed names; elsewhere keeps those of `before`. */
export function takeRenamed(before: string, after: string, renames: Renames): string {
  if (renames.size === 0) return before;
  const [old, now] = [before.split("\n"), after.split("\n")];
  const taken: string[] = [];
  let [at, from] = [0, 0];
  for (const { fromStart, fromEnd, toStart, toEnd } of diffLines(old, now, (line) =>
    applyRenames(line, renames),
  )) {
    taken.push(...now.slice(from, toStart).map((line, offset) => choose(old[at + offset], line, renames)));
    taken.push(...old.slice(fromStart, fromEnd));
    [at, from] = [fromEnd, toEnd];
  }
  return [...taken, ...now.slice(from).map((line, offset) => choose(old[at + offset], line, renames))].join(
    "\n",
  );
}

/**
 * Accepts a line only if the rename goes from the old name to the new one. In a test, the new name may also mean
 * something else.
 */
function choose(old: string | undefined, now: string, renames: Renames): string {
  const isForward = [...renames.values()].every(
    (name) => countWords(now, name) >= countWords(old ?? "", name),
  );
  return isForward ? now : (old ?? now);
}

const literal = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\\n]|\\.)*`/;
/**
 * Matches a member that is not called, a key, or a named argument. It may belong to a result, which a rename must keep.
 */
const isOfResult = { before: /\.\s*$/, called: /^\s*(?:[(<!]|::)/, key: /^\s*(?::(?!:)|=(?![=>]))/ };

/** Replaces the old names in the text, except in literals and in parts that may belong to a result. */
export function applyRenames(text: string, renames: Renames): string {
  if (renames.size === 0) return text;
  const names = [...renames.keys()].map(literally).join("|");
  const word = new RegExp(`${literal.source}|(?<![\\w$])(${names})(?![\\w$])`, "g");
  return text.replaceAll(word, (whole, name: string | undefined, at: number) => {
    if (name === undefined) return whole;
    const [before, after] = [text.slice(Math.max(0, at - 20), at), text.slice(at + whole.length)];
    const isMember = isOfResult.before.test(before) && !isOfResult.called.test(after);
    return isMember || isOfResult.key.test(after) ? whole : (renames.get(name) ?? whole);
  });
}

function countWords(text: string, word: string): number {
  return text.match(new RegExp(`(?<![\\w$])${literally(word)}(?![\\w$])`, "g"))?.length ?? 0;
}

async function definedIn(
  files: readonly ChangedText[],
  textIn: (file: ChangedText) => string,
): Promise<ReadonlySet<string>> {
  const symbols = await Promise.all(files.map((file) => symbolsOf(file.path, textIn(file))));
  const definitions = symbols.flatMap((each) => each?.definitions ?? []);
  return new Set(definitions.filter(({ kind }) => isNamed.has(kind)).map(({ name }) => name));
}

/** Lists the pairs of words in which changed lines differ. Omits lines that also differ otherwise. */
function listPairs({ before, after }: ChangedText): [string, string][] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  return diffLines(old, now, (line) => line).flatMap(({ fromStart, fromEnd, toStart, toEnd }) =>
    fromEnd - fromStart === toEnd - toStart
      ? old.slice(fromStart, fromEnd).flatMap((line, at) => pairWords(line, now[toStart + at] ?? ""))
      : [],
  );
}

function pairWords(before: string, after: string): [string, string][] {
  const [old, now] = [before.match(token) ?? [], after.match(token) ?? []];
  if (old.length !== now.length) return [];
  const pairs = old.flatMap((word, at): [string, string][] => {
    const other = now[at] ?? "";
    return word === other ? [] : [[word, other]];
  });
  return pairs.every(([word, other]) => /^[A-Za-z_$]/.test(word) && /^[A-Za-z_$]/.test(other)) ? pairs : [];
}

const token = /[\w$]+|[^\w\s$]/g;

/** True if a line or sentence of the statement asks to rename `name`. */
function asksFor(statement: string, name: string): boolean {
  return statement.split(/\n|[.!?]\s/).some((part) => asksRename.test(part) && holds(part, name));
}

function holds(text: string, name: string): boolean {
  return countWords(text, name) > 0;
}

/** True for `bytes_vectored` and `chunks_vectored`, if `bytes` became `chunk`. */
function isDerived(
  [before, after]: readonly [string, string],
  [old, now]: readonly [string, string],
): boolean {
  const parts = new RegExp(`^(|.*_)${literally(old)}(|_.*)$`).exec(before);
  if (parts === null) return false;
  const [, head = "", tail = ""] = parts;
  return [now, `${now}s`].some((name) => after === `${head}${name}${tail}`);
}
