/**
 * Runs a worker's loop: finds batches with waiting tries, leases the tries, and executes them. Prefers tries whose
 * environment the worker has already made.
 */
import { setTimeout as delay } from "node:timers/promises";
import { countOf } from "../base/count.ts";
import { asDiskError, interruptedExitCode, isSystemError, MillwrightError } from "../base/errors.ts";
import { formatDuration, withoutSizes } from "../base/units.ts";
import { laneOf } from "../bench/queued-try.ts";
import {
  type AccountPause,
  type JobQueue,
  type Lease,
  LeaseLostError,
  type QueuedBatch,
} from "../queue/contract.ts";
import { findHeldArms } from "./batch-pauses.ts";

/** The work of a batch's jobs on this machine. */
export interface BatchWork {
  /** Names a job for people. */
  describe(name: string): string;
  /**
   * Executes the job, and ends it or gives it back. Throws LeaseLostError, AbortError, and MillwrightError if the store
   * or the queue fails.
   */
  execute(
    lease: Lease,
    findShortage: Worker["findShortage"],
  ): Promise<{ readonly outcome: string; readonly givenBack?: string }>;
}

export interface Worker {
  readonly queue: JobQueue;
  readonly name: string;
  /** Maximum number of tries at the same time. */
  readonly workers: number;
  /** True if the worker ends when the queue is empty. */
  readonly once: boolean;
  readonly signal: AbortSignal;
  /** The worker's slots, `workers` in number. */
  readonly slots: Slots;
  /** Milliseconds until the worker retries a batch that this machine could not work on; default: 60,000. */
  readonly refusalMs?: number;
  /** Describes the scarce resource that prevents further tries; undefined if enough is free. */
  readonly findShortage: () => Promise<string | undefined>;
  /**
   * Returns the accounts that each arm of a batch calls from this machine; empty for a batch that the machine cannot
   * read.
   */
  readonly accountsOf: (batch: QueuedBatch) => readonly (readonly string[])[];
  /** Shows people a message of the worker or of one try. */
  readonly onNotice: (text: string, job?: string) => void;
}

/** Limits the number of simultaneous tries of a worker, over all its batches. */
export interface Slots {
  /** Returns true if a slot is free for a try. */
  areFree(): boolean;
  /**
   * Performs `work` in a free slot. Serves the smallest `rank` first, and equal ranks in the order of the calls.
   * Returns undefined if the signal aborts before a slot is free.
   */
  hold<T>(work: () => Promise<T>, signal: AbortSignal, rank?: number): Promise<T | undefined>;
}

export function createSlots(count: number): Slots {
  let free = count;
  /** The rank of each call that waits, by the function that begins it. */
  const waiting = new Map<() => void, number>();
  const enter = (signal: AbortSignal, rank: number): Promise<boolean> =>
    new Promise((resolve) => {
      const leave = (): void => {
        waiting.delete(go);
        resolve(false);
      };
      const go = (): void => {
        waiting.delete(go);
        signal.removeEventListener("abort", leave);
        resolve(true);
      };
      signal.addEventListener("abort", leave, { once: true });
      waiting.set(go, rank);
      pass();
    });
  const pass = (): void => {
    const [next] = [...waiting].sort(([, a], [, b]) => a - b);
    if (free === 0 || next === undefined) return;
    free -= 1;
    next[0]();
  };
  return {
    areFree: () => free > 0,
    async hold(work, signal, rank = 0) {
      if (signal.aborted || !(await enter(signal, rank))) return undefined;
      try {
        return await work();
      } finally {
        free += 1;
        pass();
      }
    },
  };
}

/**
 * Works on a queue, and returns the exit code. `workOn` executes a batch's tries until none waits, and then returns
 * undefined. If this machine cannot work on the batch, `workOn` returns the reason; the loop calls it again later.
 * While a batch has only running tries, the worker's free slots work on the next batch. An error of one batch stops all
 * batches: their signal aborts, and their tries return to the queue.
 */
export async function workQueue(
  worker: Worker,
  workOn: (batch: QueuedBatch, signal: AbortSignal) => Promise<string | undefined>,
): Promise<number> {
  const { queue, once, signal, onNotice, slots, refusalMs = usualRefusalMs } = worker;
  /** The problem of each batch that this machine could not work on, and the time of its next attempt. */
  const refused = new Map<
    string,
    { readonly problem: string; readonly next: number; readonly times: number }
  >();
  const told = new Map<string, ReadonlySet<string>>();
  let toldPaused = new Set<string>();
  const isSkipped = ({ id }: QueuedBatch): boolean => (refused.get(id)?.next ?? 0) > performance.now();
  const isDone = ({ id, isLeft }: QueuedBatch): boolean =>
    !isLeft || (refused.get(id)?.times ?? 0) >= mostRefusals;
  /** The batches on which the worker works. */
  const open = new Map<string, Promise<void>>();
  const errors: unknown[] = [];
  const failed = new AbortController();
  const stopped = AbortSignal.any([signal, failed.signal]);
  // A new promise for each wait: one that stays unsettled for long would keep all that ever waited for it.
  let wake = Promise.withResolvers<void>();
  const begin = (batch: QueuedBatch): Promise<void> =>
    workOn(batch, stopped)
      .then((problem) => {
        const { id } = batch;
        const before = refused.get(id);
        if (problem === undefined) return void refused.delete(id);
        if (before?.problem !== problem) onNotice(`this worker skips ${id}: ${problem}`);
        const times = (before?.times ?? 0) + 1;
        refused.set(id, { problem, next: performance.now() + refusalMs, times });
      })
      .catch((error: unknown) => {
        if (errors.length === 0 && !signal.aborted)
          onNotice(`this worker stops, because it cannot work on ${batch.id}: ${String(error)}`);
        errors.push(error);
        failed.abort();
      })
      .finally(() => {
        open.delete(batch.id);
        wake.resolve();
      });
  try {
    for (;;) {
      wake = Promise.withResolvers();
      if (errors.length > 0) throw errors[0];
      await waitForRoom({ ...worker, signal: stopped });
      if (signal.aborted) return interruptedExitCode;
      const listed = await queue.listBatches();
      const paused = listed.filter(({ state, isLeft }) => state === "paused" && isLeft);
      for (const { id } of paused) {
        if (!toldPaused.has(id)) onNotice(`${id} is paused: \`millwright bench resume ${id}\` continues it`);
      }
      toldPaused = new Set(paused.map(({ id }) => id));
      const batches = listed.filter(({ state }) => state === "running");
      const pauses = await queue.listPauses();
      const isReady = (batch: QueuedBatch): boolean => {
        const held = findHeldLanes(batch, pauses, worker);
        tellHeld(batch, held, worker, told);
        return batch.ready.some((lane) => !held.has(lane));
      };
      const [next] = batches.filter((batch) => !isSkipped(batch) && isReady(batch));
      // No open batch is older: the next slot that is free belongs to this one.
      const isOldest = ({ id }: QueuedBatch): boolean =>
        id === batches.find((each) => each.id === id || open.has(each.id))?.id;
      // The slots of an open batch take its tries themselves.
      if (next !== undefined && !open.has(next.id) && (slots.areFree() || isOldest(next)))
        open.set(next.id, begin(next));
      else if (once && open.size === 0 && batches.every(isDone)) return endOnce(worker, [...refused.keys()]);
      await Promise.race([delay(pollMs, undefined, { signal }).catch(() => {}), wake.promise]);
    }
  } finally {
    failed.abort();
    await Promise.allSettled(open.values());
  }
}

/** Says why a worker with `once` ends, and returns the exit code. */
function endOnce({ queue, onNotice }: Worker, refused: readonly string[]): number {
  const why =
    refused.length === 0
      ? `${queue.name} has no tries for it`
      : `it cannot work on ${refused.join(" and ")}, for the reasons above`;
  onNotice(`this worker ends: ${why}`);
  return refused.length === 0 ? 0 : 3;
}

const pollMs = 2000;
/** Milliseconds until the worker retries a refused batch. Some problems pass, such as a store that does not answer. */
const usualRefusalMs = 60_000;
/** Number of times that a worker with `once` refuses all remaining batches before it ends. */
const mostRefusals = 3;

/** Finds the batch's lanes whose provider has a long pause, with the reason. */
function findHeldLanes(
  batch: QueuedBatch,
  pauses: readonly AccountPause[],
  { accountsOf }: Worker,
): ReadonlyMap<string, string> {
  const held = findHeldArms(accountsOf(batch), pauses);
  return new Map([...held].map(([arm, reason]) => [laneOf({ arm }), reason]));
}

/**
 * Tells about held lanes. `told`: the held lanes of each batch about which the worker has told; this function updates
 * it.
 */
function tellHeld(
  { id, ready }: QueuedBatch,
  held: ReadonlyMap<string, string>,
  { onNotice }: Worker,
  told: Map<string, ReadonlySet<string>>,
): void {
  const lanes = [...held.keys()].filter((lane) => ready.includes(lane));
  const before = told.get(id);
  const news = new Set(lanes.filter((lane) => before?.has(lane) !== true).map((lane) => held.get(lane)));
  told.set(id, new Set(lanes));
  const arms = `${lanes.length} of ${countOf(ready.length, "arm")}`;
  for (const reason of news) onNotice(`${id} waits with ${arms}: ${reason}`);
}

/**
 * Executes the batch's tries until no slot can lease another try, and no try runs on this worker. Skips arms while
 * their providers have a long pause. Ends early if the signal stops the worker. `warm`: groups of tries with
 * environments or images that this worker has, the most recently used last. The function updates `warm`.
 */
export async function drainBatch(
  batch: QueuedBatch,
  work: BatchWork,
  warm: Set<number>,
  worker: Worker,
): Promise<void> {
  const { workers, signal, queue, slots } = worker;
  const openedAt = performance.now() - batch.openedMs;
  const drained = new AbortController();
  const stopped = AbortSignal.any([signal, drained.signal]);
  let busy = 0;
  /** The slots that have found no job since the last lease. */
  const idle = new Set<number>();
  // One after another, so that the slots of a worker keep to the same group.
  const take = inTurn(async () => {
    const held = findHeldLanes(batch, await queue.listPauses(), worker);
    const choice = { near: [...warm].reverse(), without: [...held.keys()] };
    const lease = await queue.take(batch.id, worker.name, choice);
    return lease === undefined ? undefined : keepNear(lease, warm);
  });
  /** Executes a try. Returns false if no try waits. */
  const executeNext = async (): Promise<boolean> => {
    const lease = stopped.aborted ? undefined : await take();
    if (lease === undefined) return false;
    idle.clear();
    busy += 1;
    await execute(lease, batch.id, work, worker).finally(() => {
      busy -= 1;
    });
    return true;
  };
  const slot = async (own: number): Promise<void> => {
    while (!stopped.aborted) {
      await waitForRoom(worker);
      if (stopped.aborted || (await slots.hold(executeNext, stopped, openedAt)) !== false) continue;
      idle.add(own);
      if (busy === 0 && idle.size === workers) drained.abort();
      else await delay(pollMs, undefined, { signal: stopped }).catch(() => {});
    }
  };
  const ended = await Promise.allSettled(
    Array.from({ length: workers }, (_, own) => slot(own).finally(() => drained.abort())),
  );
  for (const each of ended) if (each.status === "rejected") throw each.reason;
}

/** Begins each call after the one before has ended. */
function inTurn<T>(work: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}

/** Makes the lease's group the newest one. */
function keepNear(lease: Lease, warm: Set<number>): Lease {
  warm.delete(lease.group);
  warm.add(lease.group);
  return lease;
}

/**
 * Executes the try, and never throws: a worker that ended with one try would end all its others. Errors of this machine
 * return the try to the queue. A defect of Millwright counts as a loss of the lease.
 */
async function execute(lease: Lease, batch: string, work: BatchWork, worker: Worker): Promise<void> {
  const say = (text: string): void => worker.onNotice(text, `${batch} ${work.describe(lease.name)}`);
  say("…");
  const started = performance.now();
  try {
    const { outcome, givenBack } = await work.execute(lease, worker.findShortage);
    const time = formatDuration(performance.now() - started);
    say(givenBack === undefined ? `${outcome} (${time})` : `given back: ${givenBack}`);
  } catch (thrown) {
    const error = asDiskError(thrown);
    if (error instanceof LeaseLostError || lease.signal.aborted) return say(await tellLoss(batch, worker));
    const isStopped = worker.signal.aborted;
    const isDefect = !isStopped && !(error instanceof MillwrightError) && !isMachineError(error);
    const reason = (isDefect && error instanceof Error && error.stack) || String(error);
    await (isDefect ? lease.fail(reason) : lease.giveBack(reason)).catch(() => {});
    say(isDefect ? `a defect: ${reason}` : `given back: ${isStopped ? "this worker stops" : reason}`);
    await delay(isStopped ? 0 : pollMs);
  }
}

/** Tells why a lease was lost. */
async function tellLoss(batch: string, { queue }: Worker): Promise<string> {
  // The queue waits for a lost server, and the message does not.
  const asked = queue.findState(batch).catch(() => undefined);
  const state = await Promise.race([asked, delay(pollMs, undefined)]);
  if (state === "cancelled") return "stopped: somebody cancelled the batch";
  return "stopped: this worker lost the lease; the queue gives the try to another worker";
}

/**
 * Returns true for an error of the operating system, such as EACCES. Returns false for an error of Node's own checks,
 * such as ERR_INVALID_ARG_TYPE.
 */
export function isMachineError(error: unknown): error is NodeJS.ErrnoException {
  return isSystemError(error) && /^E[A-Z\d]+$/.test(error.code ?? "");
}

/**
 * Each worker's last reported shortage, without sizes. Otherwise each slot and each batch would tell about it again.
 */
const toldShortage = new WeakMap<Slots, string>();

async function waitForRoom(worker: Worker): Promise<void> {
  while (!worker.signal.aborted) {
    const shortage = await worker.findShortage();
    if (shortage === undefined) return void toldShortage.delete(worker.slots);
    const kind = withoutSizes(shortage);
    if (toldShortage.get(worker.slots) !== kind) worker.onNotice(`${worker.name} waits: ${shortage}`);
    toldShortage.set(worker.slots, kind);
    await delay(pollMs, undefined, { signal: worker.signal }).catch(() => {});
  }
}
