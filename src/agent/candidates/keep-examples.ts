/**
 * Restores documentation examples of the base that an author changed by shell commands, unless they fail with the new
 * code.
 */
import { findStatus, isFailing } from "../../domain/test-outcome.ts";
import type { TestRegions } from "../../judging/test-regions.ts";
import type { FileChange, TreeStore } from "../../workspace/contract.ts";
import type { RunContext } from "../action.ts";
import { textOf } from "../code/changed-files.ts";
import { layExamples, losesExamples, withoutExamples } from "../kinds/base-tests.ts";
import { withTestsOf } from "../kinds/tests-alone.ts";
import { runOn } from "../measure/run-candidate.ts";

interface KeptTests {
  readonly trees: TreeStore;
  readonly regions: TestRegions;
  readonly base: string;
  readonly tree: string;
  /** Selects the files of a tree with an example that passed on the base and fails in this tree. */
  readonly failing: (tree: string, paths: readonly string[]) => Promise<readonly string[]>;
}

/**
 * Restores the base's tests inside these sources, and returns the new tree. If the author removed a base example that
 * fails with the new code, the file keeps the author's examples. The gate decides whether the author may remove that
 * example.
 */
export async function withKeptTests(
  { trees, regions, base, tree, failing }: KeptTests,
  paths: readonly string[],
): Promise<string> {
  const strict: FileChange[] = [];
  const lenient = new Map<string, string>();
  for (const path of paths) {
    const after = await trees.read(tree, path);
    if (after === undefined) continue;
    const [before, text] = [await textOf(trees, base, path), after.toString("utf8")];
    const code = trim(await withTestsOf(withoutExamples(regions), path, text, before));
    strict.push({ path, content: trim(await layExamples(regions, path, code, before)) });
    if (await losesExamples(regions, path, before, text)) lenient.set(path, code);
  }
  const kept = await trees.write(tree, strict);
  const own = lenient.size === 0 ? [] : await failing(kept, [...lenient.keys()]);
  const changes = [...lenient].filter(([path]) => own.includes(path));
  return changes.length === 0
    ? kept
    : trees.write(
        kept,
        changes.map(([path, content]) => ({ path, content })),
      );
}

export function failingExamples(context: RunContext): KeptTests["failing"] {
  return async (tree, paths) => {
    const { outcomes } = await runOn(context, tree, { kind: "files", files: [...paths] });
    const broken = outcomes.filter(
      ({ key, status }) => isFailing(status) && findStatus(context.suite.outcomes, key) === "passed",
    );
    return paths.filter((path) =>
      broken.some(({ key }) => key.target === path || key.name.startsWith(`${path} - `)),
    );
  };
}

/** Removes the blank lines at the text's end, where removed tests were. */
function trim(text: string): string {
  return text.replace(/\n{2,}$/, "\n");
}
