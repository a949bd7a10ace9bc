/**
 * Runs work on several items concurrently in this process. Retries an item after all others if a retry may improve its
 * result.
 */

export interface PoolOptions<Item, Result> {
  readonly workers: number;
  /** The most retries of one item. */
  readonly retries: number;
  readonly signal: AbortSignal;
  /** Waits until an item may begin. */
  ready?(): Promise<void>;
  work(item: Item): Promise<Result>;
  /** True if retrying may improve the result. */
  isRetried(result: Result, item: Item): boolean;
  /** True once no further item is needed: those in progress still end. */
  isEnough?(): boolean;
  /** Called once per item with its last result. */
  onResult(result: Result, item: Item): void;
}

/**
 * Returns the results in the order of the items. Leaves out items that never began because `isEnough` returned true. If
 * `work` throws, rethrows the error after the work in progress has finished.
 */
export async function runPool<Item, Result>(
  items: readonly Item[],
  options: PoolOptions<Item, Result>,
): Promise<Result[]> {
  const done = new Map<number, Result>();
  const waiting = items.map((item, at) => ({ item, at, tries: 0 }));
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (options.isEnough?.() === true) return;
      const { item, at, tries } = next;
      try {
        options.signal.throwIfAborted();
        await options.ready?.();
        const result = await options.work(item);
        if (options.isRetried(result, item) && tries < options.retries) {
          waiting.push({ item, at, tries: tries + 1 });
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
