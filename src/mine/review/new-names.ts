/**
 * Finds names and texts that a fix adds. Also finds those that its tests need although the statement does not mention
 * them.
 */
import { literally } from "../../base/literal-pattern.ts";
import { extractSymbols } from "../../syntax/symbols/extract-symbols.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import type { Change, Split } from "../contract.ts";
import { findNewTexts } from "./new-texts.ts";
import { changedLines } from "./patch-lines.ts";

export interface NewNames {
  /** Names and keys that the fix writes and its tests use, but the statement does not mention. */
  readonly unstated: readonly string[];
  /** Names that the fix defines and no test uses. */
  readonly helpers: readonly string[];
  /**
   * Texts of several words that the fix adds and its tests expect. Neither the statement nor the base contains them.
   */
  readonly texts: readonly string[];
}

export interface NamedTrees {
  readonly store: TreeStore;
  readonly base: string;
  readonly gold: string;
}

export async function findNewNames(
  { statement }: Change,
  { goldPatch, testPatch, codeFiles, testFiles }: Split,
  trees: NamedTrees,
): Promise<NewNames> {
  const asked = changedLines(testPatch, testFiles).added.join("\n");
  const has = (text: string, name: string): boolean => wordOf(name).test(text);
  const told = has.bind(undefined, statement);
  const fix = changedLines(goldPatch, codeFiles).added;
  const defined = await definedByFix(codeFiles, trees);
  const keys = keysIn(fix.filter((line) => !/^(?:#(?!\[)|\/\/|\*)/.test(line)).join("\n"));
  const newKeys = await onlyInFix(
    keys.filter((name) => has(asked, name) && !told(name)),
    trees,
  );
  const before = await Promise.all(codeFiles.map((path) => trees.store.read(trees.base, path)));
  return {
    unstated: [...new Set([...defined.filter((name) => has(asked, name) && !told(name)), ...newKeys])],
    helpers: defined.filter((name) => !has(asked, name)),
    texts: findNewTexts({
      ...{ added: fix, asked, statement },
      before: before.map((content) => content?.toString("utf8") ?? "").join("\n"),
    }),
  };
}

export function wordOf(name: string): RegExp {
  return new RegExp(`(?<![\\w$])${literally(name)}(?![\\w$])`, "g");
}

/**
 * Returns names of definitions that no source file had before. Special names (`__len__`) and short ones belong to the
 * language.
 */
async function definedByFix(files: readonly string[], { store, base, gold }: NamedTrees): Promise<string[]> {
  const names = new Set<string>();
  for (const path of files) {
    const before = new Set(await namesIn(store, base, path));
    for (const name of await namesIn(store, gold, path)) if (!before.has(name)) names.add(name);
  }
  const found = [...names].filter((name) => /^[A-Za-z$_][\w$]{2,}$/.test(name) && !/^__.*__$/.test(name));
  return onlyInFix(found, { store, base });
}

async function onlyInFix(
  names: readonly string[],
  { store, base }: Pick<NamedTrees, "store" | "base">,
): Promise<string[]> {
  if (names.length === 0) return [];
  const known = await wordsOf(store, base);
  return [...new Set(names)].filter((name) => !known.has(name)).sort();
}

/**
 * Returns the attributes that code sets, keyword parameters, and keys of tables: `self.left = 1`, `limit: 3`,
 * `options["limit"]`.
 */
function keysIn(code: string): string[] {
  const found = code.matchAll(
    /\b(?:self|this)\.([A-Za-z_]\w{3,})\s*(?:\|\|)?=(?!=)|(?<![\w@])@([a-z_]\w{3,})\s*(?:\|\|)?=(?!=)|\[\s*:?["']?([A-Za-z_]\w{3,})["']\s*\]|\[\s*:([A-Za-z_]\w{3,})\s*\]|\bdef\s[^(\n]*\([^)\n]*?\b([A-Za-z_]\w{3,})\s*[=:]/g,
  );
  return [...found].map(([, ...names]) => names.find((name) => name !== undefined) ?? "");
}

async function namesIn(store: TreeStore, tree: string, path: string): Promise<string[]> {
  const text = (await store.read(tree, path))?.toString("utf8");
  const symbols = text === undefined ? undefined : await extractSymbols(path, text);
  return (symbols?.definitions ?? []).map(({ name }) => name);
}

/**
 * Maximum number of files to read. Millwright skips more or larger files, so a name in a skipped file can count as new.
 */
const mostFiles = 4000;
const mostBytes = 512 * 1024;

async function wordsOf(store: TreeStore, tree: string): Promise<ReadonlySet<string>> {
  const words = new Set<string>();
  for (const { path, mode } of (await store.list(tree)).slice(0, mostFiles)) {
    if (mode !== "100644" && mode !== "100755") continue;
    const content = await store.read(tree, path);
    if (content === undefined || content.length > mostBytes) continue;
    for (const [word] of content.toString("utf8").matchAll(/[A-Za-z$_][\w$]*/g)) words.add(word);
  }
  return words;
}
