/** Which files an editor may change for a part of a task. */
import type { ActionContext } from "../action.ts";
import { type ChangedFiles, changedFiles } from "../kinds/changed-files.ts";
import type { Part } from "../kinds/contract.ts";

/** What of the changes since `start` is not this part's to make, as a text; undefined where all of it is. */
export async function refuseFiles(
  { view, workspace, regions }: ActionContext,
  part: Part,
  start: string,
): Promise<string | undefined> {
  const refused = refusedOf(part, await changedFiles(workspace.trees, regions, start, view.tree()));
  if (refused.length === 0) return undefined;
  const what = part.files === "code" ? "tests" : "no tests";
  return `These files are ${what}, and not to be changed in a ${part.name}; take the changes back: ${refused.join(", ")}`;
}

/** Lays the tree without them. */
export async function withoutRefused(context: ActionContext, part: Part, start: string): Promise<void> {
  const { view, workspace, regions } = context;
  await layAsIn(
    context,
    start,
    refusedOf(part, await changedFiles(workspace.trees, regions, start, view.tree())),
  );
}

/** Lays the same tree, with these files as another has them. */
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
