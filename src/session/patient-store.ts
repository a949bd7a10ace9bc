/**
 * Defines stores that wait for space. Once somebody frees some space, they store the finished work, so that nobody
 * repeats it.
 */
import { setTimeout as delay } from "node:timers/promises";
import { isSystemError, MillwrightError } from "../base/errors.ts";
import type { LogStore } from "../bench/log-store.ts";
import type { ObjectStore } from "../bench/object-store.ts";
import type { ResultStore } from "../bench/result-store.ts";
import { isFullBucket } from "../bench/s3-store.ts";

const pollMs = 2000;

export interface Patience {
  /** Ends the wait for space when it aborts. */
  readonly signal: AbortSignal;
  readonly onNotice: (text: string) => void;
  /** Milliseconds between two attempts to write. */
  readonly everyMs?: number;
}

/** Returns a store that waits for free space, and then keeps each file. */
export function keepObjects(store: ObjectStore, patience: Patience): ObjectStore {
  const putOnce: ObjectStore["putOnce"] = (path, content) =>
    writePatiently(() => store.putOnce(path, content), store.name, patience);
  return { ...store, putOnce };
}

/** Returns a store that waits for free space, and then keeps each result. */
export function keepResults(store: ResultStore, patience: Patience): ResultStore {
  const keep: ResultStore["keep"] = (kind, key, result) =>
    writePatiently(() => store.keep(kind, key, result), store.directory, patience);
  return { ...store, keep };
}

/** Returns a store that waits for free space, and then keeps each log. */
export function keepLogs(store: LogStore, patience: Patience): LogStore {
  const keep: LogStore["keep"] = (key, log) =>
    writePatiently(() => store.keep(key, log), store.directory, patience);
  return { ...store, keep };
}

/**
 * Repeats `write` while the store is full, and then returns its result. Throws all other errors. If the signal aborts,
 * throws the last error. `name`: the store's name, for people.
 */
export async function writePatiently<T>(
  write: () => Promise<T>,
  name: string,
  { signal, onNotice, everyMs = pollMs }: Patience,
): Promise<T> {
  for (let isTold = false; ; isTold = true) {
    try {
      return await write();
    } catch (error) {
      if (signal.aborted || !isFull(error)) throw error;
      if (!isTold) onNotice(`a finished result waits, because the store ${name} is full`);
      await delay(everyMs, undefined, { signal }).catch(() => {});
    }
  }
}

function isFull(error: unknown): boolean {
  const cause = error instanceof MillwrightError ? error.cause : error;
  return isSystemError(cause, "ENOSPC") || isSystemError(cause, "EDQUOT") || isFullBucket(cause);
}
