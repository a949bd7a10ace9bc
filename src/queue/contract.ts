/**
 * A queue of jobs that machines share. A worker leases a job and renews the lease while it works; a job whose lease ends is leased
 * to another worker. What a job leaves is written under its lease alone: a worker that lost it changes nothing any more.
 */

export interface JobQueue {
  /** The server, without the user's name and password. */
  readonly name: string;
  /** Makes the batch where there is none of that id; a cancelled one runs again. */
  openBatch(batch: BatchText): Promise<void>;
  /** In the order in which they were opened. */
  listBatches(): Promise<QueuedBatch[]>;
  /** False where there is no such batch. Jobs of a cancelled batch that wait are dropped, and leases end. */
  setState(batch: string, state: BatchState): Promise<boolean>;
  /** Puts the jobs that the batch does not have yet. */
  put(batch: string, jobs: readonly NewJob[]): Promise<void>;
  /** A job of a running batch, of `group` where it has one; undefined where none waits. */
  take(batch: string, worker: string, group?: number): Promise<Lease | undefined>;
  /** Names of the jobs that are leased. */
  listActive(batch: string): Promise<string[]>;
  /** Jobs that ended, with what they left, and those whose leases ended too often. */
  listEnds(batch: string): Promise<JobEnd[]>;
  /** The first value recorded under the key. */
  findRecord(key: string): Promise<string | undefined>;
  /** Amounts that model calls of all the batch's workers used or hold. */
  spent(batch: string): Promise<SharedAmounts>;
  /** Writes down what a call may use; false where less is left of the batch's limits. The same `id` holds once. */
  hold(batch: string, id: string, most: SharedAmounts): Promise<boolean>;
  settle(id: string, used: SharedAmounts): Promise<void>;
  close(): Promise<void>;
}

export interface QueueOptions {
  /** Seconds after which a worker that does not renew a lease loses it: 10 or more. */
  readonly leaseSeconds?: number;
  /** Receives the server's complaints, each once a minute at most. */
  readonly onNotice: (text: string) => void;
  /** Milliseconds for which an open queue waits for a server that does not answer; default: a minute. */
  readonly patienceMs?: number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

export const batchStates = ["running", "paused", "cancelled"] as const;
export type BatchState = (typeof batchStates)[number];

export interface SharedAmounts {
  readonly usd: number;
  readonly tokens: number;
  readonly calls: number;
}

export interface BatchText {
  readonly id: string;
  /** All that a worker has to know, as JSON data: the queue does not read it. */
  readonly spec: unknown;
  /** Of the calls of models, of all jobs together. */
  readonly limits: { readonly [what in keyof SharedAmounts]?: number | undefined };
}

export interface QueuedBatch extends BatchText {
  readonly state: BatchState;
  readonly waiting: number;
  readonly active: number;
  readonly ended: number;
}

export interface NewJob {
  /** Unique within the batch. */
  readonly name: string;
  readonly data: object;
  /** Jobs of a group go to the same worker where it asks: from 0 to 9999. */
  readonly group: number;
}

export interface JobEnd {
  readonly name: string;
  /** Null where no worker ended the job: each lost its lease. */
  readonly output: unknown;
  readonly worker: string;
}

export interface Lease {
  readonly name: string;
  readonly data: unknown;
  readonly group: number;
  /** How often the job was leased before: with the job's name, the fencing token. */
  readonly attempt: number;
  /** Aborts when the lease is lost, or could not be renewed for as long as it lasts. */
  readonly signal: AbortSignal;
  /** Keeps the value under the key; the first one stays, and is returned. Throws LeaseLostError. */
  record(key: string, value: string): Promise<string>;
  /** Ends the job with what it left. Throws LeaseLostError. */
  end(output: object): Promise<void>;
  /** Gives the job back, for another worker. */
  giveBack(reason: string): Promise<void>;
}

export class LeaseLostError extends Error {
  constructor(job: string) {
    super(`The lease of ${job} is lost: another worker has the job, or its batch was cancelled.`);
    this.name = "LeaseLostError";
  }
}
