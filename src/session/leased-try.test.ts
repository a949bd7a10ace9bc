import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import type { ObjectStore } from "../bench/object-store.ts";
import type { BatchSpec } from "../bench/queued-try.ts";
import type { Try, TryOptions } from "../bench/try.ts";
import type { Lease } from "../queue/contract.ts";
import { executeLeased, type LeasedWork } from "./leased-try.ts";

test("a store that disappeared ends the job before the attempt", async () => {
  const { signal } = new AbortController();
  const options = partOf<TryOptions>({
    ...{ grading: { signal }, attempts: { runsDirectory: "runs" }, store: { isFresh: false } },
  });
  const work = partOf<LeasedWork>({
    ...{ queue: {}, options, withSignal: () => options, logs: "logs" },
    shared: partOf<ObjectStore>({ name: "/mnt/store", id: "a", get: async () => undefined }),
    spec: partOf<BatchSpec>({ epoch: "", arms: [{ strategy: "unified", model: "m", settings: {} }] }),
    tasks: new Map([["t", partOf<Try["task"]>({})]]),
  });
  const lease = partOf<Lease>({ name: "0/0/0/t", group: 0, signal });
  await expect(executeLeased(lease, work, async () => undefined)).rejects.toThrow(
    "/mnt/store on this machine is not the store of the batch",
  );
});
