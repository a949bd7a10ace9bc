/** Equivalent rewrites of a fix: other names for its definitions, another layout, other message texts. */
import { runningKey } from "../../agent/mutants/list-mutants.ts";
import { literally } from "../../base/literal-pattern.ts";
import { readTestRegions } from "../../judging/test-regions.ts";
import type { FileChange, TreeStore } from "../../workspace/contract.ts";
import { isDelivered } from "../delivered.ts";
import { wordOf } from "./new-names.ts";
import { literalsIn } from "./new-texts.ts";

export interface Rewrite {
  readonly names: readonly string[];
  readonly texts: readonly string[];
  /** True to move all lines down by one. Also adds a space to the fix's lines where the language ignores spaces. */
  readonly movesLines: boolean;
}

interface FixedFiles {
  /** The files that the fix changes. */
  readonly files: readonly string[];
  /** The lines that the fix adds, without their indentation. */
  readonly lines: ReadonlySet<string>;
}

/**
 * Rewrites a fix equivalently, for example with other names for its functions. Returns the rewritten tree. Leaves tests
 * inside the files unchanged.
 */
export async function rewriteFix(
  store: TreeStore,
  tree: string,
  { files, lines }: FixedFiles,
  rewrite: Rewrite,
): Promise<string> {
  const all = await store.list(tree);
  const paths = all.map(({ path }) => path);
  const read = async (path: string) => (await store.read(tree, path))?.toString("utf8");
  const regions = await readTestRegions({ files: paths, read, outcomes: [], framework: undefined });
  const changes: FileChange[] = [];
  for (const path of paths.filter(isDelivered)) {
    const isChanged = files.includes(path);
    if (!isChanged && rewrite.names.length === 0) continue;
    const text = await read(path);
    if (text === undefined || regions.isWhole(path)) continue;
    const spans = await regions.spansIn(path, text);
    const isTest = (at: number): boolean => spans.some(({ start, end }) => start <= at && at < end);
    const renamed = rewriteText(text, { ...rewrite, lines }, isTest);
    const moved =
      isChanged && rewrite.movesLines ? moveLines(await addSpaces(path, renamed, lines)) : renamed;
    if (moved !== text) changes.push({ path, content: moved });
  }
  return changes.length === 0 ? tree : store.write(tree, changes);
}

function moveLines(text: string): string {
  return /^(?:#!|<\?|\uFEFF)/.test(text) ? text : `\n${text}`;
}

/** Maximum number of spaces to try, because each try parses the file. */
const mostSpaces = 40;
const mostTries = 3;

/**
 * Doubles one space in each line of `wanted`, if this keeps the code's meaning. Keeps spaces in strings. Stops after 40
 * tries.
 */
export async function addSpaces(path: string, text: string, wanted: ReadonlySet<string>): Promise<string> {
  const known = await runningKey(path, text);
  const lines = text.split("\n");
  let left = mostSpaces;
  for (const [at, line] of lines.entries()) {
    if (!wanted.has(line.trim())) continue;
    const gaps = [...line.matchAll(/(?<=\S) (?=\S)/g)].slice(0, mostTries);
    for (const { index } of gaps) {
      if (left === 0) return lines.join("\n");
      left -= 1;
      const next = lines.with(at, `${line.slice(0, index)} ${line.slice(index)}`);
      if ((await runningKey(path, next.join("\n"))) !== known) continue;
      lines.splice(at, 1, next[at] ?? line);
      break;
    }
  }
  return lines.join("\n");
}

interface TextRewrite extends Pick<Rewrite, "names" | "texts"> {
  /** Lines whose string literals change, without their indentation. */
  readonly lines: ReadonlySet<string>;
}

/**
 * Renames all names, and changes the texts of string literals in `lines`. `isTest`: true for offsets of test code,
 * which stays unchanged.
 */
export function rewriteText(
  text: string,
  { names, texts, lines }: TextRewrite,
  isTest: (at: number) => boolean,
): string {
  const edits: Edit[] = [];
  for (const name of names)
    for (const { index } of text.matchAll(wordOf(name)))
      edits.push({ at: index, length: name.length, text: otherName(name) });
  if (texts.length > 0) edits.push(...listTextEdits(text, texts, lines));
  const own = edits.filter(({ at }) => !isTest(at)).toSorted((a, b) => b.at - a.at);
  return own.reduce(
    (made, { at, length, text: other }) => made.slice(0, at) + other + made.slice(at + length),
    text,
  );
}

interface Edit {
  readonly at: number;
  readonly length: number;
  readonly text: string;
}

function listTextEdits(text: string, texts: readonly string[], lines: ReadonlySet<string>): Edit[] {
  // A longer text may contain a shorter one, and edits must not overlap.
  const longest = texts.toSorted((a, b) => b.length - a.length).map(literally);
  const wanted = new RegExp(longest.join("|"), "g");
  const edits: Edit[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    const literals = lines.has(line.trim()) ? literalsIn(line) : [];
    for (const literal of literals)
      for (const { index, 0: found } of literal.text.matchAll(wanted))
        edits.push({ at: start + literal.at + index, length: found.length, text: otherWords(found) });
    start += line.length + 1;
  }
  return edits;
}

/** Returns another name in the style of the given one, because the case of the first letter can have a meaning. */
function otherName(name: string): string {
  if (name.includes("_") || name === name.toLowerCase()) return `${name}_again`;
  return name === name.toUpperCase() ? `${name}_AGAIN` : `${name}Again`;
}

/** Swaps the last two words with a space between them. */
function otherWords(text: string): string {
  return text.replace(/^(.*\b|)(\w+)(\s+)(\w+)/, "$1$4$3$2");
}
