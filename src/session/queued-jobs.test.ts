import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import type { BatchState, JobEnd, JobQueue, NewJob } from "../queue/contract.ts";
import type { Host } from "./host.ts";
import { BatchCancelledError, openQueuedJobs } from "./queued-jobs.ts";

const job = { arm: 0, attempt: 1, task: "shop-1 0f" };

/** A queue with these ends, whose workers end each new job at once. */
async function openJobs(ends: readonly JobEnd[], state: BatchState = "running") {
  const all = [...ends];
  const put: string[] = [];
  const queue = partOf<JobQueue>({
    openBatch: async () => {},
    findState: async () => state,
    listEnds: async () => all,
    listActive: async () => [],
    listBatches: async () => [],
    listPauses: async () => [],
    async put(_: string, jobs: readonly NewJob[]) {
      for (const { name } of jobs) {
        put.push(name);
        all.push({ name, output: { outcome: "kept" }, worker: "w", reason: null });
      }
    },
  });
  const host = partOf<Host>({ onNotice: () => {} });
  const { signal } = new AbortController();
  const jobs = await openQueuedJobs({ queue, id: "b", spec: {}, group: 1, host, signal });
  return { jobs, put };
}

const endOf = (round: number, outcome: string): JobEnd => ({
  ...{ name: `0/1/${round}/shop-1 0f`, output: { outcome }, worker: "w", reason: null },
});

test("a job that ended in an earlier run is not queued again, except after an infrastructure error", async () => {
  const known = await openJobs([endOf(0, "infrastructure-error"), endOf(1, "dropped")]);
  expect(await known.jobs.run(job, {})).toMatchObject({ output: { outcome: "dropped" } });
  expect(known.put).toEqual([]);

  const broken = await openJobs([endOf(0, "dropped"), endOf(1, "infrastructure-error")]);
  expect(await broken.jobs.run(job, {})).toMatchObject({ name: "0/1/2/shop-1 0f" });
  expect(broken.put).toEqual(["0/1/2/shop-1 0f"]);
});

test("a cancelled batch ends all waiting jobs", async () => {
  const { jobs } = await openJobs([], "cancelled");
  const other = { ...job, task: "shop-2 0f" };
  const both = await Promise.allSettled([jobs.run(job, {}), jobs.run(other, {})]);
  for (const each of both)
    expect(each).toMatchObject({ status: "rejected", reason: expect.any(BatchCancelledError) });
});
