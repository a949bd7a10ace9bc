/**
 * One of several strategies in a run, with its own view of the record, and its share of the limits. The limits apply to
 * all strategies together.
 */

import { z } from "zod";
import type { NewRunEvent } from "../../domain/run-event.ts";
import type { ModelClient } from "../../llm/contract.ts";
import { createLimits, type Limits } from "../record/limits.ts";
import { metAgain } from "../record/met-limits.ts";
import { appendOnce } from "../record/once.ts";
import { countProgress, type Recorder } from "../record/recorder.ts";
import type { StrategyEnd } from "../strategy.ts";

/**
 * Returns the recorder of an arm. Each arm counts its own candidates and actions. Arms share the results of executed
 * steps, because a step's name contains its inputs.
 */
export function recorderOfArm(recorder: Recorder, arm: string): Recorder {
  return {
    ...recorder,
    ...countProgress(recorder),
    arm,
    get events() {
      return recorder.events.filter((event) => !isCounted(event) || event.arm === arm);
    },
    append: (event) => recorder.append(isCounted(event) ? { ...event, arm } : event),
    close() {},
  };
}

/** Returns the name of a step whose result belongs to one arm: its inputs do not determine it. */
export function keyForArm({ arm }: Pick<Recorder, "arm">, key: string): string {
  return arm === "" ? key : `${key}:${arm}`;
}

type CountedEvent = Extract<NewRunEvent, { readonly event: (typeof counted)[number] }>;

const counted = [
  "candidate-created",
  "action-started",
  "action-ended",
  "action-skipped",
  "places-located",
  "work-stuck",
  "limit-reached",
  "call-started",
  "call-ended",
  "tool-started",
  "tool-ended",
] as const;

function isCounted(event: NewRunEvent): event is CountedEvent {
  return counted.some((name) => name === event.event);
}

/** The share of the time that is not reserved for the choice among arms. */
const timeForArms = 0.9;

const shareSchema = z.object({
  /** The arm's start, in milliseconds of the run's work. */
  startedMs: z.number(),
  maxMs: z.number().optional(),
  maxSteps: z.int().optional(),
});
const endSchema = z.object({ endedMs: z.number() });

export interface ArmLimits {
  readonly limits: Limits;
  /** The same models, limited to the arm's remaining time. */
  readonly models: ModelClient | undefined;
}

/**
 * Limits an arm to its share of the budget, which Millwright fixes at the arm's start. Subtracts the arm's time so far,
 * including its time in earlier processes. `others`: the number of arms after this arm.
 */
export async function limitsOfArm(
  limits: Limits,
  recorder: Recorder,
  others: number,
  models: ModelClient | undefined,
  now?: () => number,
): Promise<ArmLimits> {
  const isBegun = recorder.has(keyOf(recorder, "begun"));
  const title = `set the limits of arm ${recorder.arm}`;
  const { startedMs, ...share } = await recorder.step(
    { key: keyOf(recorder, "begun"), title, schema: shareSchema },
    async () => shareOf(limits, others),
  );
  const usedMs = isBegun ? Math.max(0, (endOf(recorder) ?? recorder.usedMs) - startedMs) : 0;
  const own = createLimits({ maxMs: share.maxMs, maxSteps: share.maxSteps, usedMs }, now);
  const within = Number.isFinite(own.remainingMs()) ? models?.within({ ms: own.remainingMs() }) : models;
  const both: Limits = {
    ...limits,
    // A reserve of one arm would be withheld from all.
    ...{ reserve: undefined, full: undefined },
    remainingMs: () => Math.min(own.remainingMs(), limits.remainingMs()),
    remainingSteps: () => Math.min(own.remainingSteps(), limits.remainingSteps()),
    spendStep() {
      own.spendStep();
      limits.spendStep();
    },
    exhausted: () => limits.exhausted() ?? own.exhausted(),
  };
  return { limits: metAgain(both, recorder, within), models: within };
}

/** Records the arm's end. A resumed run does not record it again. */
export async function endArm(
  limits: Limits,
  recorder: Recorder,
  { outcome, reason }: Pick<StrategyEnd, "outcome" | "reason">,
): Promise<void> {
  const { arm } = recorder;
  appendOnce(recorder, { event: "arm-ended", arm, outcome, reason }, (known) => known.arm === arm);
  const title = `arm ${recorder.arm} is over`;
  await recorder.step({ key: keyOf(recorder, "ended"), title, schema: endSchema }, async () => ({
    endedMs: limits.usedMs(),
  }));
}

/** The arm's end, in milliseconds of the run's work; undefined if the arm has not ended. */
function endOf(recorder: Recorder): number | undefined {
  const key = keyOf(recorder, "ended");
  const ended = recorder.events.find((event) => event.event === "step-finished" && event.step === key);
  return ended?.event === "step-finished" ? endSchema.parse(ended.result).endedMs : undefined;
}

function keyOf({ arm }: Recorder, what: "begun" | "ended"): string {
  return `arm:${arm}:${what}`;
}

/** Returns the arm's share of the limits, which is equal for all remaining arms. */
function shareOf(limits: Limits, others: number): z.infer<typeof shareSchema> {
  const ms = limits.remainingMs();
  const steps = limits.remainingSteps();
  return {
    startedMs: limits.usedMs(),
    ...(Number.isFinite(ms) ? { maxMs: (ms * timeForArms) / (others + 1) } : {}),
    ...(Number.isFinite(steps) ? { maxSteps: Math.floor(steps / (others + 1)) } : {}),
  };
}
