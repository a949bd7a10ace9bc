/**
 * Runs steps that a time limit may end early. The result of such a step says so, and a caller with more time repeats
 * the step.
 */
import { z } from "zod";
import type { Limits } from "./limits.ts";
import type { Recorder, StepOptions } from "./recorder.ts";

/**
 * A field of a limited step's result. `cutMs`: the milliseconds after which the limit ended the step. Absent if the
 * step is complete. 0 if the step gave no result and may run again at any time.
 */
export const cutSchema = { cutMs: z.number().optional() };
interface MayBeCut {
  readonly cutMs?: number | undefined;
}

/**
 * Minimum time limit of a step in ms, even if less time is left. Millwright ends a longer step, and the result says so.
 */
const leastMs = 1_000;
/**
 * A replay's time limit for a step that the recorded run completed: at least `ms` milliseconds, and at least a multiple
 * of the recorded time limit. A slow machine must not cut such a step.
 */
const patience = { ms: 30 * 60_000, factor: 4 };
/**
 * Upper bounds of a step's recorded time limit, in ms and as a multiple of the step's usual time. A recording may be
 * damaged or false.
 */
const mostRecorded = { ms: 2 * 60 * 60_000, factor: 10 };

/**
 * The part of a result that depends on time. `of` returns this part as JSON. `only` applies a recorded run's part to a
 * result. Without `Reached`, a replay only repeats the time of a step that a limit ended.
 */
export interface Reached<T> {
  of(result: T, isCut: boolean): unknown;
  only(result: T, recorded: unknown): T;
  /**
   * False if a result lacks something that the recorded run reached: a replay then repeats the step with more time.
   * Absent: the recorded time suffices for a step that a limit ended.
   */
  contains?(result: T, recorded: unknown): boolean;
}

export interface LimitedOptions<T extends MayBeCut> extends Omit<StepOptions<T>, "isFinal" | "timed"> {
  /** The step's time limit in ms, if the run's own limit is not near. */
  readonly usualMs: number;
  readonly reached?: Reached<T>;
}

export interface LimitedResult<T> {
  readonly result: T;
  /** True if the step used up its time. */
  readonly isCut: boolean;
  /** True if the step gave no result, but a repetition continues its work. Example: a build that a limit ended. */
  readonly isOpen?: boolean;
}

export interface LimitedContext {
  readonly recorder: Pick<Recorder, "step">;
  readonly limits: Pick<Limits, "remainingMs">;
}

const decidedSchema = z.object({
  isCut: z.boolean(),
  /** The step's time limit. */
  ms: z.number(),
  cutMs: z.number().optional(),
  reached: z.unknown(),
});
/** A step's end in the recorded run. */
export type Decided = z.infer<typeof decidedSchema>;

/**
 * Runs a step for a limited time. `execute` gets this time, and in a replay the step's end in the recorded run. If a
 * limit ended the recorded step, a replay gives the step the recorded time. It gives more time only if a recorded part
 * is missing, and never more than the user's limit leaves.
 */
export function limitedStep<T extends MayBeCut>(
  { recorder, limits }: LimitedContext,
  { usualMs, reached, ...options }: LimitedOptions<T>,
  execute: (timeMs: number, recorded?: Decided) => Promise<LimitedResult<T>>,
): Promise<T> {
  const within = (ms: number): number => Math.max(leastMs, Math.min(ms, limits.remainingMs()));
  const timeMs = within(usualMs);
  const isFinal = ({ cutMs }: T, last: unknown): boolean =>
    cutMs === undefined || cutMs >= timeMs || cutMs === decidedSchema.safeParse(last).data?.cutMs;
  let [isLate, ms] = [false, timeMs];
  const timed = (result: T): Decided => ({
    ...{ isCut: isLate, ms, cutMs: result.cutMs },
    reached: reached?.of(result, isLate),
  });
  return recorder.step({ ...options, isFinal, timed }, async (decided) => {
    const known = decidedSchema.safeParse(decided).data;
    if (known !== undefined) {
      ms = Math.min(known.ms, mostRecorded.ms, mostRecorded.factor * usualMs);
      const recorded = { ...known, ms };
      const patientMs = Math.max(patience.ms, patience.factor * recorded.ms);
      let givenMs = within(recorded.isCut ? recorded.ms : patientMs);
      let ran = await execute(givenMs, recorded);
      if (recorded.isCut && reached?.contains?.(ran.result, recorded.reached) === false) {
        givenMs = within(patientMs);
        ran = await execute(givenMs, recorded);
      }
      const { result, isCut, isOpen = false } = ran;
      isLate = recorded.isCut || isCut;
      const same = reached?.only(result, recorded.reached) ?? result;
      if (recorded.cutMs !== undefined) return { ...same, cutMs: recorded.cutMs };
      if (recorded.isCut || !isCut) return same;
      return { ...same, cutMs: isOpen ? 0 : givenMs };
    }
    const { result, isCut, isOpen = false } = await execute(timeMs);
    isLate = isCut;
    if (isOpen) return { ...result, cutMs: 0 };
    return isCut && timeMs < usualMs ? { ...result, cutMs: timeMs } : result;
  });
}
