import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { cutSchema, limitedStep } from "./limited-step.ts";
import { openRecorder } from "./recorder.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "millwright-limited-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const schema = z.object({ lines: z.int(), ...cutSchema });
const options = { key: "cover", title: "cover", schema, usualMs: 60_000 };

test("what a limit of time cut off is asked anew by a run with more time, and by no other", async () => {
  const given: number[] = [];
  const ask = async (remainingMs: number): Promise<z.infer<typeof schema>> => {
    const recorder = await openRecorder(directory, () => {});
    const context = { recorder, limits: { remainingMs: () => remainingMs } };
    const found = await limitedStep<z.infer<typeof schema>>(context, options, async (timeMs) => {
      given.push(timeMs);
      return { result: { lines: timeMs / 1_000 }, isCut: timeMs < 40_000 };
    });
    recorder.close();
    return found;
  };
  expect(await ask(5_000)).toEqual({ lines: 5, cutMs: 5_000 });
  expect((await ask(4_000)).lines).toBe(5);
  expect((await ask(20_000)).lines).toBe(20);
  expect(await ask(50_000)).toEqual({ lines: 50 });
  expect((await ask(Number.POSITIVE_INFINITY)).lines).toBe(50);
  expect((await ask(0)).lines).toBe(50);
  expect(given).toEqual([5_000, 20_000, 50_000]);
});

test("at the limit a step still has a second, and what is slow without one is recorded for good", async () => {
  const recorder = await openRecorder(directory, () => {});
  const ask = (remainingMs: number, key: string): Promise<z.infer<typeof schema>> =>
    limitedStep<z.infer<typeof schema>>(
      { recorder, limits: { remainingMs: () => remainingMs } },
      { ...options, key },
      async (timeMs) => ({ result: { lines: timeMs }, isCut: true }),
    );
  expect(await ask(0, "none")).toEqual({ lines: 1_000, cutMs: 1_000 });
  expect(await ask(Number.POSITIVE_INFINITY, "all")).toEqual({ lines: 60_000 });
  recorder.close();
});

test("what showed nothing runs again as often as it is asked, until it shows something", async () => {
  const recorder = await openRecorder(directory, () => {});
  const built: number[] = [];
  const ask = (): Promise<z.infer<typeof schema>> =>
    limitedStep<z.infer<typeof schema>>(
      { recorder, limits: { remainingMs: () => Number.POSITIVE_INFINITY } },
      { ...options, key: "build" },
      async () => {
        built.push(1);
        return { result: { lines: built.length }, isCut: true, isOpen: built.length < 2 };
      },
    );
  expect(await ask()).toEqual({ lines: 1, cutMs: 0 });
  expect(await ask()).toEqual({ lines: 2 });
  expect(await ask()).toEqual({ lines: 2 });
  recorder.close();
});
