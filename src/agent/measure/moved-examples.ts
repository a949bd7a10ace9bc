/**
 * Finds documentation examples of Rust that moved to another item, for example because the patch renames a function.
 * The tests of these examples have the item's name, so by name alone they would count as removed.
 */
import { formatTestKey, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import { readRustExample } from "../../judging/rust-examples.ts";
import type { ActionContext } from "../action.ts";
import { textOf } from "../code/changed-files.ts";

export function isRustExample({ target }: TestKey): boolean {
  return target.startsWith("doc:");
}

interface Trees {
  readonly base: string;
  /** The tree on which the examples ran again. */
  readonly kept: string;
}

/**
 * Maps the old id of each moved example to its result under the new name. The program must be the same, and must pass.
 * `normal`: returns a program's form for comparisons.
 */
export async function pairMoved(
  { workspace, regions }: Pick<ActionContext, "workspace" | "regions">,
  gone: readonly TestKey[],
  { base, kept }: Trees,
  { known, outcomes }: { readonly known: readonly TestKey[]; readonly outcomes: readonly TestOutcome[] },
  normal: (program: string) => string,
): Promise<ReadonlyMap<string, TestOutcome>> {
  const ids = new Set(known.map(formatTestKey));
  const programOf = async (tree: string, { name }: TestKey): Promise<string | undefined> => {
    const example = await readRustExample(name, (path) => textOf(workspace.trees, tree, path), regions);
    return example && normal(example.text.replaceAll(/^[ \t]+/gm, ""));
  };
  const fresh: { outcome: TestOutcome; program: string | undefined }[] = [];
  for (const outcome of outcomes)
    if (outcome.status === "passed" && isRustExample(outcome.key) && !ids.has(formatTestKey(outcome.key)))
      fresh.push({ outcome, program: await programOf(kept, outcome.key) });
  const found = new Map<string, TestOutcome>();
  for (const key of gone.filter(isRustExample)) {
    const program = await programOf(base, key);
    const at = fresh.findIndex((each) => program !== undefined && each.program === program);
    const [taken] = at < 0 ? [] : fresh.splice(at, 1);
    if (taken !== undefined) found.set(formatTestKey(key), { ...taken.outcome, key });
  }
  return found;
}
