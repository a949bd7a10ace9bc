/**
 * A worker's loop: finds batches with waiting tries, leases them, and executes them. Prefers tries whose environment
 * the worker has already made.
 */
import { setTimeout as delay } from "node:timers/promises";
import { interruptedExitCode, MillwrightError } from "../base/errors.ts";
import { formatDuration } from "../base/units.ts";
import { type JobQueue, type Lease, LeaseLostError, type QueuedBatch } from "../queue/contract.ts";
import { findLongPause, tellPause } from "./batch-pauses.ts";
import { executeLeased, type LeasedWork } from "./leased-try.ts";

export interface Worker {
  readonly queue: JobQueue;
  readonly name: string;
  /** Tries at the same time. */
  readonly workers: number;
  /** Ends when the queue is empty. */
  readonly once: boolean;
  readonly signal: AbortSignal;
  /** Describes the resource that is too scarce to take more tries; undefined if there is enough. */
  readonly findShortage: () => Promise<string | undefined>;
  /** For people: a message of the worker, or of one try. */
  readonly onNotice: (text: string, job?: string) => void;
}

/**
 * Works on a queue, and returns the exit code. `workOn` executes a batch's tries until none waits, and then returns
 * undefined. If this machine cannot work on the batch, it returns the reason.
 */
export async function workQueue(
  worker: Worker,
  workOn: (batch: QueuedBatch) => Promise<string | undefined>,
): Promise<number> {
  const { queue, once, signal, onNotice } = worker;
  const refused = new Set<string>();
  const told = new Set<string>();
  for (;;) {
    await waitForRoom(worker);
    if (signal.aborted) return interruptedExitCode;
    const batches = (await queue.listBatches()).filter(({ state }) => state === "running");
    const held = await listHeld(queue);
    for (const id of told) if (!held.has(id)) told.delete(id);
    const next = batches.find(({ id, waiting }) => waiting > 0 && !refused.has(id) && !held.has(id));
    for (const { id, waiting } of batches) {
      const reason = held.get(id);
      if (reason === undefined || waiting === 0 || told.has(id)) continue;
      onNotice(`${id} waits: ${reason}`);
      told.add(id);
    }
    if (next !== undefined) {
      const problem = await workOn(next);
      if (problem === undefined) continue;
      onNotice(`this worker skips ${next.id}: ${problem}`);
      refused.add(next.id);
    } else if (once && batches.every(({ waiting, active }) => waiting + active === 0)) {
      return refused.size === 0 ? 0 : 3;
    }
    await delay(pollMs, undefined, { signal }).catch(() => {});
  }
}

const pollMs = 2000;

/** Batches whose providers take no calls for long, with the reason: tries that begin now would fail. */
async function listHeld(queue: JobQueue): Promise<ReadonlyMap<string, string>> {
  const held = new Map<string, string>();
  for (const [id, pauses] of Map.groupBy(await queue.listPauses(), ({ batch }) => batch)) {
    const long = findLongPause(pauses);
    if (long !== undefined) held.set(id, tellPause(long));
  }
  return held;
}

/**
 * Executes the batch's tries until none waits and none runs here. Ends early if the signal stops the worker, or if a
 * provider takes no calls for long. `warm`: groups of tries whose environments this worker has already made; kept up to
 * date.
 */
export async function drainBatch(
  batch: string,
  leased: LeasedWork,
  warm: Set<number>,
  worker: Worker,
): Promise<void> {
  const { workers, signal, queue } = worker;
  const isHeld = async (): Promise<boolean> => (await listHeld(queue)).has(batch);
  let busy = 0;
  const slot = async (): Promise<void> => {
    for (;;) {
      if (signal.aborted) return;
      await waitForRoom(worker);
      const isOpen = !signal.aborted && !(await isHeld());
      const lease = isOpen ? await takeNear(batch, warm, worker) : undefined;
      if (lease === undefined && busy === 0) return;
      if (lease === undefined) await delay(pollMs, undefined, { signal }).catch(() => {});
      else {
        busy += 1;
        await execute(lease, leased, worker, batch).finally(() => {
          busy -= 1;
        });
      }
    }
  };
  const slots = await Promise.allSettled(Array.from({ length: workers }, slot));
  for (const ended of slots) if (ended.status === "rejected") throw ended.reason;
}

/** Prefers a try whose environment exists here. */
async function takeNear(
  batch: string,
  warm: Set<number>,
  { queue, name }: Worker,
): Promise<Lease | undefined> {
  for (const group of warm) {
    const lease = await queue.take(batch, name, group);
    if (lease !== undefined) return lease;
    warm.delete(group);
  }
  const lease = await queue.take(batch, name);
  if (lease !== undefined) warm.add(lease.group);
  return lease;
}

async function execute(lease: Lease, leased: LeasedWork, worker: Worker, batch: string): Promise<void> {
  const say = (text: string): void => worker.onNotice(text, lease.name);
  say("…");
  const started = performance.now();
  try {
    const { result, givenBack } = await executeLeased(lease, leased, async ({ outcome }) => {
      if (outcome !== "infrastructure-error") return undefined;
      return (await worker.findShortage()) ?? (await listHeld(worker.queue)).get(batch);
    });
    const time = formatDuration(performance.now() - started);
    say(givenBack === undefined ? `${result.outcome} (${time})` : `given back: ${givenBack}`);
  } catch (error) {
    if (error instanceof LeaseLostError || lease.signal.aborted)
      return say("the lease is lost; another worker has the try");
    const isOurs = error instanceof MillwrightError || worker.signal.aborted;
    await lease.giveBack(String(error)).catch(() => {});
    if (!isOurs) throw error;
    say(`given back: ${worker.signal.aborted ? "this worker was stopped" : String(error)}`);
    await delay(worker.signal.aborted ? 0 : pollMs);
  }
}

async function waitForRoom(worker: Worker): Promise<void> {
  for (let said = false; !worker.signal.aborted; said = true) {
    const shortage = await worker.findShortage();
    if (shortage === undefined) return;
    if (!said) worker.onNotice(`${worker.name} waits: ${shortage}`);
    await delay(pollMs, undefined, { signal: worker.signal }).catch(() => {});
  }
}
