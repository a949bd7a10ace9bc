/** Opens pg-boss, with its database of jobs. */
import { type Db, PgBoss } from "pg-boss";
import { describeServer, isConnectionError, type Patience, untilConnected } from "./connection-errors.ts";
import type { QueueOptions } from "./contract.ts";
import { engineSchema } from "./tables.ts";

/** The queue's engine (pg-boss) with its database. Repeats queries within a time limit if the connection breaks. */
export interface Engine {
  readonly boss: PgBoss;
  readonly leaseMs: number;
  /** Sends a query. Repeats it while the server restarts. Errors name the server. */
  query(text: string, values?: readonly unknown[]): Promise<unknown[]>;
  persist<T>(work: () => Promise<T>, patience?: Patience): Promise<T>;
  /** Runs `work` in a transaction: all of it, or nothing if it throws. */
  transact<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

const usualLeaseSeconds = 30;
/** Milliseconds for which a query waits for the server: longer than a server's restart. */
const usualPatienceMs = 60_000;
/** Milliseconds between notices of the same kind: of the same text, or about the same server. */
const noticeMs = 60_000;

export async function openEngine(
  url: string,
  { leaseSeconds = usualLeaseSeconds, onNotice, patienceMs, signal }: QueueOptions,
): Promise<Engine> {
  const { wrap, tellWait } = describeServer(url);
  const leaseMs = leaseSeconds * 1000;
  const boss = new PgBoss({
    ...timeoutsFor(leaseMs),
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
  const notify = withoutRepeats(onNotice);
  // A process that waits for the server has no error to report.
  const onWait = patienceMs === undefined ? undefined : (error: unknown) => notify(tellWait(error), "wait");
  boss.on("error", (thrown) => {
    const error = asError(thrown);
    if (onWait !== undefined && isConnectionError(error)) onWait(error);
    else notify(asMessage(wrap(error)));
  });
  // A failed start can be repeated.
  await untilConnected(() => boss.start(), { patienceMs: patienceMs ?? 0, signal, onWait });
  const db = boss.getDb();
  const usual = { patienceMs: patienceMs ?? usualPatienceMs, signal, onWait };
  const persist: Engine["persist"] = (work, patience = usual) =>
    untilConnected(work, patience).catch((error: unknown) => {
      throw wrap(error);
    });
  return {
    ...{ boss, persist, leaseMs },
    query: (text, values = []) => persist(async () => (await db.executeSql(text, [...values])).rows),
    transact: (work) => persist(() => inTransaction(db, work)),
  };
}

/**
 * Returns time limits for connections. Without them, a machine without network waits for its lost connections for a
 * quarter of an hour. The server keeps the machine's open transactions, and their locks stop the other machines. The
 * client uses `query_timeout` and `keepAlive` for its connections. The server uses its own limits for each session.
 */
function timeoutsFor(leaseMs: number) {
  const answerMs = leaseMs / 2;
  const ofServer = {
    idle_in_transaction_session_timeout: answerMs,
    tcp_user_timeout: answerMs,
    tcp_keepalives_idle: Math.ceil(answerMs / 1000),
    tcp_keepalives_interval: Math.ceil(answerMs / 3000),
    tcp_keepalives_count: 3,
  };
  const options = Object.entries(ofServer).map(([name, value]) => `-c ${name}=${value}`);
  return { query_timeout: answerMs, keepAlive: true, options: options.join(" ") };
}

function withoutRepeats(onNotice: (text: string) => void): (text: string, kind?: string) => void {
  const said = new Map<string, number>();
  return (text, kind = text) => {
    const now = performance.now();
    if (now - (said.get(kind) ?? Number.NEGATIVE_INFINITY) < noticeMs) return;
    said.set(kind, now);
    onNotice(text);
  };
}

/** Converts to an error: pg-boss also reports plain objects with the fields of an error. */
export function asError(error: unknown): unknown {
  if (error instanceof Error || typeof error !== "object" || error === null) return error;
  const { message } = { message: "", ...error };
  return typeof message === "string" && message !== "" ? Object.assign(new Error(message), error) : error;
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
