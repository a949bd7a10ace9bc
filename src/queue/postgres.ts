/** The queue on a PostgreSQL server, over pg-boss. */
import type { Db } from "pg-boss";
import { z } from "zod";
import { isSystemError } from "../base/errors.ts";
import { hashText } from "../base/hash.ts";
import { describeServer } from "./connection-errors.ts";
import {
  batchStates,
  type JobChoice,
  type JobQueue,
  jobStates,
  mostLosses,
  type NewJob,
  type QueueOptions,
  type SharedAmounts,
} from "./contract.ts";
import { type Engine, openEngine } from "./engine.ts";
import { createLease, type EngineJob } from "./lease.ts";
import {
  chooseGroup,
  createIndex,
  createTables,
  deleteJobs,
  findAmounts,
  findOpenings,
  holdAmounts,
  keepWaiting,
  listActive,
  listBatches,
  listEnds,
  listJobs,
  listPauses,
  pauseAccount,
  reopenBatch,
  setHeartbeat,
  settleAmounts,
  spentBy,
} from "./tables.ts";

/** The engine's maximum duration of a job, in seconds. A job's own limits end it earlier. */
const longestJob = 24 * 60 * 60 - 60;
/**
 * Seconds for which a job can wait. The engine would delete a job that waits longer, and the batch would wait for this
 * job for ever.
 */
const longestWait = 10 * 365 * 24 * 60 * 60;

export async function openPostgresQueue(url: string, options: QueueOptions): Promise<JobQueue> {
  const engine = await openEngine(url, options);
  await createOwnTables(engine);
  return createQueue(engine, describeServer(url).name);
}

/** The key of a database lock: any number, but the same in each process. */
const creationLock = 8_413_207;

function createOwnTables({ transact }: Engine): Promise<unknown> {
  return transact(async (db) => {
    await db.executeSql("SELECT pg_advisory_xact_lock($1)", [creationLock]);
    await db.executeSql(createTables);
    await db.executeSql(createIndex);
  });
}

const amountsSchema = z.object({ usd: z.number(), tokens: z.number(), calls: z.number() });
const batchRowSchema = z.object({
  ...{ id: z.string(), spec: z.unknown(), limits: amountsSchema.partial() },
  ...{ state: z.enum(batchStates), ready: z.array(z.string()), isLeft: z.boolean() },
  ...{ openedMs: z.number(), quietMs: z.number().nullable() },
});
const jobRowSchema = z.object({
  ...{ name: z.string(), state: z.enum(jobStates), outcome: z.string().nullable() },
});
const endRowSchema = z.object({
  ...{ name: z.string(), output: z.unknown(), worker: z.string() },
  reason: z.string().nullable(),
});
const pauseRowSchema = z.object({ account: z.string(), ms: z.number() });
const openingsSchema = z.object({ openings: z.int() });
const jobDataSchema = z.object({ name: z.string(), group: z.int(), data: z.unknown() });

function createQueue(engine: Engine, name: string): JobQueue {
  const { boss, leaseMs, query, persist, transact } = engine;
  const queueOptions = {
    ...{ heartbeatSeconds: leaseMs / 1000, retryLimit: mostLosses, retryDelay: 0 },
    ...{ expireInSeconds: longestJob, deleteAfterSeconds: 0, retentionSeconds: longestWait },
  };
  return {
    name,
    async openBatch({ id, spec, limits, budget }) {
      await persist(() => boss.createQueue(id, queueOptions));
      await persist(() => boss.updateQueue(id, { retentionSeconds: longestWait }));
      await query(keepWaiting, [id]);
      const text = `INSERT INTO millwright.batches (id, spec, limits, budget) VALUES ($1, $2, $3, $4)
        ON CONFLICT (id) DO UPDATE SET spec = $2, limits = $3, budget = $4`;
      await transact(async (db) => {
        const reopened = (await db.executeSql(reopenBatch, [id])).rows;
        if (reopened.length > 0) await db.executeSql(deleteJobs, [id]);
        await db.executeSql(text, [id, JSON.stringify(spec), JSON.stringify(limits), budget ?? null]);
      });
    },
    async listBatches() {
      return z.array(batchRowSchema).parse(await query(listBatches));
    },
    async listJobs(batch) {
      return z.array(jobRowSchema).parse(await query(listJobs, [batch]));
    },
    async setState(batch, state) {
      const set = "UPDATE millwright.batches SET state = $2 WHERE id = $1 RETURNING id";
      if ((await query(set, [batch, state])).length === 0) return false;
      if (state === "cancelled") await persist(() => boss.deleteAllJobs(batch));
      return true;
    },
    put: (batch, jobs) => putJobs(engine, batch, jobs),
    async take(batch, worker, choice = {}) {
      const running = "SELECT 1 FROM millwright.batches WHERE id = $1 AND state = 'running'";
      if ((await query(running, [batch])).length === 0) return undefined;
      const job = await fetchJob(engine, batch, choice);
      if (job === undefined) return undefined;
      const { id, retryCount } = engineJobSchema.parse(job);
      // The job's own value may be that of the process that opened the batch.
      if (job.heartbeatSeconds !== leaseMs / 1000)
        await query(setHeartbeat, [batch, id, retryCount, leaseMs / 1000]);
      return createLease(engine, { batch, worker, id, retryCount, ...jobDataSchema.parse(job.data) });
    },
    async listActive(batch) {
      return readNames(await query(listActive, [batch]));
    },
    async findState(batch) {
      const [row] = await query("SELECT state FROM millwright.batches WHERE id = $1", [batch]);
      return row === undefined ? undefined : batchRowSchema.pick({ state: true }).parse(row).state;
    },
    async listEnds(batch, withinMs) {
      return z.array(endRowSchema).parse(await query(listEnds, [batch, withinMs ?? null]));
    },
    async findRecord(key) {
      const [row] = await query("SELECT value FROM millwright.records WHERE key = $1", [key]);
      return row === undefined ? undefined : z.object({ value: z.string() }).parse(row).value;
    },
    async spent(batch) {
      return amountsSchema.parse((await query(spentBy, [batch]))[0]);
    },
    hold: (batch, id, most) => persist(() => holdOnce(boss.getDb(), batch, id, most)),
    async settle(id, { usd, tokens, calls }) {
      await query(settleAmounts, [id, usd, tokens, calls]);
    },
    async pause(account, ms) {
      await query(pauseAccount, [account, ms]);
    },
    async listPauses() {
      return z.array(pauseRowSchema).parse(await query(listPauses));
    },
    close: () => boss.stop({ graceful: false }),
  };
}

async function putJobs(
  { boss, query, transact }: Engine,
  batch: string,
  jobs: readonly NewJob[],
): Promise<void> {
  const known = await query("SELECT name FROM millwright.ends WHERE batch = $1", [batch]);
  const ended = new Set(
    z
      .array(z.object({ name: z.string() }))
      .parse(known)
      .map((row) => row.name),
  );
  const missing = jobs.filter((job) => !ended.has(job.name));
  for (let at = 0; at < missing.length; at += 500)
    await transact(async (db) => {
      const { openings } = openingsSchema.parse((await db.executeSql(findOpenings, [batch])).rows[0]);
      const some = missing.slice(at, at + 500).map((job) => engineJob([batch, openings], job));
      await boss.insert(batch, some, { db });
    });
}

/**
 * Leases a job in the engine. Leases a job of the first group at once. Other choices wait for each other, because each
 * must see the earlier leases. Otherwise, workers that begin together would all choose the same group.
 */
async function fetchJob({ boss, persist, transact }: Engine, batch: string, choice: JobChoice) {
  const { near, without = [] } = choice;
  const fetch = async (group?: number, db?: Db) => {
    const only = group === undefined ? {} : { minPriority: group, maxPriority: group };
    const own = db === undefined ? {} : { db };
    const [job] = await boss.fetch<unknown>(batch, { ...only, ...own, ignoreGroups: [...without] });
    return job;
  };
  if (near === undefined) return persist(() => fetch());
  const [first] = near;
  const job = first === undefined ? undefined : await persist(() => fetch(first));
  if (job !== undefined) return job;
  return transact(async (db) => {
    await db.executeSql("SELECT pg_advisory_xact_lock($1, hashtext($2))", [choiceLock, batch]);
    // Workers that keep to a group do not wait here: its last job may be theirs by now.
    for (const empty: number[] = []; ; ) {
      const [row] = (await db.executeSql(chooseGroup, [batch, near, without, empty])).rows;
      if (row === undefined) return undefined;
      const { group } = z.object({ group: z.int() }).parse(row);
      const chosen = await fetch(group, db);
      if (chosen !== undefined) return chosen;
      empty.push(group);
    }
  });
}

/** The key of a database lock: any number, but the same in each process. */
const choiceLock = 8_413_208;

function readNames(rows: unknown): string[] {
  const parsed = z.array(z.object({ name: z.string() })).parse(rows);
  return parsed.map(({ name }) => name);
}

const engineJobSchema = z.object({ id: z.string(), retryCount: z.int() }) satisfies z.ZodType<EngineJob>;

/**
 * Makes the engine's job. Our lanes are the engine's groups, because the engine can exclude groups. Our groups are the
 * engine's priorities.
 */
function engineJob(opened: readonly [batch: string, openings: number], { name, data, group, lane }: NewJob) {
  const hash = hashText(JSON.stringify([...opened, name]));
  const id = hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { id, data: { name, group, data }, priority: group, group: { id: lane } };
}

async function holdOnce(db: Db, batch: string, id: string, { usd, tokens, calls }: SharedAmounts) {
  try {
    const [row] = (await db.executeSql(holdAmounts, [batch, id, usd, tokens, calls])).rows;
    if (z.object({ held: z.boolean() }).parse(row).held) return true;
    // If the answer was late, the same reservation may have used the rest meanwhile: its statement is not visible above.
    return (await db.executeSql(findAmounts, [id])).rows.length > 0;
  } catch (error) {
    // Another connection has just sent the same reservation, because its answer was late.
    if (isSystemError(error, uniqueViolation)) return true;
    throw error;
  }
}

const uniqueViolation = "23505";
