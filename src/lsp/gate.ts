/** Lets many pass at once, or one alone. */
export interface Gate {
  /** Runs beside others that share it. */
  shared<T>(work: () => Promise<T>): Promise<T>;
  /** Runs when no other does. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export function createGate(): Gate {
  let last: Promise<unknown> = Promise.resolve(); // of those that run alone
  const sharing = new Set<Promise<unknown>>();
  return {
    async shared(work) {
      const running = last.then(work);
      const settled = running.catch(() => {});
      sharing.add(settled);
      void settled.then(() => sharing.delete(settled));
      return running;
    },
    async alone(work) {
      const before = [last, ...sharing];
      const running = Promise.all(before).then(work);
      last = running.catch(() => {});
      return running;
    },
  };
}
