import { setTimeout as sleep } from "node:timers/promises";

/** Time and randomness behind an interface, so that tests do not have to wait. */
export interface Clock {
  /** Milliseconds from an arbitrary start. */
  now(): number;
  /** Resolves after `ms` milliseconds, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Returns a random number: at least 0 and below 1. */
  random(): number;
}

export const realClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
  random: Math.random,
};
