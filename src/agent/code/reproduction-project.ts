import { forgeFolder } from "../../forge/contract.ts";
import { type ForgeEnd, forgeProject } from "../../forge/forge-project.ts";
import type { FileChange, TreeStore } from "../../workspace/contract.ts";
import type { ActionContext } from "../action.ts";
import type { ShellDesk } from "./shell-desk.ts";

/** Runs the reproduction, for a shell in the repository's root: `sh` with this file. */
export const runScript = `${forgeFolder}/run`;

/** For the build of a project that uses all of the target's dependencies, once. */
const checkSeconds = 900;

/** Lays a project beside the target, in the desk's tree; what does not build is taken away again. */
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

/** The tree without the project, which is no part of what is handed in. */
export async function withoutReproductionProject(trees: TreeStore, tree: string): Promise<string> {
  const own = (await trees.list(tree)).filter(({ path }) => path.startsWith(`${forgeFolder}/`));
  return own.length === 0
    ? tree
    : trees.write(
        tree,
        own.map(({ path }) => ({ path, content: null })),
      );
}
