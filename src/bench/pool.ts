/**
 * Runs work on several items concurrently in this process. Retries an item after all others if a retry may improve its
 * result.
 */
import { setTimeout as delay } from "node:timers/promises";

export interface PoolOptions<Item, Result> {
  readonly workers: number;
  /** Maximum number of retries of one item. */
  readonly retries: number;
  readonly signal: AbortSignal;
  /** Returns a function that recognises the items that must not begin now. */
  findHeld?(): Promise<(item: Item) => boolean>;
  work(item: Item): Promise<Result>;
  /** True if retrying may improve the result. */
  isRetried(result: Result, item: Item): boolean;
  /** True for a result that does not count as a try: the item waits again. */
  isReturned?(result: Result): boolean | Promise<boolean>;
  /** True once no further item needs to begin. Items in progress still end. */
  isEnough?(): boolean;
  /** Receives each item's last result, once. */
  onResult(result: Result, item: Item): void;
}

/** Maximum number of returns of one item. Without a maximum, an item that never succeeds would never end. */
const mostReturns = 50;
/** Milliseconds between two searches for an item that may begin. */
const pollMs = 1000;

/**
 * Returns the results in the order of the items. Omits items that still waited when `isEnough` returned true. If `work`
 * throws or the signal aborts, throws the error after the work in progress has finished.
 */
export async function runPool<Item, Result>(
  items: readonly Item[],
  options: PoolOptions<Item, Result>,
): Promise<Result[]> {
  const done = new Map<number, Result>();
  const waiting = items.map((item, at) => ({ item, at, tries: 0, returns: 0 }));
  const take = async () => {
    while (waiting.length > 0) {
      options.signal.throwIfAborted();
      if (options.isEnough?.() === true) return undefined;
      const isHeld = await options.findHeld?.();
      const place = isHeld === undefined ? 0 : waiting.findIndex(({ item }) => !isHeld(item));
      if (place !== -1) return waiting.splice(place, 1)[0];
      await delay(pollMs, undefined, { signal: options.signal });
    }
    return undefined;
  };
  const worker = async (): Promise<void> => {
    for (;;) {
      try {
        const next = await take();
        if (next === undefined) return;
        const { item, at, tries, returns } = next;
        const result = await options.work(item);
        const isReturned = (await options.isReturned?.(result)) === true;
        if (isReturned && returns < mostReturns) {
          waiting.push({ item, at, tries, returns: returns + 1 });
          continue;
        }
        if (!isReturned && options.isRetried(result, item) && tries < options.retries) {
          waiting.push({ item, at, tries: tries + 1, returns });
          continue;
        }
        done.set(at, result);
        options.onResult(result, item);
      } catch (error) {
        waiting.length = 0;
        throw error;
      }
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: options.workers }, worker));
  for (const result of workers) if (result.status === "rejected") throw result.reason;
  return items.flatMap((_, at) => done.get(at) ?? []);
}
