/** Actions as tools of a thinking loop. */

import type { Action, ActionContext } from "./action.ts";
import { performAction, type Work } from "./perform-action.ts";
import { renderChanges } from "./render-state.ts";
import type { ThinkTool } from "./think.ts";

/** Those that the task's kind does not have, and those that are switched off, are left out. */
export function actionTools(
  actions: readonly Action[],
  context: ActionContext,
  work: Work,
): ThinkTool<true>[] {
  return offeredActions(actions, context).map((action) => ({
    name: action.name,
    description: action.description,
    input: action.input,
    async run(asked) {
      const before = work.state;
      const { text, isError = false, isEnd } = await performAction(context, work, action, asked);
      const changes = renderChanges(before, work.state, text);
      const reply = { text: `${text}\n\n# What it changed of the state\n\n${changes}`, isError };
      return isEnd === true ? { ...reply, end: true } : reply;
    },
  }));
}

export function offeredActions(
  actions: readonly Action[],
  { task, switches }: Pick<ActionContext, "task" | "switches">,
): readonly Action[] {
  return actions.filter(({ name, kinds }) => kinds.includes(task.kind) && !switches.without.includes(name));
}
