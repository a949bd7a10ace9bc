/** Reads the literals of the tests that show the fault, which a patch's author could have copied. */
import { formatTestKey, type TestKey } from "../../../domain/test-outcome.ts";
import type { TreeStore, Workspace } from "../../../workspace/contract.ts";
import type { TaskState } from "../../state/task-state.ts";
import { openTestSources } from "../texts/test-sources.ts";
import { listShownKeys, type ValueKey } from "../texts/value-keys.ts";

/** Returns the trees with tests: the base, and those that the run wrote to show the fault. */
export function treesOfTests(
  { base }: Pick<Workspace, "base">,
  candidates: TaskState["candidates"],
): string[] {
  return [base, ...candidates.filter(({ kind }) => kind === "reproduction").map(({ tree }) => tree)];
}

/** Maps the key of each literal in the tests to the first test that contains the literal. */
export async function readShownKeys(
  trees: Pick<TreeStore, "list" | "read">,
  within: readonly string[],
  tests: readonly TestKey[],
): Promise<ReadonlyMap<ValueKey, string>> {
  const shown = new Map<ValueKey, string>();
  const sourcesOf = openTestSources(trees);
  for (const key of tests) {
    const name = formatTestKey(key);
    for (const tree of within)
      for (const { source, isRead } of await sourcesOf(tree, key))
        for (const value of listShownKeys(source, isRead)) if (!shown.has(value)) shown.set(value, name);
  }
  return shown;
}
