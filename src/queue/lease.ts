/** A lease of one job: renewed regularly, and checked in the same transaction as each write. */
import type { Db } from "pg-boss";
import { z } from "zod";
import { isConnectionError } from "./connection-errors.ts";
import { type Lease, LeaseLostError, longestDelaySeconds, mostGiveBacks, mostLosses } from "./contract.ts";
import type { Engine } from "./engine.ts";
import { delayReturned, excuseLease, recordHeld } from "./tables.ts";

/**
 * A job's identity in the engine. `retryCount` grows with each lease, so the engine accepts changes only for the
 * current lease.
 */
export interface EngineJob {
  readonly id: string;
  readonly retryCount: number;
}

interface LeasedJob extends EngineJob {
  readonly batch: string;
  readonly worker: string;
  readonly name: string;
  readonly group: number;
  readonly data?: unknown;
}

const answerSchema = z.object({ affected: z.int() });

export function createLease(engine: Engine, job: LeasedJob): Lease {
  const { boss, persist, transact } = engine;
  const { batch, worker, name, group, data, retryCount } = job;
  const lost = new AbortController();
  const lose = (): LeaseLostError => {
    const error = new LeaseLostError(name);
    stop();
    lost.abort(error);
    return error;
  };
  const stop = keepRenewing(engine, job, lose);
  return {
    ...{ name, group, data, attempt: retryCount, signal: lost.signal },
    async record(values) {
      const stored = await recordFirst(engine, job, values);
      if (stored === undefined) throw lose();
      return stored;
    },
    async end(output) {
      await transact(async (db) => {
        const { affected } = answerSchema.parse(await boss.complete(batch, job, null, { db }));
        if (affected > 0) await recordEnd(db, job, output);
        else if (!(await hasEnded(db, job))) throw lose();
      });
      stop();
    },
    async giveBack(reason) {
      stop();
      await transact(async (db) => {
        await db.executeSql(excuseLease, [batch, job.id, retryCount, mostLosses, mostGiveBacks]);
        await boss.fail(batch, job, { reason, worker }, { db });
        await db.executeSql(delayReturned, [batch, job.id, retryCount, mostLosses, longestDelaySeconds]);
      });
    },
    async fail(reason) {
      stop();
      await persist(() => boss.fail(batch, job, { reason, worker }));
    },
  };
}

/**
 * Renews the lease regularly. Returns a function that stops this. Calls `onLost` if another worker has the lease, or if
 * the lease was not renewed in time.
 */
function keepRenewing({ boss, leaseMs }: Engine, job: LeasedJob, onLost: () => void): () => void {
  let renewedAt = performance.now();
  let isRenewing = false;
  const renew = async (): Promise<void> => {
    isRenewing = true;
    const asked = performance.now();
    try {
      const { affected } = answerSchema.parse(await boss.touch(job.batch, job));
      if (affected === 0) onLost();
      else renewedAt = asked;
    } catch (error) {
      if (!isConnectionError(error)) onLost();
    } finally {
      isRenewing = false;
    }
  };
  const timer = setInterval(() => {
    if (performance.now() - renewedAt > leaseMs) onLost();
    else if (!isRenewing) void renew();
  }, leaseMs / 5);
  return () => clearInterval(timer);
}

const recordedSchema = z.array(
  z.object({ key: z.string(), value: z.string().nullable(), held: z.boolean() }),
);

/**
 * Stores each key's first value in one round trip, if the worker holds the lease. Returns undefined if the lease is
 * lost.
 */
async function recordFirst(
  engine: Pick<Engine, "query">,
  job: LeasedJob,
  values: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>> | undefined> {
  const given = [Object.keys(values), Object.values(values)];
  const rows = recordedSchema.parse(
    await engine.query(recordHeld, [job.batch, job.id, job.retryCount, ...given]),
  );
  if (rows.some(({ held }) => !held)) return undefined;
  const stored: Record<string, string> = {};
  for (const { key, value } of rows) if (value !== null) stored[key] = value;
  // Another worker stored a value after this statement began, so that the statement does not see it yet.
  return rows.some(({ value }) => value === null) ? recordFirst(engine, job, values) : stored;
}

/** True if our commit succeeded, but the answer was lost with the connection. */
async function hasEnded(db: Db, { batch, name, retryCount, worker }: LeasedJob): Promise<boolean> {
  const text =
    "SELECT 1 FROM millwright.ends WHERE batch = $1 AND name = $2 AND attempt = $3 AND worker = $4";
  return (await db.executeSql(text, [batch, name, retryCount, worker])).rows.length > 0;
}

async function recordEnd(db: Db, { batch, name, retryCount, worker }: LeasedJob, output: object) {
  const text =
    "INSERT INTO millwright.ends (batch, name, attempt, worker, output) VALUES ($1, $2, $3, $4, $5)";
  await db.executeSql(text, [batch, name, retryCount, worker, JSON.stringify(output)]);
}
