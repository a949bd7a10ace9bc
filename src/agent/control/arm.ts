/** One of several strategies in a run: its own view of the record, and its share of the limits, which hold for all of them. */

import { z } from "zod";
import type { NewRunEvent } from "../../domain/run-event.ts";
import type { ModelClient } from "../../llm/contract.ts";
import { createLimits, type Limits } from "../record/limits.ts";
import { metAgain } from "../record/met-limits.ts";
import { appendOnce } from "../record/once.ts";
import { countProgress, type Recorder } from "../record/recorder.ts";
import type { StrategyEnd } from "../strategy.ts";

/** Candidates and actions are counted for each arm; what was executed is shared: steps are named by what they depend on. */
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

type CountedEvent = Extract<NewRunEvent, { readonly event: (typeof counted)[number] }>;

const counted = [
  "candidate-created",
  "action-started",
  "action-ended",
  "action-skipped",
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

/** Of the time, what is not kept for the choice among arms. */
const timeForArms = 0.9;

const shareSchema = z.object({
  /** When it began: milliseconds of the run's work. */
  startedMs: z.number(),
  maxMs: z.number().optional(),
  maxSteps: z.int().optional(),
});
const endSchema = z.object({ endedMs: z.number() });

export interface ArmLimits {
  readonly limits: Limits;
  /** The same models, which answer no longer than the arm may take. */
  readonly models: ModelClient | undefined;
}

/** What an arm was measured out when it began, and what it has used of it since, in earlier processes too. `others` come after it. */
export async function limitsOfArm(
  limits: Limits,
  recorder: Recorder,
  others: number,
  models: ModelClient | undefined,
  now?: () => number,
): Promise<ArmLimits> {
  const isBegun = recorder.has(keyOf(recorder, "begun"));
  const title = `measure out the limits of arm ${recorder.arm}`;
  const { startedMs, ...share } = await recorder.step(
    { key: keyOf(recorder, "begun"), title, schema: shareSchema },
    async () => shareOf(limits, others),
  );
  const usedMs = isBegun ? Math.max(0, (endOf(recorder) ?? recorder.usedMs) - startedMs) : 0;
  const own = createLimits({ maxMs: share.maxMs, maxSteps: share.maxSteps, usedMs }, now);
  const within = Number.isFinite(own.remainingMs()) ? models?.within({ ms: own.remainingMs() }) : models;
  const both: Limits = {
    ...limits,
    // What one arm keeps back would be kept back from all.
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

/** Writes down, once in the life of the run, how the arm came to its end. */
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

/** Milliseconds of the run's work; undefined where it has not come to its end. */
function endOf(recorder: Recorder): number | undefined {
  const key = keyOf(recorder, "ended");
  const ended = recorder.events.find((event) => event.event === "step-finished" && event.step === key);
  return ended?.event === "step-finished" ? endSchema.parse(ended.result).endedMs : undefined;
}

function keyOf({ arm }: Recorder, what: "begun" | "ended"): string {
  return `arm:${arm}:${what}`;
}

/** Even among those that are left. */
function shareOf(limits: Limits, others: number): z.infer<typeof shareSchema> {
  const ms = limits.remainingMs();
  const steps = limits.remainingSteps();
  return {
    startedMs: limits.usedMs(),
    ...(Number.isFinite(ms) ? { maxMs: (ms * timeForArms) / (others + 1) } : {}),
    ...(Number.isFinite(steps) ? { maxSteps: Math.floor(steps / (others + 1)) } : {}),
  };
}
