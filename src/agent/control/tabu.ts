/** Reverts edits of lines where earlier patches failed, so that the work continues elsewhere. */
import type { ActionContext } from "../action.ts";
import { spansOfDiff } from "../code/diff-spans.ts";
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
  const guard = (tool: ThinkTool<T>): ThinkTool<T> => ({
    ...tool,
    async run(input) {
      const before = view.tree();
      const reply = await tool.run(input);
      if (view.tree() === before) return reply;
      const problem = refuseSpans(tabu, spansOfDiff(await trees.diff(base, view.tree())));
      if (problem === undefined) return reply;
      await view.lay(before);
      return { text: problem, isError: true };
    },
  });
  return tools.map(guard);
}
