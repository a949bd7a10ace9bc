/** The promises of the queue, on a real server. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { MillwrightError } from "../../src/base/errors.ts";
import { putContent } from "../../src/bench/object-store.ts";
import { openObjectStore } from "../../src/bench/open-object-store.ts";
import { failedTry, type Try, type TryResult } from "../../src/bench/try.ts";
import { sharePauses } from "../../src/llm/call-pauses.ts";
import { type JobQueue, type Lease, LeaseLostError, type QueuedBatch } from "../../src/queue/contract.ts";
import { openEngine } from "../../src/queue/engine.ts";
import { openQueue } from "../../src/queue/open-queue.ts";
import { openPauses } from "../../src/session/batch-pauses.ts";
import {
  type QueuedBatchRequest,
  retryInfrastructure,
  runQueuedBatch,
} from "../../src/session/queued-batch.ts";
import { createSlots, drainBatch, workQueue } from "../../src/session/worker-loop.ts";
import { connect, question, serve } from "../model-fixture.ts";
import { partOf } from "../part-of.ts";
import { type PostgresServer, postgresProblem, startPostgres } from "../postgres-server.ts";

const why = postgresProblem === undefined ? "" : ` (skipped: ${postgresProblem})`;

describe.skipIf(postgresProblem !== undefined)(`the queue${why}`, () => {
  let server: PostgresServer;
  let a: JobQueue;
  let b: JobQueue;
  beforeAll(async () => {
    server = await startPostgres();
    const options = { leaseSeconds: 10, onNotice: () => {} };
    a = await openQueue(server.url("jobs"), options);
    b = await openQueue(server.url("jobs"), options);
  });
  afterAll(async () => {
    await Promise.all([a.close(), b.close()]);
    server.remove();
  });

  let batch = { id: "", spec: { tasks: "t.jsonl" }, limits: {} };
  const stateOf = async () => (await b.listBatches()).filter(({ id }) => id === batch.id);
  const countJobs = async () => {
    const states = (await b.listJobs(batch.id)).map(({ state }) => state);
    const count = (state: string): number => states.filter((each) => each === state).length;
    return { waiting: count("waiting"), active: count("active"), ended: count("ended"), lost: count("lost") };
  };
  beforeEach(async ({ task }) => {
    batch = { ...batch, id: `b-${task.id}` };
    await a.openBatch(batch);
  });
  const jobs = ["one", "two", "three"].map((name, at) => ({
    ...{ name, data: { name }, group: at % 2, lane: String(at) },
  }));
  /** `bench run` of an arm without a model; workers are the test's own. */
  const startRun = async (ids: readonly string[], more: Partial<QueuedBatchRequest>) => {
    const folder = mkdtempSync(join(tmpdir(), "millwright-run-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const shared = await openObjectStore(folder);
    const arm = { strategy: "search-repair", model: null, settings: {}, kind: "auto" as const };
    const tasks = ids.map((id) => ({ task: { id, repository: "acme/ledger" } }));
    const { signal } = new AbortController();
    const ended = runQueuedBatch(
      partOf<QueuedBatchRequest>({
        ...{ queue: a, id: batch.id, spec: { epoch: "" }, limits: {}, retries: 0, shared },
        ...{ arms: [arm], attempts: 1, tasks, store: { directory: folder } },
        options: { signal, directory: folder, logs: { directory: join(folder, "logs") } },
        ...{ onStart: () => {}, onResult: () => {} },
        ...{ host: { environment: {}, onNotice: () => {} }, ...more },
      }),
    );
    return { ended, shared, arm };
  };
  /** As if each worker had been silent for longer than its lease. */
  const silence = () =>
    server.sql(
      "jobs",
      "UPDATE millwright_jobs.job SET heartbeat_on = now() - interval '1 hour' WHERE state = 'active'",
    );

  test("each job is leased once, however often it is put, and ends with what it left", async () => {
    await a.put(batch.id, jobs);
    await b.put(batch.id, jobs);
    const first = await a.take(batch.id, "a", { near: [1] });
    expect(first).toMatchObject({ name: "two", data: { name: "two" }, group: 1, attempt: 0 });
    const others = [await b.take(batch.id, "b"), await a.take(batch.id, "a")];
    expect(others.map((lease) => lease?.name).sort()).toEqual(["one", "three"]);
    expect(await b.take(batch.id, "b")).toBeUndefined();
    await first?.end({ outcome: "resolved" });
    await others[0]?.giveBack("the disk is full");
    expect(await a.take(batch.id, "a")).toMatchObject({ name: others[0]?.name, attempt: 1 });
    expect(await b.listEnds(batch.id)).toEqual([
      { name: "two", output: { outcome: "resolved" }, worker: "a", reason: null },
    ]);
    const ended = (await b.listJobs(batch.id)).filter(({ state }) => state === "ended");
    expect(ended).toEqual([{ name: "two", state: "ended", outcome: "resolved" }]);
    for (const ms of (await stateOf()).flatMap(({ openedMs, quietMs }) => [openedMs, quietMs])) {
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThan(60_000);
    }
    server.sql(
      "jobs",
      `UPDATE millwright.ends SET ended_on = now() - interval '1 hour' WHERE batch = '${batch.id}'`,
    );
    expect(await b.listEnds(batch.id, 3_700_000)).toHaveLength(1);
    expect(await b.listEnds(batch.id, 3_500_000)).toEqual([]);
    expect([await b.findState(batch.id), await b.findState("another")]).toEqual(["running", undefined]);
    await b.put(batch.id, jobs);
    expect(await stateOf()).toMatchObject([{ ...batch, state: "running", ready: [], isLeft: true }]);
    expect(await countJobs()).toEqual({ waiting: 0, active: 2, ended: 1, lost: 0 });
    for (const lease of others) await lease?.giveBack("the test ends");
  });

  test("a worker keeps to its groups, and otherwise begins a group of its own or helps the one with most jobs", async () => {
    const put = (group: number, count: number) =>
      a.put(
        batch.id,
        Array.from({ length: count }, (_, at) => ({
          ...{ name: `${group}-${at}`, data: {}, group, lane: String(group) },
        })),
      );
    await put(9, 2);
    await put(8, 9);
    await put(7, 3);
    const groupFor = async (near: number[], without: string[] = []) =>
      (await b.take(batch.id, "w", { near, without }))?.group;
    expect(await groupFor([], ["8"])).toBe(7);
    expect(await groupFor([])).toBe(8);
    expect(await groupFor([])).toBe(9);
    // Each group has a lease: 2, 8 and 1 jobs wait.
    expect(await groupFor([])).toBe(8);
    expect(await groupFor([5, 7])).toBe(7);
    expect(await groupFor([9, 7])).toBe(9);
    expect(await groupFor([9, 7])).toBe(7);
    expect(await groupFor([9, 7])).toBe(8);
    expect(await groupFor([9, 7], ["8"])).toBeUndefined();
  });

  test("if another worker is about to take the chosen group's last job, the worker gets one of another group", async () => {
    await a.put(batch.id, jobs.slice(0, 2));
    const engine = await openEngine(server.url("jobs"), { leaseSeconds: 10, onNotice: () => {} });
    try {
      const begun = await engine.boss.getDb().beginTransaction?.();
      const taken = "SELECT 1 FROM millwright_jobs.job WHERE name = $1 AND priority = 0 FOR UPDATE";
      await begun?.db.executeSql(taken, [batch.id]);
      expect(await a.take(batch.id, "w", { near: [5, 0] })).toMatchObject({ group: 1 });
      expect(await a.take(batch.id, "w", { near: [5, 0] })).toBeUndefined();
      await begun?.rollback();
    } finally {
      await engine.boss.stop({ graceful: false });
    }
  });

  test("workers that begin at the same time begin with different groups", async () => {
    const groups = Array.from({ length: 8 }, (_, at) => at * 100);
    const all = groups.flatMap((group) =>
      [1, 2, 3].map((at) => ({ name: `${group}-${at}`, data: {}, group, lane: "0" })),
    );
    await a.put(batch.id, all);
    const leases = await Promise.all(
      groups.map((_, at) => (at % 2 === 0 ? a : b).take(batch.id, `w${at}`, { near: [] })),
    );
    expect(leases.map((lease) => lease?.group).sort((one = 0, other = 0) => one - other)).toEqual(groups);
  });

  test("a worker that lost its lease writes nothing more; the first record of a key stays", async () => {
    await a.put(batch.id, jobs.slice(0, 1));
    const lost = await a.take(batch.id, "a");
    expect(await lost?.record({ kept: "by a", other: "by a" })).toEqual({ kept: "by a", other: "by a" });
    expect(await lost?.record({ kept: "by a, later", third: "3" })).toEqual({ kept: "by a", third: "3" });
    const takeAfterSilence = () => {
      silence();
      return b.take(batch.id, "b");
    };
    await expect.poll(takeAfterSilence, { timeout: 30_000, interval: 500 }).toBeDefined();
    await expect(lost?.record({ late: "by a" })).rejects.toBeInstanceOf(LeaseLostError);
    await expect(lost?.end({ by: "a" })).rejects.toBeInstanceOf(LeaseLostError);
    expect(lost?.signal.aborted).toBe(true);
    expect(await b.findRecord("late")).toBeUndefined();
    expect(await b.listEnds(batch.id)).toEqual([]);
  });

  test("workers that record the same keys at the same time all get the first values", async () => {
    await a.put(batch.id, jobs);
    const leases = [await a.take(batch.id, "a"), await b.take(batch.id, "b"), await b.take(batch.id, "b")];
    const keys = Array.from({ length: 20 }, (_, at) => `${batch.id}/${at}`);
    const stored = await Promise.all(
      leases.map((lease, at) => {
        const own = at % 2 === 0 ? keys : keys.toReversed();
        return lease?.record(Object.fromEntries(own.map((key) => [key, `by ${at}`])));
      }),
    );
    for (const key of keys) {
      const first = await a.findRecord(key);
      expect(stored.map((values) => values?.[key])).toEqual([first, first, first]);
    }
    for (const lease of leases) await lease?.giveBack("the test ends");
  });

  test("a job whose leases are always lost is given up", async () => {
    await a.put(batch.id, jobs.slice(0, 1));
    await a.take(batch.id, "w");
    // As if it were the fifth lease.
    server.sql("jobs", `UPDATE millwright_jobs.job SET retry_count = 4 WHERE name = '${batch.id}'`);
    const endsAfterSilence = () => {
      silence();
      return a.listEnds(batch.id);
    };
    const lost = { name: "one", output: null, worker: "", reason: null };
    expect(await a.listEnds(batch.id, 60_000)).toEqual([]);
    await expect.poll(endsAfterSilence, { timeout: 30_000, interval: 500 }).toEqual([lost]);
    expect(await a.listEnds(batch.id, 60_000)).toEqual([lost]);
    expect(await a.listJobs(batch.id)).toEqual([{ name: "one", state: "lost", outcome: null }]);
    expect(await stateOf()).toMatchObject([{ isLeft: false, quietMs: null }]);
    expect(await a.take(batch.id, "w")).toBeUndefined();
  });

  test("a job that workers return loses no lease, waits longer each time, and ends with the reason", async () => {
    await a.put(batch.id, jobs.slice(0, 1));
    const job = `millwright_jobs.job WHERE name = '${batch.id}'`;
    const delays: number[] = [];
    for (let tries = 0; tries < 10; tries += 1) {
      const lease = await a.take(batch.id, "w");
      expect(lease?.attempt).toBe(tries);
      await lease?.giveBack("the disk is full");
      delays.push(
        Number(server.sql("jobs", `SELECT round(extract(epoch FROM start_after - now())) FROM ${job}`)),
      );
      server.sql("jobs", `UPDATE millwright_jobs.job SET start_after = now() WHERE name = '${batch.id}'`);
    }
    expect(delays.slice(0, 5)).toEqual([0, 2, 4, 8, 16]);
    expect(delays.at(-1)).toBe(300);
    // As if it had been returned 150 times.
    server.sql("jobs", `UPDATE millwright_jobs.job SET retry_limit = 154 WHERE name = '${batch.id}'`);
    await (await a.take(batch.id, "w"))?.giveBack("the disk is full");
    expect(await a.take(batch.id, "w")).toBeUndefined();
    expect(await a.listEnds(batch.id)).toMatchObject([
      { output: null, worker: "w", reason: "the disk is full" },
    ]);
  });

  test("a try with a defect ends after five losses with the reason, and its workers go on", async () => {
    await a.put(batch.id, jobs.slice(0, 1));
    const { signal } = new AbortController();
    const work = {
      describe: (name: string) => name,
      execute: async () => {
        throw new TypeError("x is undefined");
      },
    };
    const worker = {
      ...{ queue: b, name: "w", workers: 2, slots: createSlots(2), once: true, signal, accountsOf: () => [] },
      ...{ findShortage: async () => undefined, onNotice: () => {} },
    };
    const [opened] = await stateOf();
    await drainBatch(partOf<QueuedBatch>({ ...opened }), work, new Set(), worker);
    const reason = expect.stringContaining("TypeError: x is undefined");
    expect(await a.listEnds(batch.id)).toEqual([{ name: "one", output: null, worker: "w", reason }]);
  });

  test("a batch that is paused gives out no job, and one that is cancelled has none", async () => {
    await a.put(batch.id, jobs);
    expect(await a.setState(batch.id, "paused")).toBe(true);
    expect(await a.take(batch.id, "w")).toBeUndefined();
    await a.setState(batch.id, "running");
    const lease = await a.take(batch.id, "w");
    await a.setState(batch.id, "cancelled");
    await expect(lease?.end({})).rejects.toBeInstanceOf(LeaseLostError);
    await a.openBatch(batch);
    expect(await a.setState("another", "paused")).toBe(false);
    await a.put(batch.id, jobs);
    expect(await stateOf()).toMatchObject([{ state: "running", ready: ["0", "1", "2"], isLeft: true }]);
    expect(await countJobs()).toEqual({ waiting: 3, active: 0, ended: 0, lost: 0 });
  });

  test("a lease from before a cancellation writes nothing after the batch continues", async () => {
    const [one] = jobs;
    await a.put(batch.id, jobs.slice(0, 1));
    const before = await a.take(batch.id, "a");
    await b.setState(batch.id, "cancelled");
    await b.openBatch(batch);
    await b.put(batch.id, jobs.slice(0, 1));
    await b.put(batch.id, jobs.slice(0, 1));
    const after = await b.take(batch.id, "b");
    expect(after?.name).toBe(one?.name);
    expect(await b.take(batch.id, "b")).toBeUndefined();
    const key = `${batch.id}/late`;
    await expect(before?.record({ [key]: "by a" })).rejects.toBeInstanceOf(LeaseLostError);
    await expect(before?.end({ by: "a" })).rejects.toBeInstanceOf(LeaseLostError);
    await before?.giveBack("the machine stops");
    expect(await after?.record({ [key]: "by b" })).toEqual({ [key]: "by b" });
    await after?.end({ by: "b" });
    expect(await a.listEnds(batch.id)).toMatchObject([{ output: { by: "b" }, worker: "b" }]);
  });

  test("a batch that continues has no job of before, also if its cancellation was cut off", async () => {
    await a.put(batch.id, jobs);
    server.sql("jobs", `UPDATE millwright.batches SET state = 'cancelled' WHERE id = '${batch.id}'`);
    await a.openBatch(batch);
    await a.put(batch.id, jobs);
    expect(await stateOf()).toMatchObject([{ state: "running", ready: ["0", "1", "2"], isLeft: true }]);
    expect(await countJobs()).toEqual({ waiting: 3, active: 0, ended: 0, lost: 0 });
  });

  test("a batch with enough results ends early: what waits is dropped, and what runs loses its lease", async () => {
    const results: TryResult[] = [];
    const { ended, shared, arm } = await startRun(["t1", "t2", "t3"], {
      onResult: (result) => void results.push(result),
      isEnough: () => results.length > 0,
    });
    const leases: Lease[] = [];
    for (let tries = 0; leases.length < 2 && tries < 100; tries += 1) {
      const lease = await b.take(batch.id, "w");
      if (lease === undefined) await delay(100);
      else leases.push(lease);
    }
    const [first, second] = leases;
    const result = failedTry(partOf<Try>({ task: { task: { id: "t1" } }, arm, attempt: 1 }), "nothing ran");
    const file = await putContent(shared, Buffer.from(JSON.stringify({ ...result, outcome: "resolved" })));
    const kept = { results: {}, logs: { lost: "0".repeat(64) } };
    await first?.end({ outcome: "resolved", group: 0, try: file, run: null, ...kept });
    expect(await ended).toMatchObject([{ id: "t1", outcome: "resolved", worker: "w" }]);
    expect(await stateOf()).toMatchObject([{ state: "cancelled", ready: [], isLeft: false }]);
    expect(await countJobs()).toEqual({ waiting: 0, active: 0, ended: 1, lost: 0 });
    await expect(second?.end({})).rejects.toBeInstanceOf(LeaseLostError);
  });

  test("a try that workers return too often ends without a further round; the next run queues it again", async () => {
    const { ended } = await startRun(["t1"], { retries: 3 });
    const takeNext = () => b.take(batch.id, "w");
    let lease: Lease | undefined;
    await expect.poll(async () => (lease = await takeNext()), { timeout: 60_000 }).toBeDefined();
    // As if it had been returned 150 times.
    server.sql("jobs", `UPDATE millwright_jobs.job SET retry_limit = 154 WHERE name = '${batch.id}'`);
    await lease?.giveBack("the disk is full");
    const reason = expect.stringContaining("the disk is full");
    expect(await ended).toMatchObject([{ outcome: "infrastructure-error", reason, worker: "w" }]);
    expect(await takeNext()).toBeUndefined();
    const again = await startRun(["t1"], { retries: 3 });
    await expect.poll(async () => (lease = await takeNext()), { timeout: 60_000 }).toBeDefined();
    expect(lease?.name).toBe("0/1/1/t1");
    await a.setState(batch.id, "cancelled");
    expect(await again.ended).toEqual([]);
  });

  test("a run whose batch is cancelled ends with the results so far", async () => {
    let cancelled = 0;
    const onCancel = (): void => {
      cancelled += 1;
    };
    const { ended, shared, arm } = await startRun(["t1", "t2"], { retries: 3, onCancel });
    let lease: Lease | undefined;
    await expect.poll(async () => (lease = await b.take(batch.id, "w")), { timeout: 60_000 }).toBeDefined();
    const id = lease?.name.split("/").at(-1) ?? "";
    const result = failedTry(partOf<Try>({ task: { task: { id } }, arm, attempt: 1 }), "nothing ran");
    const file = await putContent(shared, Buffer.from(JSON.stringify({ ...result, outcome: "resolved" })));
    await lease?.end({ outcome: "resolved", group: 0, try: file, run: null, results: {}, logs: {} });
    await a.setState(batch.id, "cancelled");
    expect(await ended).toMatchObject([{ id, outcome: "resolved" }]);
    expect([cancelled, await countJobs()]).toMatchObject([1, { waiting: 0, active: 0 }]);
  });

  test("a try whose result is lost in the store is queued again, and fails if that one is lost, too", async () => {
    const notices: string[] = [];
    const onNotice = ({ text }: { readonly text: string }) => void notices.push(text);
    const host = partOf<QueuedBatchRequest["host"]>({ onNotice });
    const { ended, shared } = await startRun(["t1"], { host });
    const names: string[] = [];
    for (let tries = 0; names.length < 2 && tries < 100; tries += 1) {
      const lease = await b.take(batch.id, "w");
      if (lease === undefined) await delay(100);
      else names.push(lease.name);
      const kept = { run: null, results: {}, logs: {} };
      await lease?.end({ outcome: "resolved", group: 0, try: "0".repeat(64), ...kept });
    }
    expect(names).toEqual(["0/1/0/t1", "0/1/1/t1"]);
    const lost = `objects/000000000000…, which w wrote, is missing or damaged in the store ${shared.name}`;
    expect(await ended).toMatchObject([{ outcome: "infrastructure-error", reason: lost }]);
    expect(notices).toContain(`t1: ${lost}; the try is queued again`);
  });

  test("a run that still waits collects an infrastructure error again after somebody queued it again", async () => {
    const { ended, shared, arm } = await startRun(["t1", "t2"], {});
    const leases: Lease[] = [];
    const takeAll = async (count: number): Promise<void> => {
      for (let tries = 0; leases.length < count && tries < 100; tries += 1) {
        const lease = await b.take(batch.id, "w");
        if (lease === undefined) await delay(100);
        else leases.push(lease);
      }
    };
    const endWith = async (lease: Lease | undefined, outcome: TryResult["outcome"]): Promise<void> => {
      const id = lease?.name.split("/").at(-1) ?? "";
      const result = failedTry(partOf<Try>({ task: { task: { id } }, arm, attempt: 1 }), "nothing ran");
      const file = await putContent(shared, Buffer.from(JSON.stringify({ ...result, outcome })));
      await lease?.end({ outcome, group: 0, try: file, run: null, results: {}, logs: {} });
    };
    await takeAll(2);
    await endWith(leases[0], "infrastructure-error");
    await delay(2500);
    expect(await retryInfrastructure(b, batch.id)).toMatchObject({ infrastructureErrors: 1 });
    await endWith(leases[1], "resolved");
    await takeAll(3);
    expect(leases[2]?.name).toMatch(/^0\/1\/1\//);
    await delay(2500);
    await endWith(leases[2], "unresolved");
    const outcomes = (await ended).map(({ outcome }) => outcome);
    expect(outcomes.toSorted()).toEqual(["resolved", "unresolved"]);
  });

  test("a run says once that its batch is paused, and once that no worker takes its tries", async () => {
    const notices: string[] = [];
    const onNotice = ({ text }: { readonly text: string }) => void notices.push(text);
    const host = partOf<QueuedBatchRequest["host"]>({ onNotice });
    const { ended } = await startRun(["t1"], { host, idleMs: 1500 });
    const begun = `the batch is ${batch.id}; \`millwright worker\` on any machine works on it`;
    // An earlier test's lease may still be active on a busy machine.
    const idle = expect.stringMatching(
      /^tries wait(?:, and no worker takes them|: the workers are busy with)/,
    );
    await expect.poll(() => notices, { timeout: 60_000 }).toEqual([begun, idle]);
    await a.setState(batch.id, "paused");
    const paused = `the batch is paused; \`millwright bench resume ${batch.id}\` continues it`;
    await expect.poll(() => notices, { timeout: 60_000 }).toEqual([begun, idle, paused]);
    await a.setState(batch.id, "running");
    await expect.poll(() => notices, { timeout: 60_000 }).toEqual([begun, idle, paused, idle]);
    const lease = await b.take(batch.id, "w");
    await delay(2500);
    await a.setState(batch.id, "cancelled");
    expect(await ended).toEqual([]);
    expect([lease?.name, notices.length]).toEqual(["0/1/0/t1", 4]);
  });

  test("what calls may use is held for all workers together", async () => {
    const most = { usd: 0.4, tokens: 10, calls: 1 };
    await a.openBatch({ ...batch, limits: { usd: 1 } });
    const names = ["1", "2", "3", "4"];
    const asked = names.map((id, at) => (at % 2 === 0 ? a : b).hold(batch.id, id, most));
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(2);
    expect(await a.spent(batch.id)).toEqual({ usd: 0.8, tokens: 20, calls: 2 });
    for (const id of names) await b.settle(id, { usd: 0.1, tokens: 5, calls: 1 });
    expect(await b.hold(batch.id, "5", most)).toBe(true);
    expect(await b.hold(batch.id, "5", most)).toBe(true);
    expect((await a.spent(batch.id)).usd).toBeCloseTo(0.6);
  });

  test("batches with the same budget share what it leaves", async () => {
    const [most, budget] = [{ usd: 0.4, tokens: 10, calls: 1 }, `/budgets/${batch.id}.json`];
    const other = `${batch.id}-other`;
    await a.openBatch({ ...batch, limits: { usd: 1 }, budget });
    await a.openBatch({ ...batch, id: other, limits: { usd: 1 }, budget });
    const asked = ["1", "2", "3", "4"].map((id, at) =>
      at % 2 === 0 ? a.hold(batch.id, `${batch.id}/${id}`, most) : b.hold(other, `${other}/${id}`, most),
    );
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(2);
    for (const id of [batch.id, other]) expect(await b.spent(id)).toEqual({ usd: 0.8, tokens: 20, calls: 2 });
  });

  test("a lease lasts as long as its worker says, not as the process that opened the batch", async () => {
    await a.put(batch.id, jobs.slice(0, 1));
    const patient = await openQueue(server.url("jobs"), { leaseSeconds: 60, onNotice: () => {} });
    onTestFinished(() => patient.close());
    const lease = await patient.take(batch.id, "patient");
    const seconds = `SELECT heartbeat_seconds FROM millwright_jobs.job WHERE name = '${batch.id}'`;
    expect([lease?.name, Number(server.sql("jobs", seconds))]).toEqual(["one", 60]);
    await lease?.giveBack("the test ends");
  });

  test("a job waits for years, also one that an earlier version put", async () => {
    await a.put(batch.id, jobs.slice(0, 1));
    const waits = `SELECT count(*) FROM millwright_jobs.job WHERE name = '${batch.id}' AND keep_until > now() + interval '9 years'`;
    expect(Number(server.sql("jobs", waits))).toBe(1);
    server.sql(
      "jobs",
      `UPDATE millwright_jobs.job SET keep_until = now() + interval '14 days' WHERE name = '${batch.id}'`,
    );
    await a.openBatch(batch);
    expect(Number(server.sql("jobs", waits))).toBe(1);
  });

  test("the running total of a budget is the exact sum, also when the server crashes meanwhile", async () => {
    const most = { usd: 0.1, tokens: 10, calls: 1 };
    await a.openBatch({ ...batch, limits: { usd: 6.3 } });
    const ids = Array.from({ length: 80 }, (_, at) => `${batch.id}/${at}`);
    const asked = ids.map((id, at) => (at % 2 === 0 ? a : b).hold(batch.id, id, most));
    await Promise.race(asked);
    server.stop("immediate");
    server.start();
    // As binary fractions, 63 times 0.1 would be more than 6.3.
    const answers = await Promise.all(asked);
    const held = ids.filter((_, at) => answers[at] === true);
    expect(held).toHaveLength(63);
    expect(await a.spent(batch.id)).toEqual({ usd: 6.3, tokens: 630, calls: 63 });
    const used = { usd: 0.037, tokens: 3, calls: 1 };
    await Promise.all(held.flatMap((id) => [a.settle(id, used), b.settle(id, used)]));
    expect(await b.spent(batch.id)).toEqual({ usd: 2.331, tokens: 189, calls: 63 });
    const again = await Promise.all(
      ids.slice(0, 4).flatMap((id) => [a.hold(batch.id, id, most), b.hold(batch.id, id, most)]),
    );
    expect(again.every(Boolean)).toBe(true);
    const sum =
      "SELECT sum(usd::numeric) - (SELECT spent_usd FROM millwright.batches b WHERE b.id = s.batch)";
    const differences = `${sum} FROM millwright.spending s WHERE batch = '${batch.id}' GROUP BY batch`;
    expect(Number(server.sql("jobs", differences))).toBe(0);
  });

  test("a reservation that is sent twice at the limit counts once, and both are told so", async () => {
    const most = { usd: 1, tokens: 10, calls: 1 };
    await a.openBatch({ ...batch, limits: { usd: 1 } });
    const engine = await openEngine(server.url("jobs"), { leaseSeconds: 10, onNotice: () => {} });
    try {
      const begun = await engine.boss.getDb().beginTransaction?.();
      await begun?.db.executeSql("SELECT 1 FROM millwright.batches WHERE id = $1 FOR UPDATE", [batch.id]);
      const asked = [a, b].map((queue) => queue.hold(batch.id, `${batch.id}/same`, most));
      await delay(500);
      await begun?.rollback();
      expect(await Promise.all(asked)).toEqual([true, true]);
    } finally {
      await engine.boss.stop({ graceful: false });
    }
    expect(await a.spent(batch.id)).toEqual(most);
    expect(await b.hold(batch.id, `${batch.id}/other`, most)).toBe(false);
  });

  test("a batch that an earlier version opened keeps its budget, also while workers of that version spend", async () => {
    server.url("earlier");
    const spend = (id: string, usd: number) =>
      server.sql(
        "earlier",
        `INSERT INTO millwright.spending VALUES ('${id}', 'begun', ${usd}, 10, 1), ('${id} of another', 'other', 5, 10, 1)`,
      );
    server.sql(
      "earlier",
      `CREATE SCHEMA millwright;
      CREATE TABLE millwright.batches (id text PRIMARY KEY, spec jsonb NOT NULL, limits jsonb NOT NULL,
        state text NOT NULL DEFAULT 'running', opened_on timestamptz NOT NULL DEFAULT now());
      CREATE TABLE millwright.spending (id text PRIMARY KEY, batch text NOT NULL, usd double precision NOT NULL,
        tokens double precision NOT NULL, calls integer NOT NULL);
      INSERT INTO millwright.batches VALUES ('begun', '{}', '{"usd": 1}')`,
    );
    spend("1", 0.1);
    spend("2", 0.2);
    const queue = await openQueue(server.url("earlier"), { leaseSeconds: 10, onNotice: () => {} });
    try {
      expect(await queue.spent("begun")).toEqual({ usd: 0.3, tokens: 20, calls: 2 });
      spend("3", 0.3);
      const most = { usd: 0.4, tokens: 10, calls: 1 };
      expect(await queue.hold("begun", "4", most)).toBe(true);
      expect(await queue.hold("begun", "5", most)).toBe(false);
      await queue.settle("4", { usd: 0.05, tokens: 1, calls: 1 });
      expect(await queue.spent("begun")).toEqual({ usd: 0.65, tokens: 31, calls: 4 });
      // Another process opens the same tables.
      await (await openQueue(server.url("earlier"), { leaseSeconds: 10, onNotice: () => {} })).close();
      expect(await queue.spent("begun")).toEqual({ usd: 0.65, tokens: 31, calls: 4 });
    } finally {
      await queue.close();
    }
  });

  test("a rate limit that one worker meets holds back the calls of the other", async () => {
    const asked: number[] = [];
    const chat = await serve((_, count) => {
      asked.push(performance.now());
      return count === 0 ? { status: 429, headers: { "retry-after-ms": "3000" } } : { text: "Well." };
    });
    const opened = [a, b].map((queue) =>
      openPauses(
        sharePauses({
          pause: (account, ms) => queue.pause(account, ms),
          listPauses: () => queue.listPauses(),
        }),
      ),
    );
    const sockets = await Promise.all(opened);
    const [first, second] = await Promise.all(
      sockets.map(({ socket }) => connect(chat, { callPauses: socket })),
    );
    const answered = first?.generate(question);
    await expect.poll(() => a.listPauses(), { timeout: 60_000 }).toHaveLength(1);
    expect((await second?.generate(question))?.ok).toBe(true);
    expect((await answered)?.ok).toBe(true);
    const [refused = 0, ...later] = asked;
    expect(later).toHaveLength(2);
    expect(Math.min(...later) - refused).toBeGreaterThan(2900);
    expect(await b.listPauses()).toEqual([]);
    await Promise.all(sockets.map((each) => each.close()));
  });

  test("a worker leaves out the arms whose account takes no calls for long, whoever met the limit", async () => {
    await a.put(batch.id, jobs);
    await a.pause("openai 1234", 3_600_000);
    await b.pause("openai 1234", 1_000);
    const controller = new AbortController();
    const notices: string[] = [];
    const worked: string[] = [];
    const worker = {
      ...{ queue: b, name: "w", workers: 1, slots: createSlots(1), once: false, signal: controller.signal },
      findShortage: async () => undefined,
      accountsOf: () => [["openai 1234"], ["openai 5678"], []],
      onNotice: (text: string) => notices.push(text),
    };
    const ended = workQueue(worker, async ({ id }) => {
      if (id !== batch.id) return "it is another test's";
      // As drainBatch takes them: neither the paused arm's, nor those of a repository alone.
      for (;;) {
        const lease = await b.take(id, "w", { without: ["0"] });
        if (lease === undefined) return undefined;
        worked.push(lease.name);
        await lease.end({});
      }
    });
    const own = () => notices.filter((text) => text.startsWith(batch.id));
    await expect
      .poll(own, { timeout: 60_000 })
      .toEqual([expect.stringContaining("waits with 1 of 3 arms: openai accepts no calls for")]);
    await expect.poll(() => worked.toSorted(), { timeout: 60_000 }).toEqual(["three", "two"]);
    await expect.poll(stateOf, { timeout: 60_000 }).toMatchObject([{ ready: ["0"], isLeft: true }]);
    expect(await countJobs()).toEqual({ waiting: 1, active: 0, ended: 2, lost: 0 });
    controller.abort();
    await ended;
    server.sql("jobs", "DELETE FROM millwright.account_pauses");
  });

  test("a machine that is cut off within a transaction blocks no other one for long", async () => {
    const engine = await openEngine(server.url("jobs"), { leaseSeconds: 10, onNotice: () => {} });
    try {
      const begun = await engine.boss.getDb().beginTransaction?.();
      await begun?.db.executeSql("SELECT 1 FROM millwright.batches WHERE id = $1 FOR UPDATE", [batch.id]);
      expect(await b.hold(batch.id, "after it", { usd: 0, tokens: 0, calls: 1 })).toBe(true);
    } finally {
      await engine.boss.stop({ graceful: false });
    }
  });

  test("a queue waits for its server while it opens, and tells so once; a wrong database ends it at once", async () => {
    const url = server.url("late");
    server.stop("fast");
    const notices: string[] = [];
    const onNotice = (text: string) => void notices.push(text);
    await expect(openQueue(url, { onNotice })).rejects.toMatchObject({ code: "queue" });
    const stop = new AbortController();
    const patience = { patienceMs: Number.POSITIVE_INFINITY, onNotice };
    const stopped = openQueue(url, { ...patience, onNotice: () => {}, signal: stop.signal });
    const opened = openQueue(url, patience);
    await expect.poll(() => notices, { timeout: 60_000 }).toHaveLength(1);
    expect(notices[0]).toMatch(
      /^the queue postgres:\/\/127\.0\.0\.1:\d+\/late does not answer \(.*ECONNREFUSED.*\); this process waits until it does$/,
    );
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ code: "queue" });
    server.start();
    await (await opened).close();
    expect(notices).toHaveLength(1);
    const wrong = openQueue(url.replace("/late", "/nosuch"), patience);
    await expect(wrong).rejects.toMatchObject({
      message: expect.stringContaining('database "nosuch" does not exist'),
      hint: expect.stringContaining("Check user and database"),
    });
  });

  test("a server that restarts is waited for, and a lease outlives it", async () => {
    // On a busy machine, a start can take longer than a short lease.
    const patient = await openQueue(server.url("jobs"), { leaseSeconds: 600, onNotice: () => {} });
    onTestFinished(() => patient.close());
    await a.put(batch.id, jobs.slice(0, 1));
    const lease = await patient.take(batch.id, "w");
    server.stop("immediate");
    const ended = lease?.end({ outcome: "resolved" });
    server.start();
    await ended;
    expect(await a.listEnds(batch.id)).toHaveLength(1);
  });
});

test("an address that is none is a wrong use, and no error has its password", async () => {
  const onNotice = (): void => {};
  await expect(openQueue("redis://localhost", { onNotice })).rejects.toMatchObject({ code: "usage" });
  const url = "postgres://someone:pass-w0rd-of-mine@127.0.0.1:1/none";
  const error = await openQueue(url, { onNotice }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "queue", message: expect.stringContaining("127.0.0.1:1/none") });
  if (error instanceof MillwrightError) expect(`${error.message} ${error.stack}`).not.toContain("pass-w0rd");
});
