import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { MillwrightError } from "../base/errors.ts";
import { executeJob, type Job } from "./job.ts";
import { runPool } from "./pool.ts";
import { openResultStore } from "./result-store.ts";

const { signal } = new AbortController();

describe("runPool", () => {
  test("works on so many at once, and returns results in the order of the items", async () => {
    let [running, most] = [0, 0];
    const done = await runPool([30, 20, 10, 1], {
      ...{ workers: 2, retries: 0, signal },
      async work(ms) {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, ms));
        running -= 1;
        return ms * 2;
      },
      isRetried: () => false,
      onResult: () => {},
    });
    expect(done).toEqual([60, 40, 20, 2]);
    expect(most).toBe(2);
  });

  test("begins an item only while it is not held, and goes on with the others", async () => {
    const course: string[] = [];
    let looks = 0;
    await runPool(["a", "b", "c"], {
      ...{ workers: 1, retries: 0, signal },
      async findHeld() {
        looks += 1;
        return (item) => item === "a" && looks < 4;
      },
      work: async (item) => void course.push(item),
      isRetried: () => false,
      onResult: () => {},
    });
    expect(course).toEqual(["b", "c", "a"]);
  });

  test("ends once the results suffice, although the rest is held", async () => {
    const course: string[] = [];
    const done = await runPool(["a", "b"], {
      ...{ workers: 1, retries: 0, signal: AbortSignal.timeout(4000) },
      findHeld: async () => (item) => item === "a",
      work: async (item) => item,
      isRetried: () => false,
      isEnough: () => course.length > 0,
      onResult: (item) => course.push(item),
    });
    expect(done).toEqual(["b"]);
  });

  test("an item that comes back uses none of its retries, but does not come back for ever", async () => {
    const course: string[] = [];
    const done = await runPool(["a", "b"], {
      ...{ workers: 1, retries: 1, signal },
      async work(item) {
        course.push(item);
        return item === "b" || course.length < 4 ? "refused" : "broken";
      },
      isReturned: async (result) => result === "refused",
      isRetried: () => true,
      onResult: () => {},
    });
    expect(course.filter((item) => item === "a")).toHaveLength(4);
    expect(course.filter((item) => item === "b")).toHaveLength(51);
    expect(done).toEqual(["broken", "refused"]);
  });

  test("tries again after the others what may be better, so often and no more", async () => {
    const tried: string[] = [];
    const told: string[] = [];
    const done = await runPool(["broken", "fine", "late"], {
      ...{ workers: 1, retries: 2, signal },
      async work(item) {
        tried.push(item);
        const isRight =
          item === "fine" || (item === "late" && tried.filter((each) => each === "late").length === 2);
        return isRight ? "right" : "wrong";
      },
      isRetried: (result) => result === "wrong",
      onResult: (result, item) => told.push(`${item} ${result}`),
    });
    expect(tried).toEqual(["broken", "fine", "late", "broken", "late", "broken"]);
    expect(told).toEqual(["fine right", "late right", "broken wrong"]);
    expect(done).toEqual(["wrong", "right", "right"]);
  });

  test("begins nothing more after an error", async () => {
    const tried: number[] = [];
    const work = async (item: number): Promise<number> => {
      tried.push(item);
      if (item === 2) throw new Error("a defect");
      return item;
    };
    const options = { workers: 1, retries: 0, signal, work, isRetried: () => false, onResult: () => {} };
    await expect(runPool([1, 2, 3], options)).rejects.toThrow("a defect");
    expect(tried).toEqual([1, 2]);
  });
});

describe("executeJob", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "millwright-results-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function countingJob(key: string, results: readonly (string | Error)[]): Job<string> & { times: number } {
    return {
      key,
      kind: { schema: "millwright.test/1", type: z.string() },
      times: 0,
      async execute() {
        const result = results[this.times++];
        if (result instanceof Error) throw result;
        return result ?? "";
      },
      isFinal: (result) => !result.startsWith("broken"),
      onError: (reason) => `broken: ${reason}`,
    };
  }

  test("does the work once for a key, in this process and in a later one", async () => {
    const job = countingJob("a", ["done"]);
    const store = await openResultStore(folder);
    expect(await executeJob(job, store, signal)).toEqual({ result: "done", known: false });
    expect(await executeJob(job, await openResultStore(folder), signal)).toEqual({
      result: "done",
      known: true,
    });
    expect(job.times).toBe(1);
  });

  test("keeps no result that says nothing of the work", async () => {
    const job = countingJob("b", [
      new MillwrightError("sandbox", "No daemon.", { hint: "Start it." }),
      "done",
    ]);
    const store = await openResultStore(folder);
    expect((await executeJob(job, store, signal)).result).toBe("broken: No daemon. Start it.");
    expect((await executeJob(job, store, signal)).result).toBe("done");
  });

  test("a fresh store forgets what was there, and knows what was done since", async () => {
    const job = countingJob("c", ["old", "new"]);
    await executeJob(job, await openResultStore(folder), signal);
    const fresh = await openResultStore(folder, true);
    expect(await executeJob(job, fresh, signal)).toEqual({ result: "new", known: false });
    expect(await executeJob(job, fresh, signal)).toEqual({ result: "new", known: true });
  });
});

test("begins nothing once the results suffice, and lets what runs end", async () => {
  const begun: number[] = [];
  const results = await runPool([1, 2, 3, 4], {
    ...{ workers: 2, retries: 0, signal: new AbortController().signal },
    async work(item) {
      begun.push(item);
      return item;
    },
    isRetried: () => false,
    isEnough: () => begun.length >= 2,
    onResult: () => {},
  });
  expect(begun).toEqual([1, 2]);
  expect(results).toEqual([1, 2]);
});
