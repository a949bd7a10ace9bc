/** Reverts edits of lines where earlier patches failed, so that the work continues elsewhere. */
import type { ActionContext } from "../action.ts";
import { spansOfDiff } from "../code/diff-spans.ts";
import { guardEdits } from "../code/guard-edits.ts";
import type { TaskState } from "../state/task-state.ts";
import type { ThinkTool } from "../think/think.ts";
import { refuseSpans, tabuPlaces } from "./controller.ts";

/**
 * Wraps tools to refuse edits in forbidden places. `start`: the tree before the edits. Returns the tools unchanged if
 * nothing is forbidden.
 */
export async function guardTabu<T>(
  { view, workspace: { trees, base } }: Pick<ActionContext, "view" | "workspace">,
  state: TaskState,
  start: string,
  tools: readonly ThinkTool<T>[],
): Promise<readonly ThinkTool<T>[]> {
  const own = spansOfDiff(await trees.diff(base, start));
  const tabu = tabuPlaces(state, own);
  if (tabu.length === 0) return tools;
  return guardEdits({ view }, tools, async (before) => {
    const text = refuseSpans(tabu, spansOfDiff(await trees.diff(base, view.tree())));
    return text === undefined ? undefined : { text, tree: before };
  });
}
