/**
 * How many calls one provider gets at a time. It halves when the provider complains of too many, and grows by one after as many
 * good answers as there are places (additive increase, multiplicative decrease); a pause holds for all who wait.
 */
import type { Clock } from "./clock.ts";

export interface Throttle {
  /** Waits for a place. Undefined when the signal fired first; else what gives the place back. */
  enter(signal: AbortSignal): Promise<(() => void) | undefined>;
  /** The provider answered. */
  answered(): void;
  /** The provider asks for fewer calls, and for none before that time. */
  complained(waitMs: number): void;
  /** Places at present. */
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
