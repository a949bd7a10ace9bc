/** One of several strategies in a run: its own view of the record, and its share of the limits, which hold for all of them. */
import type { NewRunEvent } from "../../domain/run-event.ts";
import { createLimits, type Limits } from "../run/limits.ts";
import type { Recorder } from "../run/recorder.ts";

/** Candidates and actions are counted for each arm; what was executed is shared: steps are named by what they depend on. */
export function recorderOfArm(recorder: Recorder, arm: string): Recorder {
  return {
    ...recorder,
    get events() {
      return recorder.events.filter((event) => !isCounted(event) || event.arm === arm);
    },
    append: (event) => recorder.append(isCounted(event) ? { ...event, arm } : event),
    close() {},
  };
}

type CountedEvent = Extract<NewRunEvent, { readonly event: (typeof counted)[number] }>;

const counted = ["candidate-created", "action-started", "action-ended", "work-stuck"] as const;

function isCounted(event: NewRunEvent): event is CountedEvent {
  return counted.some((name) => name === event.event);
}

/** Of the time, what is not kept for the choice among arms. */
const timeForArms = 0.9;

/** An even share for an arm that has `others` after it. */
export function limitsOfArm(limits: Limits, others: number): Limits {
  const shareOf = (left: number, part: number): number | undefined =>
    Number.isFinite(left) ? (left * part) / (others + 1) : undefined;
  const steps = shareOf(limits.remainingSteps(), 1);
  const own = createLimits({
    maxMs: shareOf(limits.remainingMs(), timeForArms),
    maxSteps: steps === undefined ? undefined : Math.floor(steps),
    usedMs: 0,
  });
  return {
    remainingMs: () => Math.min(own.remainingMs(), limits.remainingMs()),
    remainingSteps: () => Math.min(own.remainingSteps(), limits.remainingSteps()),
    spendStep() {
      own.spendStep();
      limits.spendStep();
    },
    exhausted: () => limits.exhausted() ?? own.exhausted(),
  };
}
