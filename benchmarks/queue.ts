/**
 * Measures the queue of batches on its own PostgreSQL server: throughput with one and with two workers, the queue's
 * time per job, and the jobs, model calls with a budget and renewed leases per second. Run with `npm run bench:queue`.
 * Options for the throughput: `--tasks N` (16; 0 omits it), `--wait MS` (20000). Options for the rest: `--jobs N`
 * (1000), `--store PLACE` (default: a temporary folder) such as `s3://BUCKET/PREFIX`. A job of the throughput needs
 * processor time for its process and its grading. It must therefore wait much longer than that, like a job with a
 * model.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { packRun } from "../src/agent/run/run-archive.ts";
import { executeJob, type Job } from "../src/bench/job.ts";
import { nothingMeasured } from "../src/bench/measurement.ts";
import { type ObjectStore, putContent } from "../src/bench/object-store.ts";
import { openObjectStore } from "../src/bench/open-object-store.ts";
import type { JobQueue } from "../src/queue/contract.ts";
import { openEngine } from "../src/queue/engine.ts";
import { openQueue } from "../src/queue/open-queue.ts";
import { openLeasedStores } from "../src/session/leased-stores.ts";
import { openSmallBatch } from "../tests/machine/small-batch.ts";
import { type PostgresServer, postgresProblem, startPostgres } from "../tests/postgres-server.ts";

const { values } = parseArgs({
  options: {
    tasks: { type: "string", default: "16" },
    wait: { type: "string", default: "20000" },
    jobs: { type: "string", default: "1000" },
    store: { type: "string" },
  },
});
const [tasks, wait, jobs] = [Number(values.tasks), values.wait, Number(values.jobs)];
const storeOf = (own: string, part: string): string =>
  values.store === undefined ? own : `${values.store}/${part}`;
const { signal } = new AbortController();
const log = { id: "task", sandbox: "local", version: "0", measurement: nothingMeasured };
/** Milliseconds of a grading: less than any real one. The attempt's files are stored meanwhile. */
const gradingMs = 500;
/** Tries at the same time at one worker. */
const slots = 2;
/** Connections that ask at the same time. */
const askers = 8;

if (postgresProblem !== undefined) throw new Error(postgresProblem);
/** Removals of what the benchmark started, in the order of the starts. */
const removals: (() => Promise<void> | void)[] = [];
let isStopped = false;
for (const [name, exitCode] of [["SIGINT", 130] as const, ["SIGTERM", 143] as const])
  process.once(name, () => {
    isStopped = true;
    void removeAll().finally(() => process.exit(exitCode));
  });
const folder = mkdtempSync(join(tmpdir(), "millwright-bench-queue-"));
removals.push(() => rmSync(folder, { recursive: true, force: true }));
const starting = startPostgres();
removals.push(async () => (await starting).remove());
const server = await starting;
console.error(`the server: ${server.url("speed")}`);
try {
  if (tasks > 0) {
    const one = await measureThroughput(server, 1);
    const two = await measureThroughput(server, 2);
    console.log(`jobs per second, with ${slots} slots per worker; each job waits ${wait} ms:`);
    console.log(`  1 worker ${one.toFixed(2)}, 2 workers ${two.toFixed(2)}: ${(two / one).toFixed(2)} times`);
  }
  await measureQueue(server);
} catch (error) {
  // The signal's handler ends the process.
  if (isStopped) await new Promise(() => {});
  throw error;
} finally {
  await removeAll();
}

async function removeAll(): Promise<void> {
  for (const remove of removals.splice(0).reverse()) await remove();
}

/** Between the first and the last end: without the start of workers, and without the jobs that end first, together. */
async function measureThroughput({ url, sql }: PostgresServer, workers: number): Promise<number> {
  const database = `throughput_${workers}`;
  const address = url(database);
  const opening = openSmallBatch(tasks, "127.0.0.1");
  const remove = async () => (await opening).remove();
  removals.push(remove);
  const batch = await opening;
  try {
    const run = batch.startRun("--queue", address, "--store", storeOf(batch.path("store"), database));
    const env = { MILLWRIGHT_QUEUE: address, SMALL_SLEEP: wait };
    const ended = Array.from({ length: workers }, (_, at) => {
      const own = ["--bench-dir", batch.path(`worker-${at}`), "--name", `w${at}`, "--workers", String(slots)];
      return batch.start([], ["worker", ...own, "--least-disk", "1m", "--least-memory", "1m"], env);
    });
    if ((await run.ended) !== 0) throw new Error(run.stderr().slice(-2000));
    for (const worker of ended) worker.kill("SIGTERM");
    await Promise.all(ended.map((worker) => worker.ended));
    const asked = "SELECT extract(epoch FROM max(ended_on) - min(ended_on)) FROM millwright.ends";
    return (tasks - slots * workers) / Number(sql(database, asked));
  } finally {
    await remove();
  }
}

async function measureQueue({ url }: PostgresServer): Promise<void> {
  const queue = await openQueue(url("speed"), { onNotice: console.log });
  const run = join(folder, "run");
  mkdirSync(run);
  writeFileSync(join(run, "report.json"), "x".repeat(20_000));
  const parts = await timeJobs(queue, await openObjectStore(storeOf(join(folder, "store"), "jobs")), run);
  const row = (name: string, ms: number[]): void => {
    const sorted = ms.sort((one, other) => one - other);
    const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
    console.log(`  ${name.padEnd(30)} median ${at(0.5)} ms, 90 % ${at(0.9)} ms`);
  };
  console.log("time per job, without attempt and grading:");
  const all = (parts.get("lease") ?? []).map((_, at) => sumAt([...parts.values()], at));
  for (const [name, ms] of [...parts, ["all", all] as const]) row(name, ms);
  const [kept, changed] = [await countJobs(queue, "many", [0]), await countJobs(queue, "changing", [])];
  console.log(`jobs per second that one server hands out and completes: ${kept.toFixed(0)}`);
  console.log(`jobs per second if each job begins another repository: ${changed.toFixed(0)}`);
  for (const earlier of [0, 50_000, 200_000]) {
    const holds = await countHolds(queue, earlier);
    console.log(
      `model calls per second that pass the budget, after ${earlier} earlier calls: ${holds.toFixed(0)}`,
    );
  }
  await queue.close();
  console.log(`leases per second that the server renews: ${(await countRenewals(url("speed"))).toFixed(0)}`);
}

function sumAt(parts: readonly (readonly number[])[], at: number): number {
  return parts.reduce((sum, part) => sum + (part[at] ?? 0), 0);
}

/** A job that does nothing except `beside`, and whose result is its key. */
function jobOf(key: string, beside: () => Promise<void>): Job<string> {
  return {
    ...{ key, kind: { schema: "millwright.text/1", type: z.string() } },
    async execute() {
      await beside();
      return key;
    },
    isFinal: () => true,
    onError: (reason) => reason,
  };
}

/**
 * Milliseconds of each part, for each job; one job after another. The stores are a worker's own. The attempt takes no
 * time, and the grading `gradingMs`, which is left out.
 */
async function timeJobs(queue: JobQueue, shared: ObjectStore, run: string): Promise<Map<string, number[]>> {
  const parts = new Map<string, number[]>();
  const time = async <T>(name: string, work: () => Promise<T>, besides = 0): Promise<T> => {
    const started = performance.now();
    const result = await work();
    parts.set(name, [...(parts.get(name) ?? []), performance.now() - started - besides]);
    return result;
  };
  const count = Math.ceil(jobs / 10);
  await fillBatch(queue, "alone", count);
  const before = process.cpuUsage();
  for (let done = 0; done < count; done += 1) {
    const lease = await time("lease", () => queue.take("alone", "w", { near: [0] }));
    if (lease === undefined) throw new Error("the queue lost a job");
    const { name } = lease;
    const attempt = jobOf(`${name} attempt`, async () => {});
    const stores = openLeasedStores(
      { queue, lease, shared, epoch: "" },
      {
        ...{ isFresh: false, logs: join(folder, "logs") },
        storeBeside: async (_, result): Promise<Record<string, string>> =>
          result === attempt.key ? { [`${name} run`]: await putContent(shared, await packRun(run)) } : {},
      },
    );
    await time("attempt", () => executeJob(attempt, stores.results, signal));
    const grading = jobOf(`${name} grading`, async () => {
      await delay(gradingMs);
      await stores.logs.keep(`${name}-log`, log);
    });
    await time("grading", () => executeJob(grading, stores.results, signal), gradingMs);
    await time("end", async () => {
      const file = putContent(shared, Buffer.from(`${name} try`));
      const [hash] = await Promise.all([file, stores.settle()]);
      await lease.end({ try: hash });
    });
  }
  const used = process.cpuUsage(before);
  const ms = (used.user + used.system) / 1000 / count;
  console.log(`processor time of this process per job: ${ms.toFixed(1)} ms`);
  return parts;
}

/** `near`: the groups near the workers; all jobs are of the group 0. */
async function countJobs(queue: JobQueue, batch: string, near: readonly number[]): Promise<number> {
  await fillBatch(queue, batch, jobs);
  const started = performance.now();
  const takeNext = () => queue.take(batch, "w", { near });
  await Promise.all(
    Array.from({ length: askers }, async () => {
      for (let lease = await takeNext(); lease !== undefined; lease = await takeNext()) await lease.end({});
    }),
  );
  return jobs / ((performance.now() - started) / 1000);
}

/** Each call is one reservation and its settlement. `earlier`: the batch's calls so far. */
async function countHolds(queue: JobQueue, earlier: number): Promise<number> {
  const batch = `budget-${earlier}`;
  // First, because the server adds the earlier calls to the batch's total.
  await queue.openBatch({ id: batch, spec: {}, limits: { usd: 1e9 } });
  // One transaction for all would take quadratic time, and one command would hold up the queue's connections.
  for (let first = 1; first <= earlier; first += 1000) {
    server.sql(
      "speed",
      `INSERT INTO millwright.spending (id, batch, usd, tokens, calls) SELECT '${batch}/' || n, '${batch}', 0.01, 10, 1 FROM generate_series(${first}, ${first + 999}) AS n`,
    );
    await delay(1);
  }
  const started = performance.now();
  await Promise.all(
    Array.from({ length: askers }, async (_, asker) => {
      for (let at = asker; at < jobs; at += askers) {
        const id = `${batch}/new-${at}`;
        if (!(await queue.hold(batch, id, { usd: 0.02, tokens: 20, calls: 1 }))) throw new Error("refused");
        await queue.settle(id, { usd: 0.01, tokens: 10, calls: 1 });
      }
    }),
  );
  return jobs / ((performance.now() - started) / 1000);
}

async function fillBatch(queue: JobQueue, id: string, count: number): Promise<void> {
  await queue.openBatch({ id, spec: {}, limits: {} });
  const all = Array.from({ length: count }, (_, at) => ({ name: String(at), data: {}, group: 0, lane: "0" }));
  await queue.put(id, all);
}

async function countRenewals(address: string): Promise<number> {
  const { boss } = await openEngine(address, { onNotice: console.log });
  await boss.createQueue("renewed", { heartbeatSeconds: 30 });
  await boss.insert(
    "renewed",
    Array.from({ length: 100 }, () => ({ data: {} })),
  );
  const leased = await boss.fetch("renewed", { batchSize: 100 });
  const started = performance.now();
  await Promise.all(
    Array.from({ length: askers }, async (_, asker) => {
      for (let at = asker; at < jobs; at += askers) {
        const job = leased[at % leased.length];
        if (job !== undefined) await boss.touch("renewed", job);
      }
    }),
  );
  const perSecond = jobs / ((performance.now() - started) / 1000);
  await boss.stop({ graceful: false });
  return perSecond;
}
