/**
 * Runs stages in an order that the strategy fixes, not a model. Counts and records each stage like an action. If a
 * limit ends the run after a patch was made, the run still concludes with a patch.
 */
import { z } from "zod";
import type { Candidate } from "../../domain/candidate.ts";
import { taskKindSchema } from "../../domain/task.ts";
import { type Action, type ActionContext, type ActionEnd, defineAction } from "../action.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import { type Limits, withinStep } from "../record/limits.ts";
import type { TaskState } from "../state/task-state.ts";
import type { StrategyContext, StrategyEnd } from "../strategy.ts";
import { watchOutages } from "../think/outage.ts";
import type { StopReason } from "../think/think.ts";
import { lacksTests } from "./action-tools.ts";
import { chooseFinal } from "./choose-final.ts";
import { conclude, endWithout } from "./conclude.ts";
import { isHeldByQuestions } from "./judge-work.ts";
import { openSession } from "./open-session.ts";
import { beginWork, noteSkipped, performAction, type Work } from "./perform-action.ts";

/**
 * The reason why a stage stops. A limit ends the run. The run also ends if the model would not answer the next call.
 * Any other reason ends only the stage.
 */
export interface Stop {
  readonly because: StopReason;
  readonly message: string;
}

export interface StagedRun {
  /** The context of a stage. A stage sees only one limit: whether time is left. */
  readonly context: ActionContext;
  /** The run's limits. Before each stage, the run checks them. */
  readonly limits: Limits;
  readonly work: Work;
  /** The limit that ended the run, or the reason why no model answers. */
  stop: Stop | undefined;
  /** Returns the reason why no model answered the last call. */
  readonly outage: () => string | undefined;
}

export interface Stage<T> {
  /** The stage's name in kebab-case, as in reports and in `without`. */
  readonly name: string;
  /** The stage's purpose, for the report. */
  readonly intent: string;
  readonly run: (state: TaskState) => Promise<StageEnd<T>>;
}

export interface StageEnd<T> {
  readonly value: T | undefined;
  /** The new state, if it changes. */
  readonly state?: TaskState;
  /** The reason why the result is incomplete. */
  readonly stopped?: Stop | undefined;
}

/**
 * Opens the session, and lets `follow` run its stages. Concludes with the patch that `follow` returns, or else with the
 * best patch of the matrix. Like published systems, it neither blocks stuck work nor holds back tests. `review`: the
 * action that reviews the patch. It runs only if open questions are the only obstacle. They concern places that equal
 * the replaced code, and stated cases that no test shows.
 */
export async function runStages(
  context: StrategyContext,
  title: string,
  follow: (run: StagedRun) => Promise<Candidate | undefined>,
  review?: Action,
): Promise<StrategyEnd> {
  const switches = { ...context.switches, backtracking: false, heldBack: false };
  const session = await openSession({ ...context, switches });
  if (!session.ok) return endWithout(session.message);
  const { actionContext, state, close } = session.value;
  const { models, outage, refusal } = watchOutages(actionContext.models);
  const run: StagedRun = {
    context: { ...actionContext, models, limits: withinStep(context.limits), advise: false },
    limits: context.limits,
    work: beginWork(state),
    stop: undefined,
    outage,
  };
  try {
    context.recorder.append({ event: "phase-started", phase: "repair", title });
    const chosen = await follow(run);
    if (review !== undefined) await answerQuestions(run, review, chosen);
    context.recorder.append({ event: "phase-started", phase: "verify", title: "judge the chosen patch" });
    const steps = run.work.rounds;
    const stop = limitBehind(run.stop, refusal());
    const ended =
      stop === undefined
        ? ({ kind: "ended", value: true, steps } as const)
        : ({ kind: "stopped", steps, ...stop } as const);
    return await conclude(actionContext, run.work.state, ended, chosen);
  } finally {
    await close();
  }
}

/** Lets a review answer the open questions of the chosen patch. Published systems do not review the patch otherwise. */
async function answerQuestions(run: StagedRun, review: Action, chosen: Candidate | undefined): Promise<void> {
  const { context, work } = run;
  const candidate = chosen ?? (await chooseFinal(context, work.state, rulesOf(context.task.kind).delivers));
  if (candidate === undefined || !(await isHeldByQuestions(context, work.state, candidate))) return;
  await performNamed(run, review, { candidate: candidate.id });
}

/** Returns the limit that ends the run: the stage's own limit, or else the reason why no model answered. */
function limitBehind(stop: Stop | undefined, refusal: string | undefined): Stop | undefined {
  const isOwn = stop !== undefined && stop.because !== "steps";
  return isOwn || refusal === undefined ? stop : { because: "limit", message: refusal };
}

/**
 * Performs the stage, and returns its result. Returns undefined if the stage is disabled or has no result. Also returns
 * undefined if the run has stopped, for example at a limit.
 */
export async function performStage<T>(run: StagedRun, stage: Stage<T>): Promise<T | undefined> {
  let value: T | undefined;
  const { name, intent } = stage;
  const action = defineAction({
    name,
    description: intent,
    input: z.object({ intent: z.string() }),
    kinds: taskKindSchema.options,
    effect: "writes",
    reads: [],
    writes: [],
    async run(_context, state) {
      const end = await stage.run(state);
      value = end.value;
      if (end.stopped?.because === "limit") run.stop ??= end.stopped;
      const text = end.stopped?.message ?? "";
      return { state: end.state ?? state, text, isError: value === undefined };
    },
  });
  await performNamed(run, action, { intent });
  return value;
}

/**
 * Performs an action that strategies share. Returns undefined if the action is disabled or lacks runnable tests, or if
 * the run has stopped.
 */
export async function performNamed(
  run: StagedRun,
  action: Action,
  input: unknown,
): Promise<ActionEnd | undefined> {
  const { context, limits, work } = run;
  if (run.stop !== undefined || context.switches.without.includes(action.name)) return undefined;
  if (lacksTests(action, context)) {
    noteSkipped(context, work, action.name, "no test can run here");
    return undefined;
  }
  const limit = limits.exhausted();
  if (limit !== undefined) {
    run.stop = { because: "limit", message: limit };
    return undefined;
  }
  const end = await performAction(context, work, action, input);
  const message = run.outage();
  if (message !== undefined) run.stop ??= { because: "model", message };
  return end;
}
