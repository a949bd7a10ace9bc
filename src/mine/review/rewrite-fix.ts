/** Equivalent rewrites of a fix: other names for its definitions, another layout, other message texts. */
import { runningKey } from "../../agent/mutants/list-mutants.ts";
import { readTestRegions } from "../../judging/test-regions.ts";
import type { FileChange, TreeStore } from "../../workspace/contract.ts";
import { isDelivered } from "../delivered.ts";
import { wordOf } from "./new-names.ts";

export interface Rewrite {
  readonly names: readonly string[];
  readonly texts: readonly string[];
  /** True to move everything one line down, and to add a space to lines of the fix where the language ignores it. */
  readonly movesLines: boolean;
}

interface FixedFiles {
  /** The files that the fix changes. */
  readonly files: readonly string[];
  /** The lines that it adds, without their indentation. */
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
    const renamed = rewriteText(text, rewrite, isTest);
    const moved =
      isChanged && rewrite.movesLines ? moveLines(await addSpaces(path, renamed, lines)) : renamed;
    if (moved !== text) changes.push({ path, content: moved });
  }
  return changes.length === 0 ? tree : store.write(tree, changes);
}

function moveLines(text: string): string {
  return /^(?:#!|<\?|\uFEFF)/.test(text) ? text : `\n${text}`;
}

/** Each try parses the file. */
const mostSpaces = 40;
const mostTries = 3;

/**
 * Doubles one space in each line of `wanted`, if the code keeps its meaning. Leaves spaces in strings unchanged. Stops
 * after 40 tries.
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

function rewriteText(text: string, { names, texts }: Rewrite, isTest: (at: number) => boolean): string {
  const edits: { at: number; length: number; text: string }[] = [];
  for (const name of names)
    for (const { index } of text.matchAll(wordOf(name)))
      if (!isTest(index)) edits.push({ at: index, length: name.length, text: otherName(name) });
  for (const each of texts)
    for (let at = text.indexOf(each); at !== -1; at = text.indexOf(each, at + each.length))
      if (!isTest(at)) edits.push({ at, length: each.length, text: otherWords(each) });
  edits.sort((a, b) => b.at - a.at);
  return edits.reduce(
    (made, { at, length, text: own }) => made.slice(0, at) + own + made.slice(at + length),
    text,
  );
}

/** Keeps the style of the name, because the case of the first letter can have a meaning. */
function otherName(name: string): string {
  if (name.includes("_") || name === name.toLowerCase()) return `${name}_again`;
  return name === name.toUpperCase() ? `${name}_AGAIN` : `${name}Again`;
}

/** Swaps the last two words. */
function otherWords(text: string): string {
  return text.replace(/(\w+)(\s+)(\w+)(\W*)$/, "$3$2$1$4");
}
