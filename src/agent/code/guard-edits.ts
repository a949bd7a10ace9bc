/** Checks each change of the working tree, so that a model hears at once about a forbidden change. */
import type { ActionContext } from "../action.ts";
import type { ThinkTool } from "../think/think.ts";

/** A problem with a change, as a text for the model. */
export interface EditProblem {
  readonly text: string;
  /** The tree to continue with: the tree before the change, or the change without its forbidden part. */
  readonly tree: string;
}

/**
 * Wraps tools that may change the working tree. `check`: finds a problem with the change since `before`. If nothing of
 * the change remains, the tool's reply is an error with the problem's text. Otherwise the reply also has this text.
 */
export function guardEdits<T>(
  { view }: Pick<ActionContext, "view">,
  tools: readonly ThinkTool<T>[],
  check: (before: string) => Promise<EditProblem | undefined>,
): readonly ThinkTool<T>[] {
  const guard = (tool: ThinkTool<T>): ThinkTool<T> => ({
    ...tool,
    async run(input) {
      const before = view.tree();
      const reply = await tool.run(input);
      const problem = view.tree() === before ? undefined : await check(before);
      if (problem === undefined) return reply;
      const { text, tree } = problem;
      if (view.tree() !== tree) await view.lay(tree);
      return tree === before ? { text, isError: true } : { ...reply, text: `${reply.text}\n\n${text}` };
    },
  });
  return tools.map(guard);
}
