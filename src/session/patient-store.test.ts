import { expect, test } from "vitest";
import { MillwrightError } from "../base/errors.ts";
import type { ObjectStore } from "../bench/object-store.ts";
import { waitForSpace } from "./patient-store.ts";

const full = (code: string): Error => {
  const cause = Object.assign(new Error("no space left on device"), { code });
  return new MillwrightError("disk", "The store /shared cannot be used", { cause });
};

function storeThat(fails: (count: number) => Error | undefined) {
  const kept: string[] = [];
  let count = 0;
  const store: ObjectStore = {
    name: "/shared",
    get: async () => undefined,
    async putOnce(path) {
      count += 1;
      const error = fails(count);
      if (error !== undefined) throw error;
      kept.push(path);
      return true;
    },
  };
  return { store, kept };
}

test("finished work waits while the store is full, and is told about once", async () => {
  const { store, kept } = storeThat((count) =>
    count < 4 ? full(count < 3 ? "ENOSPC" : "EDQUOT") : undefined,
  );
  const notices: string[] = [];
  const { signal } = new AbortController();
  const patient = waitForSpace(store, { signal, onNotice: (text) => notices.push(text), everyMs: 1 });
  expect(await patient.putOnce("objects/one", Buffer.from("work"))).toBe(true);
  expect(kept).toEqual(["objects/one"]);
  expect(notices).toEqual(["finished work waits: the store /shared is full"]);
});

test("other errors are no reason to wait, and a worker that stops does not wait", async () => {
  const onNotice = (): void => {};
  const content = Buffer.from("work");
  const { signal } = new AbortController();
  const lost = waitForSpace(storeThat(() => full("EACCES")).store, { signal, onNotice, everyMs: 1 });
  await expect(lost.putOnce("objects/one", content)).rejects.toThrow("cannot be used");
  const stopped = { signal: AbortSignal.abort(), onNotice, everyMs: 1 };
  const filled = waitForSpace(storeThat(() => full("ENOSPC")).store, stopped);
  await expect(filled.putOnce("objects/one", content)).rejects.toThrow("cannot be used");
});
