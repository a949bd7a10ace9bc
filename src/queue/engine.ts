/** pg-boss with the database that it keeps jobs in. */
import { type Db, PgBoss } from "pg-boss";
import { describeServer, type Patience, untilConnected } from "./connection-errors.ts";
import type { QueueOptions } from "./contract.ts";
import { engineSchema } from "./tables.ts";

/** The engine, its database, and how long a broken connection to it is tried again. */
export interface Engine {
  readonly boss: PgBoss;
  readonly leaseMs: number;
  /** Tried again while the server restarts; errors say which server. */
  query(text: string, values?: readonly unknown[]): Promise<unknown[]>;
  persist<T>(work: () => Promise<T>, patience?: Patience): Promise<T>;
  /** All of `work`, or nothing where it throws. */
  transact<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

const usualLeaseSeconds = 30;
/** A server's restart takes less. */
const patienceMs = 60_000;

export async function openEngine(
  url: string,
  { leaseSeconds = usualLeaseSeconds, onNotice }: QueueOptions,
): Promise<Engine> {
  const { wrap } = describeServer(url);
  const boss = new PgBoss({
    connectionString: url,
    schema: engineSchema,
    application_name: "millwright",
    max: 8,
    connectionTimeoutMillis: 10_000,
    schedule: false,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    reindex: false,
    monitorVacuum: false,
  });
  boss.on("error", (error) => onNotice(String(asMessage(wrap(error)))));
  await boss.start();
  const db = boss.getDb();
  const persist: Engine["persist"] = (work, patience = { patienceMs }) =>
    untilConnected(work, patience).catch((error: unknown) => {
      throw wrap(error);
    });
  return {
    ...{ boss, persist, leaseMs: leaseSeconds * 1000 },
    query: (text, values = []) => persist(async () => (await db.executeSql(text, [...values])).rows),
    transact: (work) => persist(() => inTransaction(db, work)),
  };
}

function asMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function inTransaction<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  const transaction = await db.beginTransaction?.();
  if (transaction === undefined) throw new Error("the queue's client has no transactions");
  try {
    const result = await work(transaction.db);
    await transaction.commit();
    return result;
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}
