/** Lets concurrent users share a thing that the first one makes and the last one removes. */

export interface SharedUses<T> {
  /**
   * Returns the thing under the key; makes it if it does not exist. Waits while its last user removes it. Rethrows the
   * error of `make`. `signal`: stops `make`. If another user makes the thing and that user's signal aborts, makes it
   * again.
   */
  hold(key: string, make: () => Promise<T>, signal?: AbortSignal): Promise<HeldUse<T>>;
}

export interface HeldUse<T> {
  readonly value: T;
  /** Ends the use. Call it once. `remove`: removes the thing; called for the last user. */
  release(remove?: () => Promise<void>): Promise<void>;
}

interface Shared<T> {
  readonly made: Promise<T>;
  /** The signal of the user who makes the thing. */
  readonly signal: AbortSignal | undefined;
  users: number;
  removed?: Promise<void>;
}

export function createSharedUses<T>(): SharedUses<T> {
  const inUse = new Map<string, Shared<T>>();
  const uses: SharedUses<T> = {
    async hold(key, make, signal) {
      for (let removed = inUse.get(key)?.removed; removed !== undefined; removed = inUse.get(key)?.removed)
        await removed.catch(() => {});
      const shared: Shared<T> = inUse.get(key) ?? { made: make(), signal, users: 0 };
      inUse.set(key, shared);
      shared.users += 1;
      const release: HeldUse<T>["release"] = async (remove) => {
        shared.users -= 1;
        if (shared.users > 0) return;
        if (remove !== undefined) shared.removed = remove().finally(() => inUse.delete(key));
        else if (inUse.get(key) === shared) inUse.delete(key);
        await shared.removed;
      };
      try {
        return { value: await shared.made, release };
      } catch (error) {
        if (inUse.get(key) === shared) inUse.delete(key);
        await release();
        if (shared.signal?.aborted !== true || signal?.aborted === true || shared.signal === signal)
          throw error;
        return uses.hold(key, make, signal);
      }
    },
  };
  return uses;
}
