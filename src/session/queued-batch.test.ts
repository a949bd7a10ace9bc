import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import type { JobQueue, QueuedBatch, QueuedJob } from "../queue/contract.ts";
import { countTries, type QueuedBatchRequest, runQueuedBatch } from "./queued-batch.ts";

test("a try counts once, by its last round: one that is queued again has not ended", () => {
  const job = (name: string, state: QueuedJob["state"], outcome: string | null = null): QueuedJob => ({
    ...{ name, state, outcome },
  });
  const failed = "infrastructure-error";
  const jobs = [
    job("0/1/0/resolved", "ended", "resolved"),
    job("0/1/0/queued-again", "ended", failed),
    job("0/1/1/queued-again", "waiting"),
    job("0/1/1/mended", "ended", "unresolved"),
    job("0/1/0/mended", "ended", failed),
    job("1/1/0/failed", "ended", failed),
    job("1/1/0/lost", "lost"),
    job("1/2/0/lost", "active"),
  ];
  expect(countTries(jobs)).toEqual({
    ...{ tries: 6, waiting: 1, active: 1, ended: 4, infrastructureErrors: 2 },
  });
});

test.each([
  ["no worker has a try", [], [], ["tries wait, and no worker takes them: start `millwright worker`"]],
  ["the workers have another batch's tries", ["0"], [], ["tries wait: the workers are busy with other"]],
  ["the tries are ready for moments only", [], [0, 1], []],
] as const)(
  "says once why no try begins: %s",
  async (_, active, notReady, told) => {
    const stop = new AbortController();
    let polls = 0;
    const queue = partOf<JobQueue>({
      ...{
        openBatch: async () => {},
        listEnds: async () => [],
        put: async () => {},
        listPauses: async () => [],
      },
      async findState() {
        polls += 1;
        if (polls === 5) stop.abort();
        return "running";
      },
      listActive: async (id: string) => (id === "other" ? [...active] : []),
      listBatches: async () => {
        const isReady = !notReady.some((at) => at === polls % 3);
        return [
          partOf<QueuedBatch>({ id: "other", isLeft: true, ready: [] }),
          partOf<QueuedBatch>({ id: "own", isLeft: true, ready: isReady ? ["0"] : [] }),
        ];
      },
    });
    const notices: string[] = [];
    const arm = {
      strategy: "search-repair",
      model: null,
      settings: { strategy: "search-repair", model: "none" },
    };
    const task = { id: "t", repository: "o/n", kind: "repair" } as const;
    const run = runQueuedBatch(
      partOf<QueuedBatchRequest>({
        ...{ queue, id: "own", spec: {}, limits: {}, retries: 0, arms: [arm], attempts: 1, idleMs: 1500 },
        ...{ tasks: [{ task }], options: { signal: stop.signal, directory: "" } },
        host: { environment: {}, onNotice: ({ text }) => void notices.push(text) },
      }),
    );
    await Promise.allSettled([run, new Promise((resolve) => stop.signal.addEventListener("abort", resolve))]);
    expect(notices.shift()).toBe("the batch is own; `millwright worker` on any machine works on it");
    expect(notices.map((text) => text.split(" for this queue")[0])).toEqual(told);
  },
  15_000,
);

test("a run whose batch is cancelled collects the ends so far, and queues none of them again", async () => {
  const ended = { name: "0/1/0/t1", output: {}, worker: "w", reason: null };
  const events: string[] = [];
  let reads = 0;
  const queue = partOf<JobQueue>({
    openBatch: async () => {},
    listEnds: async () => (++reads === 1 ? [] : [ended]),
    put: async (_, jobs) => void events.push(...jobs.map(({ name }) => name)),
    findState: async () => "cancelled",
  });
  const arm = {
    strategy: "search-repair",
    model: null,
    settings: { strategy: "search-repair", model: "none" },
  };
  const tasks = ["t1", "t2"].map((id) => ({ task: { id, repository: "o/n", kind: "repair" } }) as const);
  const results = await runQueuedBatch(
    partOf<QueuedBatchRequest>({
      ...{ queue, id: "own", spec: {}, limits: {}, retries: 3, arms: [arm], attempts: 1, tasks },
      options: { signal: new AbortController().signal, directory: "" },
      ...{ store: { directory: "" }, host: { environment: {}, onNotice: () => {} } },
      ...{
        onResult: ({ id }) => void events.push(`${id} ended`),
        onCancel: () => void events.push("cancelled"),
      },
    }),
  );
  expect(results).toMatchObject([{ id: "t1", outcome: "infrastructure-error", worker: "w" }]);
  expect(events).toEqual(["0/1/0/t1", "0/1/0/t2", "t1 ended", "cancelled"]);
});
