/**
 * Places mutants in the texts that their files have on a tree. The tree may also contain tests that the run wrote into
 * such a file. Without them, these tests could not run, and the mutant would seem noticed.
 */
import { diffLines } from "../../edit/line-diff.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import type { Mutant } from "./list-mutants.ts";

/** Places the mutants on the tree, in order; undefined for one whose lines differ there. */
export async function placeMutants(
  trees: Pick<TreeStore, "read">,
  tree: string,
  mutants: readonly Mutant[],
): Promise<(Mutant | undefined)[]> {
  const texts = new Map<string, string | undefined>();
  for (const { file } of mutants)
    if (!texts.has(file)) texts.set(file, (await trees.read(tree, file))?.toString("utf8"));
  return mutants.map((mutant) => {
    const text = texts.get(mutant.file);
    return text === undefined ? undefined : placeMutant(mutant, text);
  });
}

/** Returns the mutant with its offsets in `text`. Undefined if the lines that it changes differ there. Pure. */
export function placeMutant(mutant: Mutant, text: string): Mutant | undefined {
  const { base, start, end } = mutant;
  if (base === text) return mutant;
  const [old, now] = [base.split("\n"), text.split("\n")];
  const first = lineAt(base, start);
  const last = lineAt(base, end);
  let moved = 0;
  for (const { fromStart, fromEnd, toStart, toEnd } of diffLines(old, now, (line) => line)) {
    if (fromStart > last) break;
    // An insertion before the first line only moves it.
    if (fromEnd > first || fromStart > first) return undefined;
    moved += toEnd - toStart - (fromEnd - fromStart);
  }
  const by = offsetOf(now, first + moved) - offsetOf(old, first);
  return { ...mutant, base: text, start: start + by, end: end + by };
}

/** The line of an offset, from 0. */
function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length - 1;
}

function offsetOf(lines: readonly string[], line: number): number {
  return lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0);
}
