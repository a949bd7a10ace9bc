/** Lists the values that a patch adds to the code. Pure. */
import type { TestRegions } from "../../judging/test-regions.ts";
import { linesOfSpans } from "../../judging/test-regions.ts";
import { languageOf } from "../../languages/source-files.ts";
import { addedLines, type ChangedFile, linesOf, readSource } from "../code/change.ts";
import { isCommonKey, listShownKeys, type ValueKey } from "./value-keys.ts";

export interface NewValue {
  readonly path: string;
  readonly key: ValueKey;
}

export interface NewValuesSources {
  readonly files: readonly ChangedFile[];
  readonly regions: Pick<TestRegions, "spansIn">;
}

/** A message for people has several words. */
const isProse = (key: ValueKey): boolean => /\p{L}{2,}\s+\p{L}{2,}/u.test(key);
const document = /\.(?:md|rst|adoc)$|(?:^|\/)(?:CHANGE|NEWS|HISTORY)[^/]*$/i;

/**
 * The literals of added lines that occur more often than before, without common ones and messages. The number in a new
 * name (`w7`) and a changed file of data count as values too.
 */
export async function listNewValues({ files, regions }: NewValuesSources): Promise<NewValue[]> {
  const found: NewValue[] = [];
  for (const file of files) {
    const { path, before, after, isTest } = file;
    if (isTest || after === undefined) continue;
    const source = await readSource(path, after);
    if (source === undefined) {
      if (languageOf(path) === undefined && !document.test(path)) found.push({ path, key: "data" });
      continue;
    }
    const tests = linesOfSpans(after, await regions.spansIn(path, after));
    const added = new Set(addedLines(file));
    const isOwn = (line: number): boolean => added.has(line) && !tests.has(line);
    const old = await readSource(path, before);
    const now = countKeys(listShownKeys(source, () => true));
    const then = countKeys(old === undefined ? [] : listShownKeys(old, () => true));
    const isMore = (key: ValueKey): boolean => (now.get(key) ?? 0) > (then.get(key) ?? 0);
    const written = listShownKeys(source, isOwn).filter(isMore);
    const named = linesOf(after).flatMap((line, at) =>
      isOwn(at + 1) ? numbersInNames(line, before ?? "") : [],
    );
    for (const key of new Set([...written, ...named]))
      if (!isCommonKey(key) && !isProse(key)) found.push({ path, key });
  }
  return found;
}

function numbersInNames(line: string, before: string): ValueKey[] {
  const names = [...line.matchAll(/\b[A-Za-z_]+?(\d+)\b/g)];
  return names.flatMap(([name, digits]) => (before.includes(name) ? [] : [`n:${Number(digits)}`]));
}

function countKeys(keys: readonly ValueKey[]): Map<ValueKey, number> {
  const counts = new Map<ValueKey, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
