/** Checks that an author changes only files that the author's part of the task allows: code, tests or both. */

import type { TestRegions } from "../../judging/test-regions.ts";
import type { ActionContext } from "../action.ts";
import { type ChangedFiles, changedFiles, textOf } from "../code/changed-files.ts";
import type { EditProblem } from "../code/guard-edits.ts";
import type { Part } from "../kinds/contract.ts";
import { countsClaims, wrongTests } from "../state/says-wrong.ts";

type FilesContext = Pick<ActionContext, "regions" | "view" | "workspace">;

/**
 * Describes the forbidden changes since `start`: a patch must not change tests, and new tests must not change code.
 * Undefined if there are none. If `saysWrong` has claims, authors may change examples in documentation: the gate
 * decides about these.
 */
export async function refuseFiles(
  context: FilesContext,
  part: Part,
  start: string,
  saysWrong: readonly unknown[] = [],
): Promise<string | undefined> {
  const { refused, examples } = await findRefused(context, part, start);
  if (refused.length > 0)
    return `${ruleOf(part)} Revert the changes to ${[...refused, ...examples].join(", ")}`;
  return examples.length > 0 && saysWrong.length === 0 ? tellExamples(examples) : undefined;
}

/**
 * Checks an edit as `refuseFiles` checks the whole work. `before`: the tree before the edit. Excludes forbidden files
 * from the edit. Changed examples stay, because the author may yet claim that they were wrong.
 */
export async function checkFiles(
  context: FilesContext & Pick<ActionContext, "task">,
  part: Part,
  start: string,
  before: string,
): Promise<EditProblem | undefined> {
  const { task, view, workspace } = context;
  const { trees } = workspace;
  const found = await findRefused(context, part, start);
  const edited = new Set((await trees.stat(before, view.tree())).map(({ path }) => path));
  const refused = found.refused.filter((path) => edited.has(path));
  const examples = found.examples.filter((path) => edited.has(path));
  const text = [
    ...(refused.length === 0
      ? []
      : [`${ruleOf(part)} Millwright did not apply the changes to ${refused.join(", ")}.`]),
    ...(refused.length > 0 && countsClaims(task.kind) ? [wrongTests] : []),
    ...(examples.length === 0 ? [] : [`${tellExamples(examples)}.`]),
  ].join(" ");
  return text === "" ? undefined : { text, tree: await withFilesOf(context, before, refused) };
}

function ruleOf({ name, files }: Part): string {
  return `A ${name} ${files === "code" ? "must not change tests" : "may change only tests"}.`;
}

function tellExamples(paths: readonly string[]): string {
  return `Examples in the documentation are tests. Revert the changes to ${paths.join(", ")}. Exception: an example that asserts a result which the statement calls wrong. Name such an example in \`saysWrong\` of \`done\` and say why`;
}

/** Finds files with forbidden changes since `start`. `examples`: files of a patch in which only examples change. */
async function findRefused(
  { view, workspace: { trees }, regions }: FilesContext,
  part: Part,
  start: string,
): Promise<Record<"refused" | "examples", readonly string[]>> {
  const changed = await changedFiles(trees, regions, start, view.tree());
  const all = refusedOf(part, changed);
  const examples: string[] = [];
  for (const path of part.name === "patch" ? all.filter((each) => changed.inside.includes(each)) : []) {
    const [before, after] = [await textOf(trees, start, path), await textOf(trees, view.tree(), path)];
    if (await changesExamplesAlone(regions, path, before, after)) examples.push(path);
  }
  return { refused: all.filter((path) => !examples.includes(path)), examples };
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
  context: Pick<ActionContext, "view" | "workspace">,
  other: string,
  paths: readonly string[],
): Promise<void> {
  if (paths.length > 0) await context.view.lay(await withFilesOf(context, other, paths));
}

/** Returns the working tree with the files at `paths` as in the tree `other`. */
async function withFilesOf(
  { view, workspace: { trees } }: Pick<ActionContext, "view" | "workspace">,
  other: string,
  paths: readonly string[],
): Promise<string> {
  const files = await Promise.all(
    paths.map(async (path) => ({ path, content: (await trees.read(other, path)) ?? null })),
  );
  return files.length === 0 ? view.tree() : trees.write(view.tree(), files);
}

function refusedOf({ files }: Part, { tests, code, inside }: ChangedFiles): readonly string[] {
  if (files === "both") return [];
  return files === "tests" ? code : [...tests, ...inside];
}
