import type { JobQueue, QueuedBatch } from "../queue/contract.ts";
import type { Host } from "./host.ts";

export interface WatchedBatch {
  readonly queue: JobQueue;
  readonly id: string;
  readonly host: Host;
  /** Milliseconds without a running try after which the batch notifies people; default: 20,000. */
  readonly idleMs?: number;
}

const usualIdleMs = 20_000;

/**
 * Returns a function that tells people why no try of the batch runs, once for each standstill. Either the batch is
 * paused, or no worker takes its waiting tries. Workers themselves tell about pauses of providers.
 */
export function watchWaiting({ queue, id, host, idleMs = usualIdleMs }: WatchedBatch) {
  const tell = (text: string): void => host.onNotice({ level: "note", text });
  let [isPauseTold, isIdleTold, busyAt] = [false, false, performance.now()];
  return async (isPaused: boolean, moved: number): Promise<void> => {
    if (isPaused && !isPauseTold) tell(`the batch is paused; \`millwright bench resume ${id}\` continues it`);
    isPauseTold = isPaused;
    if (isPaused || moved > 0) [isIdleTold, busyAt] = [false, performance.now()];
    if (isIdleTold || isPaused || moved > 0) return;
    const batches = await queue.listBatches();
    const isReady = (batches.find((batch) => batch.id === id)?.ready ?? []).length > 0;
    if (!isReady || (await queue.listPauses()).length > 0) busyAt = performance.now();
    if (performance.now() - busyAt < idleMs) return;
    isIdleTold = true;
    const other = await findBusy(queue, batches);
    tell(
      other === undefined
        ? "tries wait, and no worker takes them: start `millwright worker` for this queue. A running worker prints the reason why it takes no tries"
        : `tries wait: the workers are busy with ${other}`,
    );
  };
}

/** Finds a batch with tries at workers. */
async function findBusy(queue: JobQueue, batches: readonly QueuedBatch[]): Promise<string | undefined> {
  for (const { id, isLeft } of batches) if (isLeft && (await queue.listActive(id)).length > 0) return id;
  return undefined;
}
