/** Lists the names of new or changed code: definitions, and new files. */
import { basename, extname } from "node:path";
import { diffLines } from "../../edit/line-diff.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import { symbolsOf } from "../code/symbols-of.ts";

interface Compared {
  readonly base: string;
  readonly tree: string;
  readonly files: readonly string[];
}

export async function newNames(
  trees: Pick<TreeStore, "read">,
  { base, tree, files }: Compared,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const file of files) {
    const [before, after] = await Promise.all([base, tree].map((each) => trees.read(each, file)));
    if (before === undefined) names.add(basename(file, extname(file)));
    const [old = "", now = ""] = [before?.toString("utf8"), after?.toString("utf8")];
    for (const name of await changedNames(file, old, now)) names.add(name);
  }
  return names;
}

/**
 * Returns names of functions and other definitions with a changed line. A class or other container counts only if the
 * line with its name changed. For a language without an outline, returns words that are new in the file.
 */
export async function changedNames(file: string, before: string, after: string): Promise<string[]> {
  const changes = diffLines(before.split("\n"), after.split("\n"), (line) => line.trim());
  const changed = new Set(changes.flatMap(({ toStart, toEnd }) => numbers(toStart + 1, toEnd)));
  const definitions = (await symbolsOf(file, after))?.definitions;
  if (definitions === undefined) return newWords(before, after);
  const isAround = new Set(definitions.map(({ container }) => container));
  return definitions.flatMap(({ name, startLine, endLine, at }, index) => {
    const lines = isAround.has(index) ? [at.line] : numbers(startLine, endLine);
    return name.length > 1 && lines.some((line) => changed.has(line)) ? [name] : [];
  });
}

/** Returns the words that the file did not contain before. For a language without known definitions. */
function newWords(before: string, after: string): string[] {
  const known = new Set(wordsOf(before));
  return wordsOf(after).filter((word) => !known.has(word));
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}_$][\p{L}\p{N}_$]+/gu) ?? [];
}

function numbers(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
