import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import type { JobQueue } from "../queue/contract.ts";
import { type LeasedBatchRequest, openLeasedWork } from "./leased-batch.ts";

test("each batch of a worker has its own folder of runs, because two batches may have the same run", async () => {
  const directory = await mkdtemp(join(tmpdir(), "millwright-leased-"));
  const open = (batch: string) =>
    openLeasedWork(
      partOf<LeasedBatchRequest>({
        ...{
          batch,
          host: { environment: {} },
          spec: { epoch: "", arms: [], unfound: [] },
          limits: {},
          tasks: [],
        },
        ...{ store: {}, queue: partOf<JobQueue>({ listPauses: async () => [] }), program: [], logs: "" },
        options: { directory, rules: [], limitMs: 1, sandbox: { provider: { name: "none" } } },
      }),
    );
  const opened = await Promise.all(["first", "second"].map(open));
  const folders = opened.map(({ work }) => work.options.attempts.runsDirectory);
  expect(new Set(folders).size).toBe(2);
  for (const { close } of opened) await close();
});
