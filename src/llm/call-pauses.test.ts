import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connect, failureOf, question, secretKey, serve, unwrap } from "../../tests/model-fixture.ts";
import {
  accountOf,
  keepPauses,
  openServedPauses,
  providerOf,
  servePauses,
  sharePauses,
} from "./call-pauses.ts";

const atZero = () => {
  let time = 0;
  return {
    now: () => time,
    pass: (ms: number): void => {
      time += ms;
    },
  };
};

test("a longer pause stays, none lasts longer than a day, and accounts do not hold back each other", async () => {
  const { now, pass } = atZero();
  const pauses = keepPauses(now);
  await pauses.pause("a", 20_000);
  await pauses.pause("a", 1_000);
  await pauses.pause("b", 1e12);
  pass(5_000);
  expect([await pauses.remaining("a"), await pauses.remaining("c")]).toEqual([15_000, 0]);
  expect(await pauses.remaining("b")).toBe(86_395_000);
  pass(15_000);
  expect([...(await pauses.listed()).keys()]).toEqual(["b"]);
});

test("an account that refuses call after call is left alone for twice the time, up to an hour", async () => {
  const { now, pass } = atZero();
  const pauses = keepPauses(now);
  const minutes: number[] = [];
  for (let times = 0; times < 5; times += 1) {
    await pauses.pauseLong("a");
    await pauses.pauseLong("a");
    const ms = await pauses.remaining("a");
    minutes.push(ms / 60_000);
    pass(ms + 240_000);
  }
  expect(minutes).toEqual([10, 20, 40, 60, 60]);
  pass(3_600_000);
  await pauses.pauseLong("a");
  expect(await pauses.remaining("a")).toBe(600_000);
});

test("a store is asked once a second at most, and one that does not answer holds back no call", async () => {
  const { now, pass } = atZero();
  let reads = 0;
  const kept: { account: string; ms: number }[] = [];
  const store = {
    pause: async (account: string, ms: number) => void kept.push({ account, ms }),
    listPauses: async () => {
      reads += 1;
      return kept;
    },
  };
  const [one, other] = [sharePauses(store, now), sharePauses(store, now)];
  expect(await Promise.all([1, 2, 3].map(() => other.remaining("a")))).toEqual([0, 0, 0]);
  await one.pause("a", 9_000);
  expect(await one.remaining("a")).toBe(9_000);
  expect(reads).toBe(2);
  pass(1_000);
  expect(await other.remaining("a")).toBe(9_000);
  const broken = async (): Promise<never> => Promise.reject(new Error("no server"));
  const alone = sharePauses({ pause: broken, listPauses: broken }, now);
  expect(await alone.remaining("a")).toBe(0);
  await alone.pause("a", 500);
  expect(await alone.remaining("a")).toBe(500);
});

test("an account is a key at an address, and its name does not show the key", () => {
  const account = accountOf("openai", "https://api.example.com/v1", secretKey);
  expect(account).toBe(accountOf("openai", "https://api.example.com/v1", secretKey));
  expect(account).not.toContain(secretKey);
  expect(providerOf(account)).toBe("openai");
  const others = [
    accountOf("openai", "https://api.example.com/v1", "another"),
    accountOf("openai", "https://other.example.com/v1", secretKey),
    accountOf("openai", "https://api.example.com/v1", undefined),
  ];
  expect(new Set([account, ...others]).size).toBe(4);
});

test("a process that meets a rate limit holds back the others, and a long one fails them without a call", async () => {
  const socket = join(mkdtempSync(join(tmpdir(), "pauses-")), "pauses");
  const keeper = await servePauses(socket, keepPauses());
  const asked: number[] = [];
  const server = await serve((_, count) => {
    asked.push(performance.now());
    if (count === 0) return { status: 429, headers: { "retry-after-ms": "800" } };
    return count < 3 ? { text: "Well." } : { status: 429, headers: { "retry-after": "3600" } };
  });
  const [first, second] = [
    await connect(server, { callPauses: socket }),
    await connect(server, { callPauses: socket }),
  ];
  const answered = first.generate(question);
  while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  while ((await openServedPauses(socket).remaining(accountOfTest(server.address))) === 0)
    await new Promise((resolve) => setTimeout(resolve, 5));
  unwrap(await second.generate(question));
  unwrap(await answered);
  const [refused = 0, ...later] = asked;
  expect(Math.min(...later) - refused).toBeGreaterThan(780);

  expect(failureOf(await first.generate(question)).kind).toBe("rate-limit");
  expect(failureOf(await second.generate(question))).toMatchObject({
    kind: "rate-limit",
    message: expect.stringContaining("accepts no calls for"),
  });
  expect(server.requests).toHaveLength(4);
  keeper.close();
  keeper.closeAllConnections();
  expect(await openServedPauses(socket).remaining("a")).toBe(0);
});

function accountOfTest(address: string): string {
  return accountOf("openai-compatible", address, secretKey);
}
