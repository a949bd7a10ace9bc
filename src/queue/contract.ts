/**
 * A queue of jobs that machines share. A worker leases a job and renews the lease while it works. If the lease ends,
 * another worker gets the job. The queue accepts results only under the lease: a worker that lost it can change
 * nothing.
 */

export interface JobQueue {
  /** The server, without the user's name and password. */
  readonly name: string;
  /** Creates the batch if no batch has that id. Continues a cancelled batch. */
  openBatch(batch: BatchText): Promise<void>;
  /** Lists the batches in the order in which they were opened. Must be cheap, because idle workers ask every 2 seconds. */
  listBatches(): Promise<QueuedBatch[]>;
  /** Lists all jobs of the batch, including the ended jobs. */
  listJobs(batch: string): Promise<QueuedJob[]>;
  /**
   * Sets the batch's state. Returns false if there is no such batch. Cancelling a batch drops its waiting jobs and ends
   * its leases.
   */
  setState(batch: string, state: BatchState): Promise<boolean>;
  /** Adds the jobs that the batch does not have yet. */
  put(batch: string, jobs: readonly NewJob[]): Promise<void>;
  /** Leases a waiting job of a running batch; undefined if none waits. */
  take(batch: string, worker: string, choice?: JobChoice): Promise<Lease | undefined>;
  /** Returns the names of the leased jobs. */
  listActive(batch: string): Promise<string[]>;
  /** Returns the batch's state; undefined if there is no such batch. */
  findState(batch: string): Promise<BatchState | undefined>;
  /**
   * Lists the ended jobs with their results, and the jobs that were returned, or lost their lease, too often.
   * `withinMs`: only jobs that ended in the last `withinMs` milliseconds, by the server's clock; default: all.
   */
  listEnds(batch: string, withinMs?: number): Promise<JobEnd[]>;
  /** Returns the first value recorded under the key; undefined if there is none. */
  findRecord(key: string): Promise<string | undefined>;
  /**
   * Returns the amounts that model calls of all workers used or reserved, in all batches that share the batch's budget.
   */
  spent(batch: string): Promise<SharedAmounts>;
  /**
   * Reserves the amounts that a call may use. Returns false if the batch's limits leave less. The same `id` counts
   * once.
   */
  hold(batch: string, id: string, most: SharedAmounts): Promise<boolean>;
  settle(id: string, used: SharedAmounts): Promise<void>;
  /**
   * Tells the workers of all batches that a provider's account accepts no calls for `ms` milliseconds. Does not shorten
   * a longer pause.
   */
  pause(account: string, ms: number): Promise<void>;
  /** Returns the current pauses. */
  listPauses(): Promise<AccountPause[]>;
  close(): Promise<void>;
}

export interface QueueOptions {
  /** Duration of a lease in seconds, 10 or more. A worker loses a lease that it does not renew in this time. */
  readonly leaseSeconds?: number;
  /** Receives the server's errors, each at most once a minute. */
  readonly onNotice: (text: string) => void;
  /**
   * Milliseconds for which the queue waits for a server that does not answer. Default: 0 while the queue opens, and a
   * minute afterwards.
   */
  readonly patienceMs?: number;
  /** If this signal aborts, the queue no longer waits for the server. */
  readonly signal?: AbortSignal;
}

export const batchStates = ["running", "paused", "cancelled"] as const;
export type BatchState = (typeof batchStates)[number];

export interface SharedAmounts {
  readonly usd: number;
  readonly tokens: number;
  readonly calls: number;
}

export interface AccountPause {
  readonly account: string;
  /** The rest of the pause in milliseconds, by the server's clock. */
  readonly ms: number;
}

export interface BatchText {
  readonly id: string;
  /** All data that a worker needs, as JSON. The queue does not read these data. */
  readonly spec: unknown;
  /** Limits of model calls, for all jobs together. */
  readonly limits: { readonly [what in keyof SharedAmounts]?: number | undefined };
  /** The budget's name. All batches with this name share their usage. Absent: the batch has its own budget. */
  readonly budget?: string | undefined;
}

export interface QueuedBatch extends BatchText {
  readonly state: BatchState;
  /** The lanes with a waiting job that a worker can lease now. */
  readonly ready: readonly string[];
  /** True if a job waits or is leased. */
  readonly isLeft: boolean;
  /** Milliseconds since the batch was first opened, by the server's clock. */
  readonly openedMs: number;
  /** Milliseconds since the last result; null before the first one. */
  readonly quietMs: number | null;
}

export const jobStates = ["waiting", "active", "ended", "lost"] as const;

export interface QueuedJob {
  readonly name: string;
  /** `lost`: no worker ended the job, because every worker lost its lease or returned the job. */
  readonly state: (typeof jobStates)[number];
  /** The field `outcome` of the result, if it has one. */
  readonly outcome: string | null;
}

export interface NewJob {
  /** The job's name, unique within the batch. */
  readonly name: string;
  readonly data: object;
  /** The job's group, from 0 to 9999. Workers can prefer a group. */
  readonly group: number;
  /** The job's lane. Workers can exclude a lane. */
  readonly lane: string;
}

export interface JobChoice {
  /**
   * Groups in order of preference. The worker gets a job of the first of these groups that has a waiting job. If none
   * has, it gets a job of a group without leases. Otherwise it gets a job of the group with the most waiting jobs per
   * lease. Absent: any job.
   */
  readonly near?: readonly number[];
  /** The excluded lanes. */
  readonly without?: readonly string[];
}

export interface JobEnd {
  readonly name: string;
  /** The job's result; null if no worker ended the job, because every worker lost its lease or returned the job. */
  readonly output: unknown;
  /** The worker that ended the job, or else the last worker that returned it. Empty if every worker lost its lease. */
  readonly worker: string;
  /**
   * The reason for the last return or defect, if no worker ended the job and the last worker returned it; otherwise
   * null.
   */
  readonly reason: string | null;
}

export interface Lease {
  readonly name: string;
  readonly data: unknown;
  readonly group: number;
  /** Number of earlier leases of the job. Together with the job's name, this is the fencing token. */
  readonly attempt: number;
  /** Aborts when the lease is lost, or when the worker did not renew it in time. */
  readonly signal: AbortSignal;
  /**
   * Stores each value under its key, unless the key already has a value. Returns the stored values. Throws
   * LeaseLostError.
   */
  record(values: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>>;
  /** Ends the job with its result. Throws LeaseLostError. */
  end(output: object): Promise<void>;
  /**
   * Returns the job to the queue, for another worker. A return does not count as a loss of the lease. If workers return
   * the job again and again, the queue waits longer each time.
   */
  giveBack(reason: string): Promise<void>;
  /**
   * Returns the job after a defect. This counts as a loss of the lease, so that workers soon stop repeating a job with
   * a defect.
   */
  fail(reason: string): Promise<void>;
}

export class LeaseLostError extends Error {
  constructor(job: string) {
    super(`The lease of ${job} is lost: another worker has the job, or its batch was cancelled.`);
    this.name = "LeaseLostError";
  }
}

/** Maximum number of leases that a job may lose. Without a limit, a job that crashes its workers would end them all. */
export const mostLosses = 4;
/**
 * Maximum number of times that workers may return a job, besides its losses. With the delays, the last return is after
 * half a day.
 */
export const mostGiveBacks = 150;
/**
 * Maximum delay after a return, in seconds. The second return waits two seconds, and each further one twice as long as
 * the last.
 */
export const longestDelaySeconds = 300;
