/** Several pieces of work at the same time, in this process; what failed for no fault of its own is tried again after the others. */

export interface PoolOptions<Item, Result> {
  readonly workers: number;
  /** How often an item is tried again. */
  readonly retries: number;
  readonly signal: AbortSignal;
  work(item: Item): Promise<Result>;
  /** True for a result that another try may better. */
  isRetried(result: Result, item: Item): boolean;
  /** Called once for each item, with its last result. */
  onResult(result: Result, item: Item): void;
}

/** Results in the order of the items. Throws what `work` throws, once the others have finished what they are at. */
export async function runPool<Item, Result>(
  items: readonly Item[],
  options: PoolOptions<Item, Result>,
): Promise<Result[]> {
  const done = new Map<number, Result>();
  const waiting = items.map((item, at) => ({ item, at, tries: 0 }));
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { item, at, tries } = next;
      try {
        options.signal.throwIfAborted();
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
