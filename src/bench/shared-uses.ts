/** Lets concurrent users share a thing that the first one makes and the last one removes. */

export interface SharedUses<T> {
  /**
   * Returns the thing under the key, and makes it if nobody uses it. Waits while its last user removes it. Rethrows the
   * error of `make`.
   */
  hold(key: string, make: () => Promise<T>): Promise<HeldUse<T>>;
}

export interface HeldUse<T> {
  readonly value: T;
  /** Ends the use, once. The last user removes the thing with `remove`, if given. */
  release(remove?: () => Promise<void>): Promise<void>;
}

interface Shared<T> {
  readonly made: Promise<T>;
  users: number;
  removed?: Promise<void>;
}

export function createSharedUses<T>(): SharedUses<T> {
  const inUse = new Map<string, Shared<T>>();
  return {
    async hold(key, make) {
      for (let removed = inUse.get(key)?.removed; removed !== undefined; removed = inUse.get(key)?.removed)
        await removed.catch(() => {});
      const shared: Shared<T> = inUse.get(key) ?? { made: make(), users: 0 };
      inUse.set(key, shared);
      shared.users += 1;
      const release: HeldUse<T>["release"] = async (remove) => {
        shared.users -= 1;
        if (shared.users > 0) return;
        if (remove !== undefined) shared.removed = remove().finally(() => inUse.delete(key));
        else inUse.delete(key);
        await shared.removed;
      };
      try {
        return { value: await shared.made, release };
      } catch (error) {
        await release();
        throw error;
      }
    },
  };
}
