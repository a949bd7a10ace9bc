/** The fixed sequence in progress: performs its actions, and counts them as rounds. */
import type { Action, ActionEnd } from "../../agent/action.ts";
import { noteSkipped } from "../../agent/control/perform-action.ts";
import { performNamed, type StagedRun } from "../../agent/control/stages.ts";
import { rulesOf } from "../../agent/kinds/rules-of.ts";
import type { Candidate } from "../../domain/candidate.ts";
import { inputOf } from "./intents.prompt.ts";

export const rounds = 20;

export interface Line {
  readonly run: StagedRun;
  readonly offered: readonly Action[];
  /** Ids of the candidates that exist at the start. The strategy measures them, but does not continue from them. */
  readonly given: ReadonlySet<string>;
  /** Number of actions of the sequence so far, including disabled ones. Does not count requests to the gate. */
  made: number;
}

export function openLine(run: StagedRun, offered: readonly Action[]): Line {
  return { run, offered, given: new Set(run.work.state.candidates.map(({ id }) => id)), made: 0 };
}

/**
 * Performs an action of the sequence. Undefined if the action is not offered, or if nothing exists yet for it to work
 * on. `more`: further fields of the action's input.
 */
export async function perform(
  line: Line,
  name: string,
  said: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<ActionEnd | undefined> {
  const { context, work } = line.run;
  line.made += 1;
  const action = line.offered.find((each) => each.name === name);
  const situation = { kind: context.task.kind, state: work.state, newest: newestOf(line), said };
  const input = inputOf(name, situation);
  if (action === undefined) return undefined;
  if (input === undefined) {
    noteSkipped(context, work, name, "no earlier step produced a candidate for this step");
    return undefined;
  }
  return performNamed(line.run, action, action.input.parse({ ...input, ...more }));
}

export function newestOf({ run: { context, work }, given }: Line): Candidate | undefined {
  const { delivers } = rulesOf(context.task.kind);
  return work.state.candidates.findLast(({ id, kind }) => kind === delivers && !given.has(id));
}

export function isOver({ run, made }: Line): boolean {
  if (made >= rounds) run.stop ??= { because: "steps", message: `the limit of ${rounds} rounds was reached` };
  return run.stop !== undefined;
}
