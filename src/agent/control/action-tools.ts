/** Turns actions into tools of a thinking loop. */

import { z } from "zod";
import { type Action, type ActionContext, describeAction } from "../action.ts";
import { showOutput } from "../record/outputs.ts";
import { renderChanges } from "../state/render-changes.ts";
import { renderState } from "../state/render-state.ts";
import type { ThinkTool } from "../think/think.ts";
import { lookForStuck } from "./controller.ts";
import { performAction, type Work } from "./perform-action.ts";

/**
 * Makes a tool for each action that a model may choose. Omits disabled actions, and actions that do not support the
 * task's kind. Adds the tool `state`.
 */
export function actionTools(
  actions: readonly Action[],
  context: ActionContext,
  work: Work,
): ThinkTool<true>[] {
  const tools = offeredActions(actions, context).map(
    (action): ThinkTool<true> => ({
      name: action.name,
      description: describeAction(action),
      input: action.inputFor?.(context.task.kind) ?? action.input,
      // Work that is stuck needs its way back.
      isOffered: () =>
        !lacksTests(action, context) &&
        (action.isUseful?.(work.state) !== false || lookForStuck(work) !== undefined),
      async run(asked) {
        const before = work.state;
        const {
          text,
          isError = false,
          isEnd,
        } = await performAction(context, work, action, action.input.parse(asked));
        const changes = renderChanges(before, work.state, text);
        const reply = {
          text: changes === "" ? text : `${text}\n\n# Also new in the state\n\n${changes}`,
          isError,
        };
        return isEnd === true ? { ...reply, end: true } : reply;
      },
    }),
  );
  return [...tools, stateTool(work, context)];
}

/** Makes the tool that shows the whole state on request. An action's own reply contains only the changes. */
function stateTool(work: Work, { recorder }: Pick<ActionContext, "recorder">): ThinkTool<true> {
  const input = z.object({
    output: z
      .string()
      .optional()
      .describe("an `output:…` handle from a reply: shows its text instead of the state"),
    startLine: z.int().min(1).default(1),
  });
  return {
    name: "state",
    description: "Shows the current state.",
    input,
    showsOutputs: true,
    async run(asked) {
      const { output, startLine } = input.parse(asked);
      if (output === undefined) return { text: renderState(work.state) || "Nothing is known yet." };
      return showOutput(recorder.outputs, { handle: output, startLine });
    },
  };
}

/** Returns true if the action runs tests, but no test can run. */
export function lacksTests(
  { needsTests }: Pick<Action, "needsTests">,
  { suite, task }: Pick<ActionContext, "suite" | "task">,
): boolean {
  const isNeeded = needsTests === true || needsTests?.includes(task.kind) === true;
  return isNeeded && suite.lacks !== undefined;
}

export function offeredActions(
  actions: readonly Action[],
  { task, switches }: Pick<ActionContext, "task" | "switches">,
): readonly Action[] {
  return actions.filter(({ name, kinds }) => kinds.includes(task.kind) && !switches.without.includes(name));
}
