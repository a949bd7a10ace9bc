/** Runs single jobs on a queue's workers. Workers read from the batch's text what the jobs mean. */
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { formatTryName, laneOf, type TryName } from "../bench/queued-try.ts";
import type { JobEnd } from "../queue/contract.ts";
import { keyOf, lastRoundOf, overlapMs, pollMs, readEnds } from "./queued-batch.ts";
import { type WatchedBatch, watchWaiting } from "./watch-waiting.ts";

export interface JobsRequest extends WatchedBatch {
  readonly spec: unknown;
  /** The group of all jobs; see `NewJob`. */
  readonly group: number;
  readonly signal: AbortSignal;
}

export interface QueuedJobs {
  /**
   * Queues the job, and waits until a worker ends it. Returns the end at once if a worker ended the job in an earlier
   * run of this command; after an infrastructure error, queues it again. Throws BatchCancelledError if somebody cancels
   * the batch, and AbortError if the signal stops this process. The workers then continue.
   */
  run(name: Omit<TryName, "round">, data: object): Promise<JobEnd>;
}

/** Opens a batch for jobs that follow one after another. */
export async function openQueuedJobs(request: JobsRequest): Promise<QueuedJobs> {
  const { queue, id, spec, group, signal } = request;
  await queue.openBatch({ id, spec, limits: {} });
  let readAt = performance.now();
  const ends = await readEnds(queue, id);
  const awaited = new Map<string, Awaited>();
  let isWatching = false;
  const tellWaiting = watchWaiting(request);

  const settle = (): number => {
    const done = [...awaited].flatMap(([key, job]) => {
      const end = ends.get(key)?.[job.round];
      return end === undefined ? [] : [{ key, job, end }];
    });
    for (const { key, job, end } of done) {
      awaited.delete(key);
      job.resolve(end);
    }
    return done.length;
  };
  const watch = async (): Promise<void> => {
    while (awaited.size > 0) {
      const state = await queue.findState(id);
      if (state === "cancelled") throw new BatchCancelledError(`Somebody cancelled the batch ${id}`);
      const ended = settle();
      await tellWaiting(state === "paused", ended + (await queue.listActive(id)).length);
      await delay(pollMs, undefined, { signal });
      const now = performance.now();
      await readEnds(queue, id, ends, now - readAt + overlapMs);
      readAt = now;
    }
    isWatching = false;
  };
  const failAll = (error: unknown): void => {
    isWatching = false;
    for (const { reject } of awaited.values()) reject(error);
    awaited.clear();
  };
  return {
    async run(name, data) {
      const rounds = ends.get(keyOf(name)) ?? {};
      const before = Object.keys(rounds).length === 0 ? undefined : lastRoundOf(rounds);
      const known = before === undefined ? undefined : rounds[before];
      if (known !== undefined && !isBroken(known)) return known;
      const round = before === undefined ? 0 : before + 1;
      await queue.put(id, [{ name: formatTryName({ ...name, round }), data, group, lane: laneOf(name) }]);
      const job = Promise.withResolvers<JobEnd>();
      awaited.set(keyOf(name), { ...job, round });
      if (!isWatching) {
        isWatching = true;
        watch().catch(failAll);
      }
      return job.promise;
    },
  };
}

interface Awaited extends Pick<PromiseWithResolvers<JobEnd>, "resolve" | "reject"> {
  readonly round: number;
}

/** Not a MillwrightError: callers that continue after an error of one job must not continue after this one. */
export class BatchCancelledError extends Error {}

const endSchema = z.object({ outcome: z.string() });

function isBroken({ output }: JobEnd): boolean {
  const outcome = endSchema.safeParse(output).data?.outcome;
  return outcome === undefined || outcome === "infrastructure-error";
}
