import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import { MillwrightError } from "../base/errors.ts";
import {
  type JobChoice,
  type JobQueue,
  type Lease,
  LeaseLostError,
  type QueuedBatch,
} from "../queue/contract.ts";
import { type LeasedWork, workOfTries } from "./leased-try.ts";
import { type BatchWork, createSlots, drainBatch, type Worker, workQueue } from "./worker-loop.ts";

const { signal } = new AbortController();
/** A worker of that many slots, with tries that `work` executes. */
const workerOf = (queue: JobQueue, workers: number, more: Partial<Worker> = {}): Worker =>
  partOf<Worker>({
    ...{
      queue,
      name: "w",
      workers,
      slots: createSlots(workers),
      signal,
      findShortage: async () => undefined,
    },
    ...{ accountsOf: () => [], onNotice: () => {}, ...more },
  });
const workOf = (work: () => never): BatchWork => ({ describe: (name) => name, execute: async () => work() });

test("asks for the repositories used last first, for one slot after another, without held arms", async () => {
  const asked: (readonly number[] | undefined)[] = [];
  const held = new Set<string | undefined>();
  const groups = [3, 1];
  const queue = partOf<JobQueue>({
    listPauses: async () => [{ account: "a", ms: 3_600_000 }],
    findState: async () => "running",
    take: async (_batch: string, _worker: string, choice?: JobChoice) => {
      asked.push(choice?.near);
      held.add(choice?.without?.join());
      const group = groups.shift();
      if (group === undefined) return undefined;
      return partOf<Lease>({ name: `of ${group}`, group, signal, giveBack: async () => {} });
    },
  });
  const worker = workerOf(queue, 2, { accountsOf: () => [["b"], ["a", "b"]] });
  const leased = workOf(() => {
    throw new LeaseLostError("job");
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

test("the machine's error gives the try back, a defect counts as a loss, and the worker goes on", async () => {
  const errors = [
    Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" }),
    Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" }),
    new MillwrightError("internal", "the store answers nothing"),
    Object.assign(new TypeError("The argument is wrong"), { code: "ERR_INVALID_ARG_TYPE" }),
    new TypeError("x is undefined"),
  ];
  const waiting = errors.map((_, at) => String(at));
  const ended: string[] = [];
  const queue = partOf<JobQueue>({
    listPauses: async () => [],
    take: async () => {
      const name = waiting.shift();
      if (name === undefined) return undefined;
      const end = (how: string) => async (reason: string) =>
        void ended.push(`${name} ${how}: ${reason.split("\n")[0]}`);
      return partOf<Lease>({ name, group: 0, signal, giveBack: end("back"), fail: end("loss") });
    },
  });
  const left = [...errors];
  const leased = workOf(() => {
    throw left.shift();
  });
  await drainBatch(partOf<QueuedBatch>({ id: "b" }), leased, new Set(), workerOf(queue, 5));
  expect(ended.sort()).toEqual([
    "0 back: Error: EACCES: permission denied",
    expect.stringMatching(/^1 back: MillwrightError: Cannot write to the disk: ENOSPC/),
    "2 back: MillwrightError: the store answers nothing",
    expect.stringMatching(/^3 loss: TypeError.*The argument is wrong$/),
    "4 loss: TypeError: x is undefined",
  ]);
});

test.each([
  ["cancelled", "stopped: somebody cancelled the batch"],
  ["running", "stopped: this worker lost the lease; the queue gives the try to another worker"],
] as const)("a worker whose lease ends says why: the batch is %s", async (state, told) => {
  const names = ["job"];
  const queue = partOf<JobQueue>({
    listPauses: async () => [],
    findState: async () => state,
    take: async () => {
      const name = names.pop();
      return name === undefined ? undefined : partOf<Lease>({ name, group: 0, signal });
    },
  });
  const leased = workOf(() => {
    throw new LeaseLostError("job");
  });
  const notices: string[] = [];
  const onNotice = (text: string): void => void notices.push(text);
  await drainBatch(partOf<QueuedBatch>({ id: "b" }), leased, new Set(), workerOf(queue, 1, { onNotice }));
  expect(notices).toEqual(["…", told]);
});

test("a moment without a job ends no slot of the worker", async () => {
  const [slots, jobs] = [3, 3];
  let asked = 0;
  let running = 0;
  let most = 0;
  const queue = partOf<JobQueue>({
    listPauses: async () => [],
    take: async () => {
      asked += 1;
      if (asked < slots || asked >= slots + jobs) return undefined;
      return partOf<Lease>({ name: String(asked), group: 0, signal, giveBack: () => delay(2500) });
    },
  });
  const leased = workOf(() => {
    running += 1;
    most = Math.max(most, running);
    throw new MillwrightError("internal", "as if it took a while");
  });
  const onNotice = (text: string): void => {
    if (text.startsWith("given back")) running -= 1;
  };
  await drainBatch(partOf<QueuedBatch>({ id: "b" }), leased, new Set(), workerOf(queue, slots, { onNotice }));
  expect(most).toBe(slots);
});

test("a worker with several slots tells about each shortage once", async () => {
  const shortages = ["the memory is full", ...[3, 2, 1].map((left) => `the disk has ${left}.5 KiB left`)];
  const queue = partOf<JobQueue>({ listPauses: async () => [], take: async () => undefined });
  const notices: string[] = [];
  const worker = workerOf(queue, 3, {
    findShortage: async () => shortages.pop(),
    onNotice: (text: string) => void notices.push(text),
  });
  const leased = workOf(() => {
    throw new Error("no job is leased");
  });
  await drainBatch(partOf<QueuedBatch>({ id: "b" }), leased, new Set(), worker);
  expect(notices).toEqual(["w waits: the disk has 1.5 KiB left", "w waits: the memory is full"]);
});

test("an error of the queue ends all slots, once their tries ended", async () => {
  let asked = 0;
  const queue = partOf<JobQueue>({
    listPauses: async () => [],
    take: async () => {
      asked += 1;
      if (asked === 2) throw new MillwrightError("queue", "The server refuses");
      return undefined;
    },
  });
  const leased = workOf(() => {
    throw new Error("no job is leased");
  });
  const drained = drainBatch(partOf<QueuedBatch>({ id: "b" }), leased, new Set(), workerOf(queue, 3));
  await expect(drained).rejects.toThrow("The server refuses");
});

test("a batch that the machine cannot work on for a moment is tried again, and the problem is told once", async () => {
  const problems = ["the store does not answer", "the store does not answer", undefined];
  const notices: string[] = [];
  const batch = () =>
    partOf<QueuedBatch>({
      id: "b",
      state: "running",
      isLeft: true,
      ready: ["0"],
    });
  const queue = partOf<JobQueue>({
    listPauses: async () => [],
    listBatches: async () => (problems.length > 0 ? [batch()] : []),
  });
  const onNotice = (text: string): void => void notices.push(text);
  const worker = workerOf({ ...queue, name: "q" }, 1, { once: true, refusalMs: 100, onNotice });
  expect(await workQueue(worker, async () => problems.shift())).toBe(0);
  expect(problems).toEqual([]);
  expect(notices).toEqual([
    "this worker skips b: the store does not answer",
    "this worker ends: q has no tries for it",
  ]);
});

test("the free slots of a worker take another batch's tries while a batch has only a straggler", async () => {
  const left = new Map([
    ["first", ["straggler"]],
    ["second", ["a", "b", "c"]],
  ]);
  const running = new Map<string, number>();
  let endStraggler = (): void => {};
  const straggles = new Promise<void>((resolve) => {
    endStraggler = resolve;
  });
  const ended: string[] = [];
  let most = 0;
  const queue = partOf<JobQueue>({
    listPauses: async () => [],
    listBatches: async () =>
      [...left].map(([id, names]) =>
        partOf<QueuedBatch>({
          ...{ id, state: "running", ready: names.length > 0 ? ["0"] : [] },
          isLeft: names.length + (running.get(id) ?? 0) > 0,
        }),
      ),
    take: async (batch: string) => {
      const name = left.get(batch)?.shift();
      if (name === undefined) return undefined;
      running.set(batch, (running.get(batch) ?? 0) + 1);
      most = Math.max(
        most,
        [...running.values()].reduce((sum, each) => sum + each, 0),
      );
      const giveBack = async (): Promise<void> => {
        if (name === "straggler") await straggles;
        ended.push(name);
        if (ended.length === 3) endStraggler();
        running.set(batch, (running.get(batch) ?? 0) - 1);
      };
      return partOf<Lease>({ name, group: 0, signal, giveBack });
    },
  });
  const leased = workOf(() => {
    throw new MillwrightError("internal", "as if it took a while");
  });
  const opened: string[] = [];
  const worker = workerOf(queue, 2, { once: true });
  const code = await workQueue(worker, async (batch) => {
    opened.push(batch.id);
    await drainBatch(batch, leased, new Set(), worker);
    return undefined;
  });
  expect([code, ended, opened, most]).toEqual([0, ["a", "b", "c", "straggler"], ["first", "second"], 2]);
}, 30_000);

test("a worker that ends when nothing is left does not wait for a batch that it refused three times", async () => {
  const batch = partOf<QueuedBatch>({ id: "b", state: "running", isLeft: true, ready: ["0"] });
  const queue = partOf<JobQueue>({ listPauses: async () => [], listBatches: async () => [batch] });
  let asked = 0;
  const notices: string[] = [];
  const onNotice = (text: string): void => void notices.push(text);
  const worker = workerOf(queue, 1, { once: true, refusalMs: 1, onNotice });
  const refuse = async (): Promise<string> => {
    asked += 1;
    return "the folder is missing";
  };
  expect([await workQueue(worker, refuse), asked]).toEqual([3, 3]);
  expect(notices).toEqual([
    "this worker skips b: the folder is missing",
    "this worker ends: it cannot work on b, for the reasons above",
  ]);
});

test("a worker says once that a batch is paused, and names tries for people", async () => {
  const batch = partOf<QueuedBatch>({ id: "b", state: "paused", isLeft: true, ready: ["0"] });
  const names = ["0/2/1/ledger-1"];
  const queue = partOf<JobQueue>({
    name: "q",
    listPauses: async () => [],
    listBatches: async () => [batch],
    take: async () => {
      const name = names.pop();
      return name === undefined
        ? undefined
        : partOf<Lease>({ name, group: 0, signal, giveBack: async () => {} });
    },
  });
  const told: string[] = [];
  const onNotice = (text: string, job = "worker"): void => void told.push(`${job}: ${text}`);
  const worker = workerOf(queue, 1, { once: true, onNotice });
  expect(await workQueue(worker, async () => undefined)).toBe(0);
  expect(told.splice(0)).toEqual([
    "worker: b is paused: `millwright bench resume b` continues it",
    "worker: this worker ends: q has no tries for it",
  ]);
  const arms = [{ strategy: "unified", model: "openai/gpt-5", settings: {} }];
  const leased = partOf<LeasedWork>({
    spec: { arms },
    options: { grading: { signal } },
    withSignal: () => {
      throw new MillwrightError("disk", "the store answers nothing");
    },
  });
  await drainBatch(batch, workOfTries(leased), new Set(), worker);
  expect(told[0]).toBe("b ledger-1 (unified,openai/gpt-5; attempt 2; queued again): …");
});

test("an error of one batch is told at once, and stops the tries of the others", async () => {
  const batchOf = (id: string) => partOf<QueuedBatch>({ id, state: "running", isLeft: true, ready: ["0"] });
  const queue = partOf<JobQueue>({
    listPauses: async () => [],
    listBatches: async () => ["first", "second"].filter((id) => !begun.has(id)).map(batchOf),
  });
  const begun = new Set<string>();
  const events: string[] = [];
  const worker = workerOf(queue, 2, { onNotice: (text) => void events.push(text) });
  const worked = workQueue(worker, async ({ id }, stopped) => {
    begun.add(id);
    if (id === "second") throw new Error("the disk broke");
    await new Promise((resolve) => stopped.addEventListener("abort", resolve));
    events.push("the first batch stopped");
    return undefined;
  });
  await expect(worked).rejects.toThrow("the disk broke");
  expect(events).toEqual([
    "this worker stops, because it cannot work on second: Error: the disk broke",
    "the first batch stopped",
  ]);
}, 10_000);

test("an older batch opens although no slot is free, and gets the next slot", async () => {
  const stop = new AbortController();
  const begun: string[] = [];
  const queue = partOf<JobQueue>({
    listPauses: async () => [],
    listBatches: async () =>
      ["old", "new", "newest"].map((id) =>
        partOf<QueuedBatch>({
          ...{ id, state: "running", isLeft: true },
          ready: id === "new" || begun.includes("new") ? ["0"] : [],
        }),
      ),
  });
  const worker = workerOf(queue, 1, { signal: stop.signal });
  await workQueue(worker, async ({ id }) => {
    begun.push(id);
    if (id !== "new") stop.abort();
    await worker.slots.hold(
      () => delay(8000, undefined, { signal: stop.signal }).catch(() => {}),
      stop.signal,
    );
    return undefined;
  });
  expect(begun).toEqual(["new", "old"]);
}, 15_000);

test("a slot goes to the oldest batch that waits for one", async () => {
  const slots = createSlots(1);
  const order: number[] = [];
  const holds = [0, 3, 1, 2].map((rank) => slots.hold(async () => void order.push(rank), signal, rank));
  await Promise.all(holds);
  expect(order).toEqual([0, 1, 2, 3]);
});

test("a lost lease is told although the server does not answer", async () => {
  const names = ["job"];
  const queue = partOf<JobQueue>({
    listPauses: async () => [],
    findState: () => new Promise<never>(() => {}),
    take: async () => {
      const name = names.pop();
      return name === undefined ? undefined : partOf<Lease>({ name, group: 0, signal });
    },
  });
  const leased = workOf(() => {
    throw new LeaseLostError("job");
  });
  const notices: string[] = [];
  const onNotice = (text: string): void => void notices.push(text);
  await drainBatch(partOf<QueuedBatch>({ id: "b" }), leased, new Set(), workerOf(queue, 1, { onNotice }));
  expect(notices.at(-1)).toBe(
    "stopped: this worker lost the lease; the queue gives the try to another worker",
  );
});
