/**
 * Limits the simultaneous calls to one provider. The limit halves when the provider reports too many requests, and
 * grows by one after as many successes as there are slots (additive increase, multiplicative decrease). A pause applies
 * to all waiting callers.
 */
import type { Clock } from "./clock.ts";

export interface Throttle {
  /** Waits for a slot. Undefined if the signal fired first; else a function that releases the slot. */
  enter(signal: AbortSignal): Promise<(() => void) | undefined>;
  /** Report a successful answer. */
  answered(): void;
  /** Report that the provider asked for fewer calls, and for none before that time. */
  complained(waitMs: number): void;
  /** Current number of slots. */
  width(): number;
}

export function createThrottle(most: number, clock: Clock): Throttle {
  let width = most;
  let inside = 0;
  let streak = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  const waiting: (() => void)[] = [];
  const wake = (): void => {
    for (const go of waiting.splice(0)) go();
  };
  const leave = (): void => {
    inside -= 1;
    wake();
  };
  return {
    async enter(signal) {
      while (!signal.aborted) {
        const pause = pausedUntil - clock.now();
        if (pause > 0) await clock.sleep(pause, signal);
        else if (inside >= Math.max(1, Math.floor(width))) await next(waiting, signal);
        else {
          inside += 1;
          return once(leave);
        }
      }
      return undefined;
    },
    answered() {
      streak += 1;
      if (streak < width || width >= most) return;
      streak = 0;
      width = Math.min(most, width + 1);
      wake();
    },
    complained(waitMs) {
      streak = 0;
      width = Math.max(1, Math.floor(width / 2));
      pausedUntil = Math.max(pausedUntil, clock.now() + waitMs);
    },
    width: () => width,
  };
}

function next(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      signal.removeEventListener("abort", go);
      resolve();
    };
    signal.addEventListener("abort", go, { once: true });
    waiting.push(go);
  });
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}
