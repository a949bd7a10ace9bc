import { getEventListeners } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { partOf } from "../../../../tests/part-of.ts";
import { fail } from "../../../base/result.ts";
import { compareTexts } from "../../code/change.ts";
import { judgeOnThread, startWorker, type ThreadContext, tellError } from "./judge-threads.ts";

const texts: Readonly<Record<string, string>> = {
  "fee.py": "def fee(n):\n    return n * 2\n",
  "test_fee.py": "def test_fee():\n    assert fee(7345) == 9\n",
};
const contextOf = (read: (path: string) => Buffer | undefined, signal?: AbortSignal) =>
  partOf<ThreadContext>({
    ...(signal && { signal }),
    regions: { isWhole: () => false, inside: () => ({ items: false, examples: false }) },
    workspace: {
      base: "base",
      trees: {
        list: async () => Object.keys(texts).map((path) => ({ path, mode: "100644", blob: "" })),
        read: async (_: string, path: string) => read(path),
      },
    },
  });
const context = contextOf((path) => Buffer.from(texts[path] ?? ""));
/** Takes a minute to parse. */
const hostile = { files: [compareTexts("fee.c", undefined, "/* ".repeat(40_000))] };
const plain = { files: [compareTexts("fee.py", texts["fee.py"], "def fee(n):\n    return n * 3\n")] };

test("a text that takes too long is unread, and this process does other work meanwhile", async () => {
  let beats = 0;
  const beat = setInterval(() => (beats += 1), 50);
  const judged = await judgeOnThread("reading", context, hostile, 1_500);
  clearInterval(beat);
  expect(judged).toEqual(fail("late", "The checks cannot read the patch within 1.5 s."));
  expect(beats).toBeGreaterThan(10);
  expect(await judgeOnThread("reading", context, plain)).toEqual({ ok: true, value: "" });
});

test("an interrupt ends the reading", async () => {
  const interrupt = new AbortController();
  const reading = judgeOnThread(
    "reading",
    contextOf(() => undefined, interrupt.signal),
    hostile,
  );
  setTimeout(() => interrupt.abort(new Error("interrupted")), 200);
  await expect(reading).rejects.toThrow("interrupted");
});

test("an interrupt before the reading begins prevents it", async () => {
  const interrupt = new AbortController();
  const { signal } = interrupt;
  const reading = judgeOnThread("reading", { ...context, signal }, hostile, 1_000);
  interrupt.abort(new Error("interrupted"));
  await expect(reading).rejects.toThrow("interrupted");
});

test("a call that cannot be sent fails, and the next one is judged", async () => {
  const unsendable = { files: plain.files.map((file) => ({ ...file, toText: () => "" })) };
  const { signal } = new AbortController();
  const reading = judgeOnThread("reading", { ...context, signal }, unsendable);
  await expect(reading).rejects.toThrow("could not be cloned");
  expect(getEventListeners(signal, "abort")).toEqual([]);
  expect(await judgeOnThread("reading", context, plain)).toEqual({ ok: true, value: "" });
});

test("a lack of memory is the reason why a patch is unread", async () => {
  const full = new Worker("const all = []; for (;;) all.push(new Array(1000).fill({}))", {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: 8 },
  });
  const { promise, resolve } = Promise.withResolvers<Error>();
  full.on("error", resolve);
  expect(tellError(await promise)).toMatch(/^need more than \d+ MB of memory for the patch$/);
  expect(tellError(new Error("odd"))).toBe("fail on the patch (odd)");
});

test("a thread that does not start is tried once more, and then is the reason", async () => {
  // No thread is idle then.
  const takeIdle = () => judgeOnThread("reading", context, hostile, 1);
  let tried = 0;
  const broken = (): Worker => {
    tried += 1;
    return new Worker("process.exit(1)", { eval: true });
  };
  const once = (): Worker => (tried === 0 ? broken() : startWorker());
  const none = (): Worker => {
    throw new Error("EAGAIN");
  };
  await takeIdle();
  expect(await judgeOnThread("reading", context, plain, 30_000, once)).toEqual({ ok: true, value: "" });
  await takeIdle();
  expect(await judgeOnThread("reading", context, plain, 30_000, broken)).toMatchObject({
    ok: false,
    message: "The checks need a thread, which does not start (ended early).",
  });
  expect(tried).toBe(3);
  expect(await judgeOnThread("reading", context, plain, 30_000, none)).toMatchObject({
    ok: false,
    message: "The checks need a thread, which does not start (EAGAIN).",
  });
});

test("a replay meets the limits of the recorded run, and no others", async () => {
  const kept = new Map<string, unknown>();
  const clock = (isReplay: boolean): ThreadContext => ({
    ...context,
    recorder: partOf<NonNullable<ThreadContext["recorder"]>>({
      clock: { isReplay, recall: (key) => kept.get(key), keep: (key, decided) => kept.set(key, decided) },
    }),
  });
  const met = await judgeOnThread("reading", clock(false), hostile, 1_000);
  expect(met).toMatchObject({ ok: false, message: "The checks cannot read the patch within 1 s." });
  expect(await judgeOnThread("reading", clock(true), hostile)).toEqual(met);
  kept.clear();
  const recorded = clock(false);
  expect(await judgeOnThread("reading", recorded, plain, 0)).toMatchObject({ ok: false });
  expect(await judgeOnThread("reading", recorded, plain)).toEqual({ ok: true, value: "" });
  expect(await judgeOnThread("reading", clock(true), plain)).toEqual({ ok: true, value: "" });
  kept.clear();
  expect(await judgeOnThread("reading", clock(true), plain, 1)).toEqual({ ok: true, value: "" });
  expect(kept.size).toBe(0);
});

test("a run asks no thread twice for the same texts", async () => {
  const clock = { isReplay: false, recall: () => undefined, keep: () => {} };
  const run = { ...context, recorder: partOf<NonNullable<ThreadContext["recorder"]>>({ clock }) };
  const none = (): Worker => {
    throw new Error("EAGAIN");
  };
  expect(await judgeOnThread("reading", run, plain)).toEqual({ ok: true, value: "" });
  await judgeOnThread("reading", context, hostile, 1);
  expect(await judgeOnThread("reading", run, structuredClone(plain), 30_000, none)).toEqual({
    ok: true,
    value: "",
  });
  const other = { files: [compareTexts("fee.py", texts["fee.py"], "def fee(n):\n    return n * 4\n")] };
  expect(await judgeOnThread("reading", run, other, 30_000, none)).toMatchObject({ ok: false });
});

test("a call that is too long for a key is judged", async () => {
  class Long {
    toJSON(): never {
      throw new RangeError("Invalid string length");
    }
  }
  const clock = { isReplay: false, recall: () => undefined, keep: () => {} };
  const run = { ...context, recorder: partOf<NonNullable<ThreadContext["recorder"]>>({ clock }) };
  const long = { files: plain.files.map((file) => ({ ...file, more: new Long() })) };
  expect(await judgeOnThread("reading", run, long)).toEqual({ ok: true, value: "" });
});

test("a judge reads the repository, and an error of the repository is not an objection", async () => {
  const tests = [{ package: "", target: "test_fee.py", name: "test_fee" }];
  const special = compareTexts(
    "fee.py",
    texts["fee.py"],
    "def fee(n):\n    if n == 7345:\n        return 9\n    return n * 2\n",
  );
  const task = { kind: "repair", statement: "" } as const;
  const input = { files: [special], task, tests, within: ["patched"] as const, isWritten: false };
  expect(await judgeOnThread("objections", context, input)).toMatchObject({
    ok: true,
    value: { objections: [expect.stringContaining("7345")] },
  });
  const broken = contextOf(() => {
    throw new Error("the disk broke");
  });
  await expect(judgeOnThread("objections", broken, input)).rejects.toThrow("the disk broke");
});
