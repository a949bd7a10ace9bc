import { expect, test } from "vitest";
import { z } from "zod";
import { partOf } from "../../tests/part-of.ts";
import { executeJob } from "./job.ts";
import { runPool } from "./pool.ts";
import type { ResultStore } from "./result-store.ts";

const { signal } = new AbortController();
const store = partOf<ResultStore>({ find: async () => undefined });

test("a full disk fails its own job, and the pool continues with the others", async () => {
  const work = async (item: number): Promise<string> => {
    const execute = async (): Promise<string> => {
      if (item === 2)
        throw Object.assign(new Error("ENOSPC: no space left on device, mkdir"), {
          code: "ENOSPC",
          path: "/x",
        });
      return "ok";
    };
    const kind = { schema: "millwright.text/1", type: z.string() };
    const job = { key: "k", kind, execute, isFinal: () => false, onError: (reason: string) => reason };
    return (await executeJob(job, store, signal)).result;
  };
  const options = { workers: 1, retries: 0, signal, work, isRetried: () => false, onResult: () => {} };
  expect(await runPool([1, 2, 3], options)).toEqual([
    "ok",
    expect.stringContaining("Cannot write to the disk: ENOSPC"),
    "ok",
  ]);
});
