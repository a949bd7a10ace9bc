import { forgeFolder } from "../../forge/contract.ts";
import { type ForgeEnd, forgeProject } from "../../forge/forge-project.ts";
import type { FileChange, TreeStore } from "../../workspace/contract.ts";
import type { ActionContext } from "../action.ts";
import type { ShellDesk } from "./shell-desk.ts";

/** The script that runs the reproduction: `sh` with this file, from the repository's root. */
export const runScript = `${forgeFolder}/run`;

/** Seconds for the first build, which includes all of the target's dependencies. */
const checkSeconds = 900;

/**
 * Creates a project for reproductions in the desk's tree, next to the repository's code. Restores the base if the
 * project does not build.
 */
export async function layReproductionProject(
  { workspace: { trees, base }, task }: Pick<ActionContext, "task" | "workspace">,
  desk: ShellDesk,
): Promise<ForgeEnd> {
  const forged = await forgeProject({
    project: desk.project((await trees.list(base)).map(({ path }) => path)),
    about: task.statement,
    offline: true,
    async attempt({ files, run }, command) {
      const changes = [...files, [runScript, `${run}\n`] as const].map(
        ([path, content]): FileChange => ({ path, content }),
      );
      desk.change(await trees.write(base, changes));
      const ended = await desk.execute(command, checkSeconds);
      return { worked: ended.exitCode === 0, output: `${ended.stdout}\n${ended.stderr}` };
    },
  });
  if (!forged.ok) desk.change(base);
  return forged;
}

/** Removes the reproduction's project from the tree, because Millwright does not deliver it. */
export async function withoutReproductionProject(trees: TreeStore, tree: string): Promise<string> {
  const own = (await trees.list(tree)).filter(({ path }) => path.startsWith(`${forgeFolder}/`));
  return own.length === 0
    ? tree
    : trees.write(
        tree,
        own.map(({ path }) => ({ path, content: null })),
      );
}
