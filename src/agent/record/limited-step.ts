/** A step that a time limit may end early. Its result then says so, and a caller with more time repeats the step. */
import { z } from "zod";
import type { Limits } from "./limits.ts";
import type { Recorder, StepOptions } from "./recorder.ts";

/**
 * A field of a limited step's result. `cutMs`: the milliseconds after which the limit ended the step. Absent if the
 * step is complete; 0 if it gave no result and may run again at any time.
 */
export const cutSchema = { cutMs: z.number().optional() };
interface MayBeCut {
  readonly cutMs?: number | undefined;
}

/** Minimum milliseconds of a step, even at the limit: a longer one is ended, and says so. */
const leastMs = 1_000;

export interface LimitedOptions<T extends MayBeCut> extends Omit<StepOptions<T>, "isFinal"> {
  /** The time that it may take if no limit is near. */
  readonly usualMs: number;
}

export interface LimitedResult<T> {
  readonly result: T;
  /** True if the step used up its time. */
  readonly isCut: boolean;
  /** True if the step gave no result, but a repetition continues its work: a build that a limit ended. */
  readonly isOpen?: boolean;
}

export interface LimitedContext {
  readonly recorder: Pick<Recorder, "step">;
  readonly limits: Pick<Limits, "remainingMs">;
}

export function limitedStep<T extends MayBeCut>(
  { recorder, limits }: LimitedContext,
  { usualMs, ...options }: LimitedOptions<T>,
  execute: (timeMs: number) => Promise<LimitedResult<T>>,
): Promise<T> {
  const timeMs = Math.max(leastMs, Math.min(usualMs, limits.remainingMs()));
  const isFinal = ({ cutMs }: T): boolean => cutMs === undefined || cutMs >= timeMs;
  return recorder.step({ ...options, isFinal }, async () => {
    const { result, isCut, isOpen = false } = await execute(timeMs);
    if (isOpen) return { ...result, cutMs: 0 };
    return isCut && timeMs < usualMs ? { ...result, cutMs: timeMs } : result;
  });
}
