/** Finds code in built and vendored files that the base's own sources already have, such as a stale `dist/`. */
import type { TestRegions } from "../../../judging/test-regions.ts";
import { linesOfSpans } from "../../../judging/test-regions.ts";
import { isForeignFile, isSourceFile } from "../../../languages/source-files.ts";
import { type ChangedFile, linesOf, readSource } from "../../code/change.ts";
import { type BaseFiles, mostSearched } from "../texts/base-files.ts";
import { listPlaced, type PlacedValue } from "./special-values.ts";

interface Built {
  readonly file: Pick<ChangedFile, "path" | "after">;
  readonly value: PlacedValue;
  /** Another value of the same branch. */
  readonly partner: PlacedValue | undefined;
}

interface Sources {
  readonly base: BaseFiles;
  readonly regions: Pick<TestRegions, "spansIn" | "isWhole">;
}

/**
 * Returns true for a value in a built or vendored file, if a branch of the base's own code has both values. Without a
 * partner, the base's own code must have the value's line.
 */
export async function isBuiltFromBase(
  { file, value, partner }: Built,
  { base, regions }: Sources,
): Promise<boolean> {
  if (!isForeignFile(file.path)) return false;
  const wanted = lineAt(file.after, value);
  const own = (await base.list()).filter((path) => isSourceFile(path) && !regions.isWhole(path));
  for (const path of own.slice(0, mostSearched)) {
    const text = await base.read(path);
    const words = [value, ...(partner === undefined ? [] : [partner])].map(wordOf);
    if (text === undefined || !words.every((word) => text.includes(word))) continue;
    const source = await readSource(path, text);
    if (source === undefined) continue;
    const tests = linesOfSpans(text, await regions.spansIn(path, text));
    const placed = listPlaced(source, (line) => !tests.has(line));
    const isThere = (old: PlacedValue): boolean =>
      partner === undefined
        ? lineAt(text, old) === wanted
        : placed.some((other) => other.branch === old.branch && isSame(other, partner));
    if (placed.some((old) => isSame(old, value) && isThere(old))) return true;
  }
  return false;
}

/** Returns a string without its quotes, because built code may use other quotes. */
function wordOf({ key, text }: PlacedValue): string {
  return key.startsWith("t:") ? key.slice(2) : text;
}

function isSame(one: PlacedValue, other: PlacedValue): boolean {
  return one.key === other.key && one.place === other.place;
}

function lineAt(text: string | undefined, { line }: PlacedValue): string {
  return (linesOf(text)[line - 1] ?? "").trim();
}
