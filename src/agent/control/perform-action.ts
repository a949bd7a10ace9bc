/** Performs one action of a run on the current state: counts, records and executes it. */

import { fieldOf } from "../../base/fields.ts";
import type { Action, ActionContext, ActionEnd } from "../action.ts";
import { type Span, spansOfDiff } from "../code/diff-spans.ts";
import { withinStep } from "../record/limits.ts";
import { appendOnce } from "../record/once.ts";
import { currentScope, inScope } from "../record/scope.ts";
import { compareScores, type TaskState } from "../state/task-state.ts";
import { describeOffers, lookForStuck, refuse, type Watched } from "./controller.ts";
import { bestScore, type Done } from "./stuck-work.ts";

/** A strategy's work so far. Each action replaces `state`. */
export interface Work extends Watched {
  state: TaskState;
  /** Number of actions so far. */
  rounds: number;
  /** True if the controller blocks useless actions; otherwise it only observes and remarks. */
  readonly isHeld: boolean;
  readonly history: Done[];
  readonly spans: Map<string, readonly Span[]>;
  hopeless: string | undefined;
}

export function beginWork(state: TaskState, isHeld = false): Work {
  return { state, rounds: 0, isHeld, history: [], spans: new Map(), hopeless: undefined };
}

/**
 * Performs an action. `input` must have passed the action's schema. Returns an error end if the controller blocks the
 * action. Throws only if the infrastructure fails.
 */
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
  // The last allowed step may also think.
  const within = { ...context, limits: withinStep(context.limits) };
  const end = await inScope({ round, action: name }, () => run(within, work.state, input));
  // Only now: an action that waits for its user ends with an error, and is entered again with the answer.
  context.limits.spendStep();
  work.rounds = round;
  told(end);
  noteLocated(context, { round, action: name }, work.state, end.state);
  remember(work, name, input, end);
  await measureSpans(context, work);
  noteStuck(context, work);
  return end;
}

/**
 * Returns a function that a stuck thinking loop calls. Its first call returns the alternatives. Later calls return
 * undefined and thus end the loop, until the work has gone back. All calls return undefined if the controller blocks no
 * actions.
 */
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

/** Records, once in the run's life for each round, that the work is stuck. */
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

/** Records the action's start and end, once in the run's life. */
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

/** Records, once in the run's life, the state's code places if the action changed them. */
function noteLocated(
  { recorder }: Pick<ActionContext, "recorder">,
  by: Pick<Chosen, "round" | "action">,
  before: TaskState,
  { codePlaces }: TaskState,
): void {
  if (codePlaces === before.codePlaces || codePlaces.length === 0) return;
  const places = codePlaces.map(({ file, startLine, endLine }) => ({ file, startLine, endLine }));
  const isSame = ({ round, action }: typeof by): boolean => round === by.round && action === by.action;
  appendOnce(recorder, { event: "places-located", ...by, places }, isSame);
}

/** Records that a fixed sequence skipped an action. A resumed run does not record it again. */
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

/** The part of an action's input that readers see. */
function intentOf(input: unknown): string {
  const told = ["intent", "candidate", "note", "question"].map((name) => fieldOf(input, name));
  return String(told.find((each) => each !== undefined && each !== null) ?? "");
}
