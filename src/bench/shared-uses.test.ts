import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSharedUses } from "./shared-uses.ts";

test("who comes while the last user removes the thing waits, and gets a new one", async () => {
  const uses = createSharedUses<number>();
  const made: number[] = [];
  const hold = () => uses.hold("folder", async () => made.push(made.length));
  const [first, second] = await Promise.all([hold(), hold()]);
  expect(made).toEqual([0]);
  const removal = Promise.withResolvers<void>();
  await first?.release(() => Promise.reject(new Error("another user has it")));
  const released = second?.release(() => removal.promise);
  let isHeld = false;
  const third = hold().finally(() => {
    isHeld = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([isHeld, made.length]).toEqual([false, 1]);
  removal.resolve();
  await released;
  expect((await third).value).toBe(2);
});

test("after a failure, or a failed removal, the next user makes the thing again", async () => {
  const uses = createSharedUses<string>();
  const broken = uses.hold("folder", () => Promise.reject(new Error("the setup failed")));
  await expect(broken).rejects.toThrow("the setup failed");
  const held = await uses.hold("folder", async () => "first");
  await expect(held.release(() => Promise.reject(new Error("EBUSY")))).rejects.toThrow("EBUSY");
  expect((await uses.hold("folder", async () => "second")).value).toBe("second");
});

test("a thing whose maker is stopped is made again for the others, by one of them", async () => {
  const uses = createSharedUses<string>();
  const made: string[] = [];
  const hold = (name: string, signal: AbortSignal) =>
    uses.hold(
      "folder",
      async () => {
        made.push(name);
        await delay(50, undefined, { signal });
        return name;
      },
      signal,
    );
  const [stopped, other] = [new AbortController(), new AbortController()];
  const first = hold("first", stopped.signal);
  const others = Promise.all([hold("second", other.signal), hold("third", other.signal)]);
  stopped.abort();
  await expect(first).rejects.toThrow("aborted");
  expect((await others).map(({ value }) => value)).toEqual(["second", "second"]);
  expect(made).toEqual(["first", "second"]);
});
