/** One action of a run: counted, written down with its cost, and done on the state that the one before it left. */
import type { Action, ActionContext, ActionEnd } from "./action.ts";
import { usageOf } from "./conclude.ts";
import type { TaskState } from "./task-state.ts";

/** What a strategy works on; its actions change `state`. */
export interface Work {
  state: TaskState;
  /** Actions so far. */
  rounds: number;
}

export function beginWork(state: TaskState): Work {
  return { state, rounds: 0 };
}

/** `input` has passed the action's schema. Throws only where the infrastructure fails. */
export async function performAction(
  context: ActionContext,
  work: Work,
  { name, run }: Action,
  input: unknown,
): Promise<ActionEnd> {
  context.limits.spendStep();
  work.rounds += 1;
  const told = noteAction(context, { round: work.rounds, action: name, intent: intentOf(input) });
  const end = await run(context, work.state, input as never);
  told(end.isError ?? false);
  work.state = end.state;
  return end;
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
