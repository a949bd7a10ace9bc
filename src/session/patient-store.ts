/** A store that waits for space. Finished work is then stored once somebody frees some space, and is not made again. */
import { setTimeout as delay } from "node:timers/promises";
import { isSystemError, MillwrightError } from "../base/errors.ts";
import type { ObjectStore } from "../bench/object-store.ts";

const pollMs = 2000;

export interface PatientStoreOptions {
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  readonly onNotice: (text: string) => void;
  /** Milliseconds between two attempts to write. */
  readonly everyMs?: number;
}

/** Waits while the store is full. Throws other errors, and the last one if the signal aborts. */
export function waitForSpace(
  store: ObjectStore,
  { signal, onNotice, everyMs = pollMs }: PatientStoreOptions,
): ObjectStore {
  return {
    name: store.name,
    get: (path) => store.get(path),
    async putOnce(path, content) {
      for (let isTold = false; ; isTold = true) {
        try {
          return await store.putOnce(path, content);
        } catch (error) {
          if (signal.aborted || !isFull(error)) throw error;
          if (!isTold) onNotice(`finished work waits: the store ${store.name} is full`);
          await delay(everyMs, undefined, { signal }).catch(() => {});
        }
      }
    },
  };
}

function isFull(error: unknown): boolean {
  const cause = error instanceof MillwrightError ? error.cause : error;
  return isSystemError(cause, "ENOSPC") || isSystemError(cause, "EDQUOT");
}
