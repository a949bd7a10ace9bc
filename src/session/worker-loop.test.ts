import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import type { JobQueue, QueuedBatch } from "../queue/contract.ts";
import type { LeasedWork } from "./leased-try.ts";
import { drainBatch, type Worker } from "./worker-loop.ts";

test("asks only for the repositories used last, while an arm is held", async () => {
  const asked: (number | undefined)[] = [];
  const queue = partOf<JobQueue>({
    listPauses: async () => [{ account: "a", ms: 3_600_000 }],
    take: async (_batch: string, _worker: string, choice?: { readonly group?: number }) => {
      asked.push(choice?.group);
      return undefined;
    },
  });
  const worker = partOf<Worker>({
    ...{ queue, workers: 1, signal: new AbortController().signal },
    findShortage: async () => undefined,
    accountsOf: () => [["a"]],
  });
  const warm = new Set(Array.from({ length: 100 }, (_, group) => group));
  await drainBatch(partOf<QueuedBatch>({ id: "b" }), partOf<LeasedWork>({}), warm, worker);
  expect(asked).toEqual([99, 98, 97, 96, undefined]);
});
