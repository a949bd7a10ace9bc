/** Checks that an author changes only files that the author's part of the task allows: code, tests or both. */

import type { TestRegions } from "../../judging/test-regions.ts";
import type { ActionContext } from "../action.ts";
import { type ChangedFiles, changedFiles, textOf } from "../code/changed-files.ts";
import type { Part } from "../kinds/contract.ts";

/**
 * Describes the forbidden changes since `start`: a patch must not change tests, and new tests must not change code.
 * Undefined if there are none. If `saysWrong` has claims, authors may change examples in documentation: the gate
 * decides about these.
 */
export async function refuseFiles(
  { view, workspace: { trees }, regions }: Pick<ActionContext, "regions" | "view" | "workspace">,
  part: Part,
  start: string,
  saysWrong: readonly unknown[] = [],
): Promise<string | undefined> {
  const changed = await changedFiles(trees, regions, start, view.tree());
  const all = refusedOf(part, changed);
  const examples: string[] = [];
  for (const path of all.filter((each) => changed.inside.includes(each))) {
    const [before, after] = [await textOf(trees, start, path), await textOf(trees, view.tree(), path)];
    if (await changesExamplesAlone(regions, path, before, after)) examples.push(path);
  }
  const refused = saysWrong.length === 0 ? all : all.filter((path) => !examples.includes(path));
  if (refused.length === 0) return undefined;
  const rule = part.files === "code" ? "must not change tests" : "may change only tests";
  if (part.name === "patch" && refused.every((path) => examples.includes(path)))
    return `Examples in the documentation are tests. Revert the changes to ${refused.join(", ")}. Exception: an example that asserts a result which the statement calls wrong. Name such an example in \`saysWrong\` of \`done\` and say why`;
  return `A ${part.name} ${rule}. Revert the changes to ${refused.join(", ")}`;
}

/** True if the tests inside a source file change only in documentation examples. */
async function changesExamplesAlone(
  regions: TestRegions,
  path: string,
  before: string,
  after: string,
): Promise<boolean> {
  const textsIn = async (text: string): Promise<string> =>
    (await regions.spansIn(path, text))
      .filter(({ isExample }) => isExample !== true)
      .map(({ start, end }) => text.slice(start, end))
      .join("\n");
  return (await textsIn(before)) === (await textsIn(after));
}

/** Undoes the forbidden changes in the working tree: restores their files to the state at `start`. */
export async function withoutRefused(
  context: Pick<ActionContext, "regions" | "view" | "workspace">,
  part: Part,
  start: string,
): Promise<void> {
  const { view, workspace, regions } = context;
  await layAsIn(
    context,
    start,
    refusedOf(part, await changedFiles(workspace.trees, regions, start, view.tree())),
  );
}

/** Makes the working tree's files at `paths` equal to those of the tree `other`. Deletes those that `other` lacks. */
export async function layAsIn(
  { view, workspace: { trees } }: Pick<ActionContext, "view" | "workspace">,
  other: string,
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return;
  const files = await Promise.all(
    paths.map(async (path) => ({ path, content: (await trees.read(other, path)) ?? null })),
  );
  await view.lay(await trees.write(view.tree(), files));
}

function refusedOf({ files }: Part, { tests, code, inside }: ChangedFiles): readonly string[] {
  if (files === "both") return [];
  return files === "tests" ? code : [...tests, ...inside];
}
