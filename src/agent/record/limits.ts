import { countOf } from "../../base/count.ts";

/**
 * The limits of a run. Reaching a limit is a normal end, not an exception: callers check the limits before they spend.
 */
export interface Limits {
  /** Milliseconds of work so far, including earlier processes of the run. */
  usedMs(): number;
  /** Milliseconds left; Infinity without a limit. */
  remainingMs(): number;
  /** Steps (validated candidates or actions) left; Infinity without a limit. */
  remainingSteps(): number;
  /** Counts one step against the limit of steps. */
  spendStep(): void;
  /** Reserves milliseconds for the final judgement. Reduces the time left in these limits, but not in `full`. */
  readonly reserve?: ((ms: number) => void) | undefined;
  /** The limits including the reserve. */
  readonly full?: Limits | undefined;
  /** A clause that names the reached limit, or undefined. */
  exhausted(): string | undefined;
}

/** Returns the context of a final judgement, whose limits include the reserved time. */
export function forJudgement<T extends { readonly limits: Limits }>(context: T): T {
  const { full } = context.limits;
  return full === undefined ? context : { ...context, limits: full };
}

/** Returns the limits inside a counted step: only the time limit applies there. */
export function withinStep(limits: Limits): Limits {
  return { ...limits, exhausted: () => (limits.remainingMs() === 0 ? limits.exhausted() : undefined) };
}

export interface LimitOptions {
  /** Wall time in milliseconds, for this process and earlier processes of the run. */
  readonly maxMs: number | undefined;
  readonly maxSteps: number | undefined;
  /** Milliseconds that earlier processes of a resumed run used. */
  readonly usedMs: number;
}

export function createLimits(options: LimitOptions, now: () => number = () => performance.now()): Limits {
  const started = now() - options.usedMs;
  const maxMs = options.maxMs ?? Number.POSITIVE_INFINITY;
  const maxSteps = options.maxSteps ?? Number.POSITIVE_INFINITY;
  let steps = 0;
  let kept = 0;
  const usedMs = (): number => now() - started;
  const fullMs = (): number => Math.max(0, maxMs - usedMs());
  const remainingMs = (): number => Math.max(0, fullMs() - kept);
  const remainingSteps = (): number => Math.max(0, maxSteps - steps);
  const spendStep = (): void => {
    steps += 1;
  };
  const exhaustedWith = (leftMs: () => number) => (): string | undefined => {
    const isKept = leftMs() === 0 && fullMs() > 0;
    const rest = isKept ? ", except for the part reserved for judging" : "";
    if (leftMs() === 0) return `the time limit of ${Math.round(maxMs / 1000)} s was reached${rest}`;
    if (remainingSteps() === 0) return `the limit of ${countOf(maxSteps, "step")} was reached`;
    return undefined;
  };
  const counted = { usedMs, remainingSteps, spendStep };
  return {
    ...{ ...counted, remainingMs, exhausted: exhaustedWith(remainingMs) },
    reserve(ms) {
      kept = ms;
    },
    full: { ...counted, remainingMs: fullMs, exhausted: exhaustedWith(fullMs) },
  };
}
