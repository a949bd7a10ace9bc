/** Admits many shared users at once, or one exclusive user. */
export interface Gate {
  /** Runs `work` concurrently with other shared work. */
  shared<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work` while no other work runs. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export function createGate(): Gate {
  let last: Promise<unknown> = Promise.resolve(); // of exclusive work
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
