/**
 * Replaces a tree's tests with those of another tree, including tests inside sources, to run existing tests on a patch.
 */

import { diffLines } from "../../edit/line-diff.ts";
import { linesOfSpans, type TestRegions } from "../../judging/test-regions.ts";
import type { Span } from "../../judging/test-spans.ts";
import type { FileChange, TreeStore } from "../../workspace/contract.ts";
import { fileMode } from "../../workspace/file-mode.ts";
import { changedFiles } from "../code/changed-files.ts";
import { withTestsOf } from "./tests-alone.ts";

/**
 * Returns `tree` with all tests as in `base`. Undoes changes, removals and additions of tests, but leaves new and
 * deleted source files as they are.
 */
export async function withTestsOfBase(
  trees: TreeStore,
  regions: TestRegions,
  base: string,
  tree: string,
): Promise<string> {
  const { tests, inside } = await changedFiles(trees, regions, base, tree);
  const modes = new Map((await trees.list(base)).map(({ path, mode }) => [path, mode]));
  const changes: FileChange[] = [];
  for (const path of tests) {
    const mode = fileMode(modes.get(path));
    const content = (await trees.read(base, path)) ?? null;
    changes.push({ path, content, ...(mode === undefined ? {} : { mode }) });
  }
  for (const path of inside) {
    const [before, after] = [await trees.read(base, path), await trees.read(tree, path)];
    if (before === undefined || after === undefined) continue;
    const [from, text] = [before.toString("utf8"), after.toString("utf8")];
    const code = await withTestsOf(withoutExamples(regions), path, text, from);
    changes.push({ path, content: await layExamples(regions, path, code, from) });
  }
  return changes.length === 0 ? tree : trees.write(tree, changes);
}

/** Replaces the examples in `text` with those of `from`. Finds their places by the unchanged lines around them. */
export async function layExamples(
  regions: Pick<TestRegions, "spansIn">,
  path: string,
  text: string,
  from: string,
): Promise<string> {
  const linesIn = async (of: string): Promise<ReadonlySet<number>> =>
    linesOfSpans(of, (await regions.spansIn(path, of)).filter(isExample));
  const [own, theirs] = [await linesIn(text), await linesIn(from)];
  const [lines, others] = [text.split("\n"), from.split("\n")];
  const made: string[] = [];
  let at = 0;
  for (const { fromStart, fromEnd, toStart, toEnd } of diffLines(others, lines, (line) => line)) {
    made.push(...lines.slice(at, toStart));
    made.push(...others.slice(fromStart, fromEnd).filter((_, index) => theirs.has(fromStart + index + 1)));
    made.push(...lines.slice(toStart, toEnd).filter((_, index) => !own.has(toStart + index + 1)));
    at = toEnd;
  }
  return [...made, ...lines.slice(at)].join("\n");
}

function isExample({ isExample: is }: Span): boolean {
  return is === true;
}

/** Returns the regions without examples in documents and docstrings. */
export function withoutExamples(regions: TestRegions): TestRegions {
  return {
    isWhole: (path) => regions.isWhole(path),
    inside: (path) => ({ ...regions.inside(path), examples: false }),
    spansIn: async (path, text) => (await regions.spansIn(path, text)).filter((span) => !isExample(span)),
  };
}

/** True if an example in `before` is missing in `after`. */
export async function losesExamples(
  regions: TestRegions,
  path: string,
  before: string,
  after: string,
): Promise<boolean> {
  const textsIn = async (text: string): Promise<string[]> =>
    (await regions.spansIn(path, text)).filter(isExample).map(({ start, end }) => text.slice(start, end));
  const now = await textsIn(after);
  return (await textsIn(before)).some((text) => !now.includes(text));
}
