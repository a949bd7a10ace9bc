import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import type { Checkout } from "../workspace/contract.ts";
import { holdCheckouts } from "./task-checkouts.ts";

/** Checkouts that close when the test says so. */
function fakeCheckouts() {
  const opened: { readonly checkout: Checkout; readonly closing: PromiseWithResolvers<void> }[] = [];
  const open = async (): Promise<Checkout> => {
    const closing = Promise.withResolvers<void>();
    const checkout = partOf<Checkout>({ close: () => closing.promise });
    opened.push({ checkout, closing });
    return checkout;
  };
  return { opened, open };
}

const isDone = (work: Promise<unknown>): Promise<boolean> =>
  Promise.race([work.then(() => true), new Promise<boolean>((resolve) => setImmediate(resolve, false))]);

test("opens the first checkout before somebody asks, and closes one while the next works", async () => {
  const { opened, open } = fakeCheckouts();
  const checkouts = holdCheckouts(open);
  expect(opened).toHaveLength(1);
  const first = await checkouts.open();
  expect(opened).toHaveLength(1);
  await checkouts.leave(first);
  const left = checkouts.leave(await checkouts.open());
  expect(opened).toHaveLength(2);
  expect(await isDone(left)).toBe(false);
  opened[0]?.closing.resolve();
  await left;
  const closed = checkouts.close();
  expect(await isDone(closed)).toBe(false);
  opened[1]?.closing.resolve();
  await closed;
});

test("tells each failure once: that of a close to whoever closes next, that of the first opening to whoever takes it", async () => {
  const { opened, open } = fakeCheckouts();
  const checkouts = holdCheckouts(open);
  await checkouts.leave(await checkouts.open());
  opened[0]?.closing.reject(new Error("the daemon is gone"));
  await expect(checkouts.close()).rejects.toThrow("the daemon is gone");

  const broken = holdCheckouts(async () => {
    throw new Error("no room");
  });
  await broken.close();
  await expect(broken.open()).rejects.toThrow("no room");
});
