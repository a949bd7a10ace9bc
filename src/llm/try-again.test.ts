import { describe, expect, it } from "vitest";
import { fail, succeed } from "../base/result.ts";
import { type CallPauses, keepPauses } from "./call-pauses.ts";
import type { Clock } from "./clock.ts";
import { createThrottle, type SharedPause, type Throttle } from "./throttle.ts";
import { tryAgain, usualPatience } from "./try-again.ts";

/** Time passes when somebody sleeps, and at no other time; chance takes nothing off a wait. */
function fakeClock(): Clock & { readonly sleeps: number[] } {
  let now = 0;
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => now,
    async sleep(ms) {
      sleeps.push(ms);
      now += ms;
    },
    random: () => 0,
  };
}

function pausesOf(pauses: CallPauses, account: string): SharedPause {
  return {
    remaining: () => pauses.remaining(account),
    pause: (ms) => pauses.pause(account, ms),
    pauseLong: () => pauses.pauseLong(account),
  };
}

const signal = new AbortController().signal;
const longestMs = 300_000;

async function enter(throttle: Throttle): Promise<() => void> {
  const entered = await throttle.enter(signal, longestMs);
  if (!entered.ok) throw new Error(entered.message);
  return entered.value;
}

describe("another attempt", () => {
  const run = (failures: readonly ReturnType<typeof fail>[], chance = 0) => {
    const clock = { ...fakeClock(), random: () => chance };
    let count = 0;
    const attempt = async () => (failures[count++] ?? succeed("answer")) as never;
    const throttle = createThrottle(4, clock);
    const options = { attempt, throttle, clock, signal, patience: usualPatience, onProgress: () => {} };
    return tryAgain<string>(options).then((result) => ({ result, count, sleeps: clock.sleeps }));
  };
  const unavailable = fail("unavailable", "overloaded");

  it("comes after twice the time, less what chance takes off, at most half", async () => {
    expect((await run([unavailable, unavailable, unavailable])).sleeps).toEqual([1000, 2000, 4000]);
    expect((await run([unavailable, unavailable], 0.5)).sleeps).toEqual([750, 1500]);
  });

  it("comes a bounded number of times", async () => {
    const { result, count } = await run(Array(50).fill(unavailable));
    expect([result.ok, count]).toEqual([false, 6]);
  });

  it.each(["auth", "quota-spent", "context-too-long", "refused", "bad-request", "budget"])(
    "never comes after %s",
    async (kind) => {
      expect((await run([fail(kind, "no")])).count).toBe(1);
    },
  );

  it("comes when the provider said, for all callers", async () => {
    const { sleeps } = await run([{ ...fail("rate-limit", "slow down"), retryAfterMs: 20_000 } as never]);
    expect(sleeps).toEqual([20_000]);
  });
});

it("pauses the account for long once a call was refused at each attempt, although nobody asked for it", async () => {
  const clock = fakeClock();
  const pauses = keepPauses(clock.now);
  const throttle = createThrottle(4, clock, pausesOf(pauses, "a"));
  const attempt = async () => fail("rate-limit", "slow down") as never;
  const options = { attempt, throttle, clock, signal, patience: usualPatience, onProgress: () => {} };
  expect(await tryAgain<string>(options)).toMatchObject({ ok: false, kind: "rate-limit" });
  expect(await pauses.remaining("a")).toBeGreaterThan(2 * longestMs - 1);
  const { length } = clock.sleeps;
  expect(await tryAgain<string>(options)).toMatchObject({ ok: false, kind: "rate-limit" });
  expect(clock.sleeps).toHaveLength(length);
});

describe("calls at a time", () => {
  it("are halved by a complaint, and grow by one after a round of good answers", async () => {
    const throttle = createThrottle(8, fakeClock());
    void throttle.complained(0);
    void throttle.complained(0);
    expect(throttle.width()).toBe(2);
    throttle.answered();
    expect(throttle.width()).toBe(2);
    throttle.answered();
    expect(throttle.width()).toBe(3);
    for (let count = 0; count < 100; count++) throttle.answered();
    expect(throttle.width()).toBe(8);
  });

  it("are never more than that, and each place is given on", async () => {
    const throttle = createThrottle(2, fakeClock());
    let inside = 0;
    let most = 0;
    const work = async () => {
      const leave = await enter(throttle);
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      leave();
      leave(); // a second time changes nothing
    };
    await Promise.all(Array.from({ length: 20 }, work));
    expect([most, inside]).toEqual([2, 0]);
  });

  it("let go of who is cancelled while waiting", async () => {
    const throttle = createThrottle(1, fakeClock());
    const leave = await enter(throttle);
    const controller = new AbortController();
    const waiting = throttle.enter(controller.signal, longestMs);
    controller.abort();
    expect(await waiting).toMatchObject({ ok: false, kind: "cancelled" });
    leave();
    expect((await throttle.enter(signal, longestMs)).ok).toBe(true);
  });

  it("wait for a pause that another process met, and fail at one that is not worth the wait", async () => {
    const clock = fakeClock();
    const pauses = keepPauses(clock.now);
    const shared = pausesOf(pauses, "a");
    const [first, second] = [createThrottle(4, clock, shared), createThrottle(4, clock, shared)];
    await first.complained(20_000);
    await enter(second);
    expect(clock.sleeps).toEqual([20_000]);
    await first.complained(3_600_000);
    for (const each of [first, second])
      expect(await each.enter(signal, longestMs)).toMatchObject({ ok: false, kind: "rate-limit" });
    expect(clock.sleeps).toEqual([20_000]);
  });

  it("wait for a pause of just the longest time, whatever chance adds", async () => {
    const clock = { ...fakeClock(), random: () => 0.9 };
    const pauses = keepPauses(clock.now);
    await pauses.pause("a", longestMs);
    await enter(createThrottle(4, clock, pausesOf(pauses, "a")));
    expect(clock.sleeps).toEqual([longestMs]);
  });
});
