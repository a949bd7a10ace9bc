/**
 * Builds a tree of the base's code with another tree's tests, which shows these tests' results without the new code.
 */

import type { TestRegions } from "../../judging/test-regions.ts";
import type { Span } from "../../judging/test-spans.ts";
import type { FileChange, TreeStore } from "../../workspace/contract.ts";
import { fileMode } from "../../workspace/file-mode.ts";
import type { ChangedFiles } from "../code/changed-files.ts";

export async function testsAlone(
  trees: TreeStore,
  regions: TestRegions,
  { base, tree }: { readonly base: string; readonly tree: string },
  { tests, inside }: Pick<ChangedFiles, "tests" | "inside">,
): Promise<string> {
  const modes = new Map((await trees.list(tree)).map(({ path, mode }) => [path, mode]));
  const changes: FileChange[] = [];
  for (const path of tests) {
    const content = (await trees.read(tree, path)) ?? null;
    const mode = fileMode(modes.get(path));
    changes.push({ path, content, ...(mode === undefined ? {} : { mode }) });
  }
  for (const path of inside) {
    const [before, after] = [await trees.read(base, path), await trees.read(tree, path)];
    if (before === undefined || after === undefined) continue;
    changes.push({
      path,
      content: await withTestsOf(regions, path, before.toString("utf8"), after.toString("utf8")),
    });
  }
  return trees.write(base, changes);
}

/**
 * Replaces the test code inside the source file `text` with that of `from`, in order. If `from` has more tests, adds
 * the rest at the end, except documentation examples.
 */
export async function withTestsOf(
  regions: TestRegions,
  path: string,
  text: string,
  from: string,
): Promise<string> {
  const [own, others] = [await regions.spansIn(path, text), await regions.spansIn(path, from)];
  const of = (span: Span): string => from.slice(span.start, span.end);
  const told = others.map(of);
  let made = "";
  let at = 0;
  for (const [index, { start, end }] of own.entries()) {
    made += text.slice(at, start) + (told[index] ?? "");
    at = end;
  }
  const more = others
    .slice(own.length)
    .filter(({ isExample }) => isExample !== true)
    .map((each) => `\n${of(each)}\n`);
  return made + text.slice(at) + more.join("");
}
