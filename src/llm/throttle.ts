/**
 * Limits the simultaneous calls to one provider. The limit halves when the provider reports too many requests. It grows
 * by one after as many successes as there are slots (additive increase, multiplicative decrease). A pause applies to
 * all waiting callers, including callers in the batch's other processes.
 */
import { fail, type Result, succeed } from "../base/result.ts";
import { formatDuration } from "../base/units.ts";
import type { Clock } from "./clock.ts";

export interface Throttle {
  /**
   * Waits for a slot, and returns a function that releases it. Fails with "cancelled" if the signal aborts first, and
   * with "rate-limit" if a pause lasts longer than `longestMs` milliseconds.
   */
  enter(signal: AbortSignal, longestMs: number): Promise<Result<() => void, "cancelled" | "rate-limit">>;
  /** Reports a successful answer. */
  answered(): void;
  /** Reports that the provider asked for fewer calls, and for none during the next `waitMs` milliseconds. */
  complained(waitMs: number): Promise<void>;
  /** Reports a call whose attempts the provider all refused without naming a waiting time. */
  gaveUp(): Promise<void>;
  /** Returns the current number of slots. */
  width(): number;
}

/** The pauses of one account at a provider, shared with other processes. All times are in milliseconds. */
export interface SharedPause {
  remaining(): Promise<number>;
  pause(ms: number): Promise<void>;
  /**
   * Pauses the account for an estimated time, because the provider refused a call repeatedly without naming a waiting
   * time.
   */
  pauseLong(): Promise<void>;
}

const unshared: SharedPause = {
  remaining: async () => 0,
  pause: async () => {},
  pauseLong: async () => {},
};

export function createThrottle(most: number, clock: Clock, shared: SharedPause = unshared): Throttle {
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
    async enter(signal, longestMs) {
      while (!signal.aborted) {
        const pause = pausedUntil - clock.now();
        if (pause > longestMs)
          return fail("rate-limit", `the provider accepts no calls for ${formatDuration(pause)}`);
        if (pause > 0) await clock.sleep(pause, signal);
        else if (inside >= Math.max(1, Math.floor(width))) await next(waiting, signal);
        else {
          inside += 1;
          const others = await shared.remaining();
          if (others <= 0) return succeed(once(leave));
          // Processes that wait together do not ask together. No added time makes a pause too long.
          const spread = Math.min(others * (1 + clock.random() / 10), Math.max(others, longestMs));
          pausedUntil = Math.max(pausedUntil, clock.now() + spread);
          leave();
        }
      }
      return fail("cancelled", "the call was cancelled");
    },
    answered() {
      streak += 1;
      if (streak < width || width >= most) return;
      streak = 0;
      width = Math.min(most, width + 1);
      wake();
    },
    async complained(waitMs) {
      streak = 0;
      width = Math.max(1, Math.floor(width / 2));
      pausedUntil = Math.max(pausedUntil, clock.now() + waitMs);
      if (waitMs > 0) await shared.pause(waitMs);
    },
    gaveUp: () => shared.pauseLong(),
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
