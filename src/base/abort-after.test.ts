import { once } from "node:events";
import { expect, test } from "vitest";
import { abortAfter } from "./abort-after.ts";

test.each([0.4, -3, 12.75])("a limit of %d ms ends", async (ms) => {
  const signal = abortAfter(ms);
  if (signal?.aborted === false) await once(signal, "abort");
  expect(signal?.aborted).toBe(true);
});

test.each([Number.POSITIVE_INFINITY, 2 ** 31])("a limit of %d ms is none", (ms) => {
  expect(abortAfter(ms)).toBeUndefined();
});
