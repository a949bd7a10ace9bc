/** Edits in lines where patches were in vain are taken back as they are made: where the work goes on elsewhere, it does go elsewhere. */
import type { ActionContext } from "../action.ts";
import { spansOfDiff } from "../code/diff-spans.ts";
import type { TaskState } from "../state/task-state.ts";
import type { ThinkTool } from "../think/think.ts";
import { refuseSpans, tabuPlaces } from "./controller.ts";

/** `start`: the tree that the edits begin with. The tools stay as they are where nothing is tabu. */
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
