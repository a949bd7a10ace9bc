/** Retries a model's failed requests: decides which failures to retry, how often, and after which delay. */

import type { Clock } from "./clock.ts";
import type { ModelFailureKind, ProgressEvent } from "./contract.ts";
import type { TransportResult } from "./provider.ts";
import type { Throttle } from "./throttle.ts";

export interface Patience {
  /** The first delay in milliseconds; it doubles with each attempt, and chance shortens each delay by up to half. */
  readonly baseMs: number;
  readonly longestWaitMs: number;
  /** If the provider asks for a longer wait, the call fails now. */
  readonly longestAskedMs: number;
}

export const usualPatience: Patience = { baseMs: 1000, longestWaitMs: 60_000, longestAskedMs: 300_000 };

/**
 * Maximum number of attempts by failure; 1 if a retry cannot help. A restarting server is back within half a minute.
 */
const attempts: Readonly<Partial<Record<ModelFailureKind, number>>> = {
  "rate-limit": 10,
  unavailable: 6,
  network: 6,
  "bad-answer": 2,
};

/**
 * Maximum number of attempts if connections were silent for `ms` milliseconds, because each attempt costs that time
 * again.
 */
const silent = { ms: 30_000, attempts: 3 };

export interface Attempts<T> {
  readonly attempt: () => Promise<TransportResult<T>>;
  readonly throttle: Throttle;
  readonly patience: Patience;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress: (event: ProgressEvent) => void;
}

/**
 * Tries a request until it succeeds or a retry cannot help. Returns the answer or the last failure. Each attempt waits
 * for a slot of the throttle.
 */
export async function tryAgain<T>(options: Attempts<T>): Promise<TransportResult<T>> {
  const { throttle, clock, patience, signal } = options;
  for (let count = 1; ; count++) {
    const entered = await throttle.enter(signal, patience.longestAskedMs);
    if (!entered.ok) return entered;
    const started = clock.now();
    const result = await options.attempt().finally(entered.value);
    if (result.ok) {
      throttle.answered();
      return result;
    }
    const asked = result.retryAfterMs ?? 0;
    const most = attempts[result.kind] ?? 1;
    const isSilent = result.kind === "network" && clock.now() - started >= silent.ms;
    const again =
      count < (isSilent ? Math.min(most, silent.attempts) : most) && asked <= patience.longestAskedMs;
    const waitMs = Math.max(asked, backOff(count, patience, clock.random()));
    if (result.kind === "rate-limit") {
      await throttle.complained(again ? waitMs : asked);
      if (!again && asked <= patience.longestAskedMs) await throttle.gaveUp();
    }
    if (!again) return count === 1 ? result : { ...result, message: `${result.message} (${count} attempts)` };
    options.onProgress({ type: "again", because: result.message, waitMs });
    if (result.kind !== "rate-limit") await clock.sleep(waitMs, signal);
  }
}

/**
 * Returns the delay before the next attempt in milliseconds: exponential with jitter, so that callers that failed
 * together do not retry together.
 */
function backOff(count: number, { baseMs, longestWaitMs }: Patience, chance: number): number {
  return Math.min(longestWaitMs, baseMs * 2 ** (count - 1)) * (1 - chance / 2);
}
