/** A step that a limit of time may cut off: its result is recorded as such, and whoever has more time than it had asks anew. */
import { z } from "zod";
import type { Limits } from "./limits.ts";
import type { Recorder, StepOptions } from "./recorder.ts";

/** Part of what such a step returns: the milliseconds after which the limit cut it off; absent where it is whole. */
export const cutSchema = { cutMs: z.number().optional() };
interface MayBeCut {
  readonly cutMs?: number | undefined;
}

/** Milliseconds that a step has even at the limit: what takes longer is cut off, and says so. */
const leastMs = 1_000;

export interface LimitedOptions<T extends MayBeCut> extends Omit<StepOptions<T>, "isFinal"> {
  /** What it may take where no limit is near. */
  readonly usualMs: number;
}

export interface LimitedResult<T> {
  readonly result: T;
  /** It used up its time. */
  readonly isCut: boolean;
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
    const { result, isCut } = await execute(timeMs);
    return isCut && timeMs < usualMs ? { ...result, cutMs: timeMs } : result;
  });
}
