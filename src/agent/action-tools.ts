/** Actions as tools of a thinking loop: each works on the state that the one before it left, and is written down with its cost. */

import type { Action, ActionContext } from "./action.ts";
import { usageOf } from "./conclude.ts";
import { renderState } from "./render-state.ts";
import type { TaskState } from "./task-state.ts";
import type { ThinkTool } from "./think.ts";

/** `work` holds the state; those that the task's kind does not have are left out. */
export function actionTools(
  actions: readonly Action[],
  context: ActionContext,
  work: { state: TaskState },
): ThinkTool<true>[] {
  let round = 0;
  return actions
    .filter(({ kinds }) => kinds.includes(context.task.kind))
    .map(({ name, description, input, run }) => ({
      name,
      description,
      input,
      async run(asked) {
        context.limits.spendStep();
        round += 1;
        const told = noteAction(context, { round, action: name, intent: intentOf(asked) });
        const { state, text, isError = false, isEnd } = await run(context, work.state, asked as never);
        told(isError);
        work.state = state;
        const reply = { text: `${text}\n\n# The state now\n\n${renderState(state)}`, isError };
        return isEnd === true ? { ...reply, end: true } : reply;
      },
    }));
}

interface Chosen {
  readonly round: number;
  readonly action: string;
  readonly intent: string;
}

/** Writes down that the action starts, and how it ended with what it cost; once in the life of the run. */
function noteAction({ recorder, models }: ActionContext, chosen: Chosen): (failed: boolean) => void {
  const { round, action } = chosen;
  const isNoted = (name: "action-started" | "action-ended"): boolean =>
    recorder.events.some((event) => event.event === name && event.round === round);
  if (!isNoted("action-started")) recorder.append({ event: "action-started", ...chosen });
  const before = usageOf(models);
  return (failed) => {
    if (isNoted("action-ended")) return;
    const after = usageOf(models);
    const tokens = after.inputTokens + after.outputTokens - before.inputTokens - before.outputTokens;
    recorder.append({
      event: "action-ended",
      round,
      action,
      failed,
      calls: after.calls - before.calls,
      tokens,
    });
  };
}

/** What a reader is shown of an action's input. */
function intentOf(input: unknown): string {
  const { intent, candidate } = input as { readonly intent?: unknown; readonly candidate?: unknown };
  return String(intent ?? candidate ?? "");
}
