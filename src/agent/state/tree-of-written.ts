import type { Workspace } from "../../workspace/contract.ts";
import type { TaskState } from "./task-state.ts";

/** Returns the base with the run's tests of the fault; the base itself if there are none, or if they conflict. */
export async function treeOfWritten(
  { trees, base }: Pick<Workspace, "trees" | "base">,
  { candidates }: Pick<TaskState, "candidates">,
): Promise<string> {
  const reproductions = candidates.filter(({ kind }) => kind === "reproduction");
  const composed = await trees.compose(base, reproductions, () => base);
  return composed.ok ? composed.value : base;
}
