/**
 * Lists realistic faults for a repository's code: single small changes by mutation operators, spread over files and
 * lines.
 */
import { listMutants, type Mutant } from "../../agent/mutants/list-mutants.ts";
import { hashText } from "../../base/hash.ts";
import { languageOf } from "../../languages/source-files.ts";
import { dialectOf } from "../../syntax/dialects/index.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import { isDelivered } from "../delivered.ts";

/** Maximum number of characters of a file to read. Larger files are usually generated. */
const largestFile = 256 * 1024;

/**
 * Lists at most `most` faults, at most one per line of code. Takes one fault from each file, then a second from each,
 * and so on. The order depends only on the seed and the texts.
 */
export async function listFaults(
  { store, tree, isTest }: FaultSources,
  most: number,
  seed: number,
): Promise<Mutant[]> {
  const order = (text: string): string => hashText(`${seed} ${text}`);
  const byFile: Mutant[][] = [];
  const files = (await store.list(tree)).filter(({ path, mode }) => mode !== "120000" && isDelivered(path));
  for (const { path } of files) {
    const language = languageOf(path);
    const text = (await store.read(tree, path))?.toString("utf8") ?? "";
    if (language === undefined || dialectOf(language.name) === undefined || text.length > largestFile)
      continue;
    const isTestLine = await isTest(path, text);
    const count = text.split("\n").length;
    const all = Array.from({ length: count }, (_, at) => at + 1).filter((line) => !isTestLine(line));
    // One fault per line is enough; the seed orders the lines.
    const lines = new Set(all.sort((a, b) => (order(`${path}:${a}`) < order(`${path}:${b}`) ? -1 : 1)));
    const found = await listMutants([{ file: path, text, language, lines }], most);
    const first = new Map(found.map((mutant) => [mutant.line, mutant] as const).reverse());
    byFile.push([...first.values()].sort((a, b) => (order(keyOf(a)) < order(keyOf(b)) ? -1 : 1)));
  }
  return takeTurns(byFile, most);
}

export interface FaultSources {
  readonly store: TreeStore;
  readonly tree: string;
  /** Returns a function that tells whether a line (from 1) is test code. */
  isTest(path: string, text: string): Promise<(line: number) => boolean>;
}

function keyOf({ file, start, end, replacement }: Mutant): string {
  return `${file}:${start}:${end}:${replacement}`;
}

function takeTurns<T>(lists: readonly (readonly T[])[], most: number): T[] {
  const taken: T[] = [];
  const longest = Math.max(0, ...lists.map((list) => list.length));
  for (let at = 0; at < longest && taken.length < most; at += 1)
    for (const list of lists) {
      const item = list[at];
      if (item !== undefined && taken.length < most) taken.push(item);
    }
  return taken;
}
