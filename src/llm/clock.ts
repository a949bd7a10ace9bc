import { setTimeout as sleep } from "node:timers/promises";

/** Time and randomness behind an interface, so that tests do not have to wait. */
export interface Clock {
  /** Milliseconds from an arbitrary start. */
  now(): number;
  /** Resolves after that time, or at once when the signal fires. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** A random number from 0 to 1, 1 excluded. */
  random(): number;
}

export const realClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
  random: Math.random,
};
