/** Opens and closes a task's checkouts beside other work, because a daemon takes long to start and end a container. */
import type { Checkout } from "../workspace/contract.ts";

export interface TaskCheckouts {
  open(): Promise<Checkout>;
  /** Starts to close the checkout. Waits for the one before, and throws the error of that one. */
  leave(checkout: Checkout): Promise<void>;
  /** Waits until no checkout opens or closes. Throws the error of the last `leave`. */
  close(): Promise<void>;
}

/** Opens the first checkout at once. Until somebody takes it, its owner is the workspace, which closes it. */
export function holdCheckouts(openNext: () => Promise<Checkout>): TaskCheckouts {
  let first: Promise<Checkout> | undefined = openNext();
  first.catch(() => {}); // whoever takes the checkout gets the error
  let closing = Promise.resolve();
  return {
    open() {
      const next = first ?? openNext();
      first = undefined;
      return next;
    },
    async leave(checkout) {
      const before = closing;
      closing = checkout.close();
      closing.catch(() => {}); // the next `leave` or `close` throws the error
      await before;
    },
    async close() {
      await first?.catch(() => {});
      await closing;
    },
  };
}
