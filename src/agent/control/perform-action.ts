/** One action of a run: counted, written down, and done on the state that the one before it left. */

import { fieldOf } from "../../base/fields.ts";
import type { Action, ActionContext, ActionEnd } from "../action.ts";
import { type Span, spansOfDiff } from "../code/diff-spans.ts";
import { withinStep } from "../record/limits.ts";
import { appendOnce } from "../record/once.ts";
import { currentScope, inScope } from "../record/scope.ts";
import { compareScores, type TaskState } from "../state/task-state.ts";
import { describeOffers, lookForStuck, refuse, type Watched } from "./controller.ts";
import { bestScore, type Done } from "./stuck-work.ts";

/** What a strategy works on; its actions change `state`. */
export interface Work extends Watched {
  state: TaskState;
  /** Actions so far. */
  rounds: number;
  /** True where the controller refuses what leads no further; else it only watches, and remarks on it. */
  readonly isHeld: boolean;
  readonly history: Done[];
  readonly spans: Map<string, readonly Span[]>;
  hopeless: string | undefined;
}

export function beginWork(state: TaskState, isHeld = false): Work {
  return { state, rounds: 0, isHeld, history: [], spans: new Map(), hopeless: undefined };
}

/** `input` has passed the action's schema. Throws only where the infrastructure fails. */
export async function performAction(
  context: ActionContext,
  work: Work,
  action: Action,
  input: unknown,
): Promise<ActionEnd> {
  await measureSpans(context, work);
  const refusal = work.isHeld ? refuse(work, action, input) : undefined;
  if (refusal !== undefined) return { state: work.state, text: refusal, isError: true };
  const { name, run } = action;
  const round = work.rounds + 1;
  const told = noteAction(context, { round, action: name, intent: intentOf(input) });
  // The last step that is allowed may think too.
  const within = { ...context, limits: withinStep(context.limits) };
  const end = await inScope({ round, action: name }, () => run(within, work.state, input));
  // Only now: an action that waits for its user ends with an error, and is entered again with the answer.
  context.limits.spendStep();
  work.rounds = round;
  told(end);
  remember(work, name, input, end);
  await measureSpans(context, work);
  noteStuck(context, work);
  return end;
}

/** For a loop of thinking that is hopeless: what is offered, once; then it ends. */
export function rescueFor(
  context: Pick<ActionContext, "recorder">,
  work: Work,
): (sign: string) => string | undefined {
  return (sign) => {
    if (!work.isHeld || work.hopeless !== undefined) return undefined;
    work.hopeless = `none of the last answers made progress (${sign})`;
    noteStuck(context, work);
    const stuck = lookForStuck(work);
    return stuck === undefined ? undefined : describeOffers(work.state, stuck);
  };
}

function remember(work: Work, action: string, input: unknown, end: ActionEnd): void {
  const { text, isError = false, unmet } = end;
  const raised = compareScores(bestScore(end.state), bestScore(work.state)) > 0;
  work.history.push({ action, input, text, isError, unmet, raised });
  if (action === "backtrack" && !isError) work.hopeless = undefined;
  work.state = end.state;
}

async function measureSpans(
  { workspace }: Pick<ActionContext, "workspace">,
  { state, spans }: Work,
): Promise<void> {
  for (const { id, tree } of state.candidates)
    if (!spans.has(id)) spans.set(id, spansOfDiff(await workspace.trees.diff(workspace.base, tree)));
}

/** Once in the life of the run for each round. */
function noteStuck({ recorder }: Pick<ActionContext, "recorder">, work: Work): void {
  const stuck = lookForStuck(work);
  if (stuck === undefined) return;
  const { rounds: round, isHeld } = work;
  const event = { event: "work-stuck", round, sign: stuck.sign, isHeld } as const;
  appendOnce(recorder, event, (known) => known.round === round);
}

interface Chosen {
  readonly round: number;
  readonly action: string;
  readonly intent: string;
}

/** Writes down that the action starts, and how it ended; once in the life of the run. */
function noteAction({ recorder }: Pick<ActionContext, "recorder">, chosen: Chosen): (end: ActionEnd) => void {
  const { round, action } = chosen;
  const isSame = (known: { readonly round: number; readonly action: string }): boolean =>
    known.round === round && known.action === action;
  const { within } = currentScope();
  const by = within === undefined ? {} : { within };
  appendOnce(recorder, { event: "action-started", ...chosen, ...by }, isSame);
  return ({ isError: failed = false, text }) => {
    const why = failed && text.trim() !== "" ? { why: lineOf(text) } : {};
    appendOnce(recorder, { event: "action-ended", round, action, failed, ...why }, isSame);
  };
}

/** Writes down, once in the life of the run, that an action of a fixed sequence was left out. */
export function noteSkipped(
  { recorder }: Pick<ActionContext, "recorder">,
  work: Work,
  action: string,
  why: string,
): void {
  const round = work.rounds;
  const isSame = (known: { readonly round: number; readonly action: string }): boolean =>
    known.round === round && known.action === action;
  appendOnce(recorder, { event: "action-skipped", round, action, why }, isSame);
}

const longestWhy = 200;

function lineOf(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > longestWhy ? `${line.slice(0, longestWhy)}…` : line;
}

/** What a reader is shown of an action's input. */
function intentOf(input: unknown): string {
  const told = ["intent", "candidate", "note", "question"].map((name) => fieldOf(input, name));
  return String(told.find((each) => each !== undefined && each !== null) ?? "");
}
