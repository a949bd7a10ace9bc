import { countOf } from "../../base/count.ts";

/** What a run may use up. A limit is an end state, not an exception: whoever spends asks first. */
export interface Limits {
  /** Milliseconds of work so far, of earlier processes of the run too. */
  usedMs(): number;
  /** Milliseconds left; Infinity without a limit. */
  remainingMs(): number;
  /** Steps (validated candidates or actions) left; Infinity without a limit. */
  remainingSteps(): number;
  /** Counts one step. */
  spendStep(): void;
  /** The limit that is used up, as a sentence, or undefined. */
  exhausted(): string | undefined;
}

/** What holds inside of a step that is counted already: the limit of time alone. */
export function withinStep(limits: Limits): Limits {
  return { ...limits, exhausted: () => (limits.remainingMs() === 0 ? limits.exhausted() : undefined) };
}

export interface LimitOptions {
  /** Wall time in milliseconds, for this process and what earlier processes of the run used. */
  readonly maxMs: number | undefined;
  readonly maxSteps: number | undefined;
  /** What earlier processes of a resumed run used. */
  readonly usedMs: number;
}

export function createLimits(options: LimitOptions, now: () => number = () => performance.now()): Limits {
  const started = now() - options.usedMs;
  const maxMs = options.maxMs ?? Number.POSITIVE_INFINITY;
  const maxSteps = options.maxSteps ?? Number.POSITIVE_INFINITY;
  let steps = 0;
  const usedMs = (): number => now() - started;
  const remainingMs = (): number => Math.max(0, maxMs - usedMs());
  const remainingSteps = (): number => Math.max(0, maxSteps - steps);
  return {
    usedMs,
    remainingMs,
    remainingSteps,
    spendStep() {
      steps += 1;
    },
    exhausted() {
      if (remainingMs() === 0) return `the time limit of ${Math.round(maxMs / 1000)} s was reached`;
      if (remainingSteps() === 0) return `the limit of ${countOf(maxSteps, "step")} was reached`;
      return undefined;
    },
  };
}
