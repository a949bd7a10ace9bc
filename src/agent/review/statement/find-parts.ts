/** Finds the stated cases whose words occur in none of the deciding tests. Runs on a thread. */
import type { TestKey } from "../../../domain/test-outcome.ts";
import { addedLines, compareTexts, linesOf } from "../../code/change.ts";
import type { TextContext } from "../contract.ts";
import { baseFiles } from "../texts/base-files.ts";
import { type OwnTest, readOwnTests } from "../texts/own-tests.ts";
import { findUnshownInputs } from "./stated-inputs.ts";
import { findUnshownLiterals, type ShownCode } from "./stated-literals.ts";
import { listLeftOut } from "./stated-pairs.ts";
import { findUnshownParts, type StatedPart } from "./stated-parts.ts";

export interface PartsInput {
  readonly statement: string;
  /** The candidate's tree, and the trees with written tests. */
  readonly within: readonly string[];
  readonly tests: readonly TestKey[];
}

export async function findParts(
  { workspace, regions }: Pick<TextContext, "workspace" | "regions">,
  { statement, within, tests }: PartsInput,
): Promise<StatedPart[]> {
  const own = await readOwnTests(workspace.trees, workspace.base, within, tests);
  const left = await listLeftOut(statement, own, baseFiles(workspace));
  const counted = findUnshownParts(statement, own);
  const found = [...left, ...counted];
  if (own.length === 0) return found;
  const shown = await readShown({ workspace, regions }, within, own);
  return [...found, ...findUnshownLiterals(statement, shown), ...findUnshownInputs(statement, shown.tests)];
}

/** Reads the patch's added lines, the deciding tests' files, and the tests of the files that a tree changes. */
async function readShown(
  { workspace: { trees, base }, regions }: Pick<TextContext, "workspace" | "regions">,
  within: readonly string[],
  own: readonly OwnTest[],
): Promise<ShownCode> {
  const known = new Map((await trees.list(base)).map(({ path, blob }) => [path, blob]));
  const files = new Set(own.map(({ file }) => file));
  const tests = new Set(own.map(({ around, body }) => `${around}\n${body}`));
  const added: string[] = [];
  for (const tree of new Set(within))
    for (const { path, mode, blob } of await trees.list(tree)) {
      const isChanged = known.get(path) !== blob;
      if (mode === "120000" || (!isChanged && !files.has(path))) continue;
      const text = (await trees.read(tree, path))?.toString("utf8") ?? "";
      for (const { start, end } of await regions.spansIn(path, text)) tests.add(text.slice(start, end));
      if (!isChanged || regions.isWhole(path)) continue;
      const before = (await trees.read(base, path))?.toString("utf8");
      const lines = linesOf(text);
      added.push(...addedLines(compareTexts(path, before, text)).map((line) => lines[line - 1] ?? ""));
    }
  return { tests: [...tests].join("\n"), added: added.join("\n") };
}
