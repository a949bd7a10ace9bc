import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import {
  type JobChoice,
  type JobQueue,
  type Lease,
  LeaseLostError,
  type QueuedBatch,
} from "../queue/contract.ts";
import type { LeasedWork } from "./leased-try.ts";
import { drainBatch, type Worker } from "./worker-loop.ts";

test("asks for the repositories used last first, for one slot after another, without held arms", async () => {
  const asked: (readonly number[] | undefined)[] = [];
  const held = new Set<string | undefined>();
  const groups = [3, 1];
  const queue = partOf<JobQueue>({
    listPauses: async () => [{ account: "a", ms: 3_600_000 }],
    take: async (_batch: string, _worker: string, choice?: JobChoice) => {
      asked.push(choice?.near);
      held.add(choice?.without?.join());
      const group = groups.shift();
      if (group === undefined) return undefined;
      const signal = new AbortController().signal;
      return partOf<Lease>({ name: `of ${group}`, group, signal, giveBack: async () => {} });
    },
  });
  const worker = partOf<Worker>({
    ...{ queue, name: "w", workers: 2, signal: new AbortController().signal },
    ...{ findShortage: async () => undefined, accountsOf: () => [["b"], ["a", "b"]], onNotice: () => {} },
  });
  const leased = partOf<LeasedWork>({
    withSignal: () => {
      throw new LeaseLostError("job");
    },
    options: { grading: { signal: worker.signal } },
  });
  await drainBatch(partOf<QueuedBatch>({ id: "b" }), leased, new Set([1, 2]), worker);
  expect(asked).toEqual([
    [2, 1],
    [3, 2, 1],
    [1, 3, 2],
    [1, 3, 2],
  ]);
  expect([...held]).toEqual(["1"]);
});
