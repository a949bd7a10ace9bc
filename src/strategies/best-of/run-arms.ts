/** Runs the arms one after the other. Each arm gets its share of the remaining limits, and its own state. */

import { endArm, limitsOfArm, recorderOfArm } from "../../agent/control/arm.ts";
import { appendOnce } from "../../agent/record/once.ts";
import { inScope } from "../../agent/record/scope.ts";
import { leftOpenOf } from "../../agent/state/left-open.ts";
import { emptyState, type TaskState } from "../../agent/state/task-state.ts";
import { describeDecoding, type StrategyContext, type StrategyEnd } from "../../agent/strategy.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { ModelClient } from "../../llm/contract.ts";
import { type Arm, decodingOf } from "./arms.ts";
import { factsFor, hasUserAnswered } from "./shared-facts.ts";

export interface ArmRun {
  readonly arm: Arm;
  readonly end: StrategyEnd;
  /**
   * The arm's candidates, without the earlier candidates from which they started. Their ids are unique among all arms.
   */
  readonly candidates: readonly Candidate[];
  /** The candidate that the arm itself would deliver. */
  readonly chosen: string | undefined;
  /** The arm's state, without its own candidates. */
  readonly state: TaskState;
}

/** The share of cost reserved for the choice among arms. */
const keptBack = 0.1;

export async function runArms(context: StrategyContext, arms: readonly Arm[]): Promise<ArmRun[]> {
  const runs: ArmRun[] = [];
  for (const [index, arm] of arms.entries()) {
    if (context.limits.exhausted() !== undefined) break;
    context.recorder.append({
      event: "phase-started",
      phase: "repair",
      title: `arm ${arm.id} of ${arms.length}: ${arm.strategy.name}`,
    });
    const own = await contextOf(context, arm, arms.length - index - 1, runs);
    noteStart(own, arm);
    const end = await inScope({ arm: arm.id }, () => arm.strategy.run(own));
    context.signal.throwIfAborted();
    await endArm(context.limits, own.recorder, end);
    runs.push(takeOver(arm, end));
  }
  return runs;
}

/** Makes an arm's context. `others`: the number of arms after it. `before`: the finished arms. */
async function contextOf(
  given: StrategyContext,
  arm: Arm,
  others: number,
  before: readonly ArmRun[],
): Promise<StrategyContext> {
  const { ask, ...unasked } = given;
  const context: StrategyContext = ask === undefined || hasUserAnswered(before) ? unasked : given;
  const { task, models, notes = [] } = context;
  const { partialPatch: _, ...clean } = task;
  const shared = arm.strategy.takesFacts === true ? factsFor(before, task.kind, notes) : [];
  const recorder = recorderOfArm(context.recorder, arm.id);
  const share = models === undefined ? undefined : shareOf(context, models, others);
  return {
    ...context,
    ...(await limitsOfArm(context.limits, recorder, others, share)),
    // Only one of several arms sees a given attempt: the others begin from the clean base.
    task: arm.id === "1" ? task : clean,
    notes: [...notes, ...shared],
    confirms: false,
    recorder,
    decoding: decodingOf(arm),
  };
}

/** Records the arm's start, once in the run's life. */
function noteStart({ recorder, decoding }: StrategyContext, { id, strategy }: Arm): void {
  const told = describeDecoding(strategy, decoding);
  appendOnce(
    recorder,
    { event: "arm-started", arm: id, strategy: strategy.name, decoding: told },
    ({ arm }) => arm === id,
  );
}

function shareOf({ maxUsd }: StrategyContext, models: ModelClient, others: number): ModelClient {
  if (maxUsd === undefined) return models.within({});
  const left = maxUsd * (1 - keptBack) - models.spent().usd;
  return models.within({ usd: Math.max(0, left) / (others + 1) });
}

/** Takes over an arm's work. All ids of candidates get the arm's prefix. */
export function takeOver(arm: Arm, end: StrategyEnd): ArmRun {
  const { state: reached = emptyState } = end;
  const { candidates: made, ending, ...state } = reached;
  const known = end.state === undefined && end.candidate !== undefined ? [end.candidate] : made;
  const rename = (id: string): string => (id === "base" ? id : `${arm.id}.${id}`);
  const candidates = known.map(({ id, tree, kind, origin }) => ({ id: rename(id), tree, kind, origin }));
  const renamed = <T extends { readonly candidate: string }>(each: T): T => ({
    ...each,
    candidate: rename(each.candidate),
  });
  const leftOpen = made.flatMap(({ id }) => {
    const parts = leftOpenOf(reached, id);
    return parts.length === 0 ? [] : [{ candidate: rename(id), parts }];
  });
  return {
    arm,
    end,
    candidates,
    chosen: end.candidate === undefined ? undefined : rename(end.candidate.id),
    state: {
      ...state,
      candidates: [],
      rows: state.rows.map(renamed),
      reviews: state.reviews.map(renamed),
      leftOpen,
      // A patch was chosen, whether or not the arm found a change necessary.
      ...(ending === undefined || ending.form === "nothing-to-change" ? {} : { ending: renamed(ending) }),
    },
  };
}
