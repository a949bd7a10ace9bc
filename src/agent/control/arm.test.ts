import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { createLimits } from "../record/limits.ts";
import { metAgain } from "../record/met-limits.ts";
import { openRecorder } from "../record/recorder.ts";
import { endArm, limitsOfArm, recorderOfArm } from "./arm.ts";

let directory: string;
let now: number;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "millwright-arm-"));
  vi.useFakeTimers({ toFake: ["Date"] });
  now = 0;
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(directory, { recursive: true, force: true });
});

/** One process of a run of 100 s with two arms; `pass` advances the clock. */
async function open() {
  const recorder = await openRecorder(directory, () => {});
  const { usedMs } = recorder;
  const began = now;
  const clock = () => now - began;
  const bounds = createLimits({ maxMs: 100_000, maxSteps: undefined, usedMs }, clock);
  const limits = metAgain(bounds, recorder, undefined);
  recorder.append({ event: usedMs === 0 ? "workspace-opened" : "run-resumed", base: "b", files: 1 } as never);
  const work = (name: string) => ({ key: name, title: name, schema: z.null() });
  return {
    recorder,
    limits,
    pass(ms: number) {
      now += ms;
      vi.setSystemTime(Date.now() + ms);
    },
    async arm(id: string, others: number) {
      const own = recorderOfArm(recorder, id);
      const made = await limitsOfArm(limits, own, others, undefined, clock);
      const step = (name: string) => own.step(work(name), async () => null);
      return { limits: made.limits, step, end: () => endArm(limits, own, { outcome: "none", reason: "" }) };
    },
  };
}

test("what an arm used of its time before a kill counts in the resumed run", async () => {
  const first = await open();
  const arm = await first.arm("1", 1);
  expect(arm.limits.remainingMs()).toBe(45_000);
  first.pass(30_000);
  await arm.step("work");
  first.recorder.close();

  const again = await open();
  const resumed = await again.arm("1", 1);
  await resumed.step("work");
  expect(resumed.limits.remainingMs()).toBe(15_000);
  again.pass(15_000);
  expect(resumed.limits.exhausted()).toBeUndefined();
  await resumed.step("something new");
  expect(resumed.limits.exhausted()).toBe("the time limit of 45 s was reached");
  again.recorder.close();
});

test("an arm whose time was over is done again as far as it came, and the one after it has its own time", async () => {
  const first = await open();
  const one = await first.arm("1", 1);
  first.pass(46_000);
  await one.step("a candidate");
  expect(one.limits.exhausted()).toContain("45 s");
  await one.end();
  const two = await first.arm("2", 0);
  expect(two.limits.remainingMs()).toBeCloseTo(48_600);
  first.pass(10_000);
  await two.step("its work");
  first.recorder.close();

  const again = await open();
  const same = await again.arm("1", 1);
  expect(same.limits.exhausted()).toBeUndefined();
  await same.step("a candidate");
  expect(same.limits.exhausted()).toContain("45 s");
  await same.end();
  expect((await again.arm("2", 0)).limits.remainingMs()).toBeCloseTo(38_600);
  const met = again.recorder.events.filter(({ event }) => event === "limit-reached");
  expect(met).toMatchObject([{ arm: "1" }]);
  again.recorder.close();
});

test("a run whose time is over keeps what it had when it is resumed, and begins nothing new", async () => {
  const first = await open();
  await first.recorder.step({ key: "a", title: "a", schema: z.null() }, async () => null);
  first.pass(101_000);
  expect(first.limits.exhausted()).toBe("the time limit of 100 s was reached");
  first.recorder.close();

  const again = await open();
  expect(again.limits.exhausted()).toBeUndefined();
  await again.recorder.step({ key: "a", title: "a", schema: z.null() }, async () => null);
  expect(again.limits.exhausted()).toBe("the time limit of 100 s was reached");
  again.recorder.close();
});

test("things that are opened are numbered for each arm, the same again in a resumed run", async () => {
  const { recorder } = await open();
  const [one, two] = [recorderOfArm(recorder, "1"), recorderOfArm(recorder, "2")];
  expect([one.number("shell"), two.number("shell"), one.number("shell"), recorder.number("shell")]).toEqual([
    1, 1, 2, 1,
  ]);
  expect([one.arm, recorder.arm]).toEqual(["1", ""]);
  recorder.close();
});
