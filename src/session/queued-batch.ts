/** Runs a batch on workers: queues its tries, waits, and collects their results. */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { unpackRun } from "../agent/run/run-archive.ts";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { makeFolders } from "../base/make-folders.ts";
import { getContent, type ObjectStore, refuseOther } from "../bench/object-store.ts";
import {
  type BatchSpec,
  endSchema,
  formatTryName,
  groupOf,
  laneOf,
  parseTryName,
  type QueuedEnd,
  type TryName,
} from "../bench/queued-try.ts";
import { failedTry, type Try, type TryResult, tryResultSchema } from "../bench/try.ts";
import type { JobEnd, JobQueue, QueuedJob } from "../queue/contract.ts";
import { type BatchRequest, checkArms, listTries } from "./bench-run.ts";
import { writePatiently } from "./patient-store.ts";
import { watchWaiting } from "./watch-waiting.ts";

export interface QueuedBatchRequest extends BatchRequest {
  readonly queue: JobQueue;
  readonly shared: ObjectStore;
  readonly id: string;
  readonly spec: BatchSpec;
  /** The limits of all model calls of the batch together. */
  readonly limits: { readonly usd?: number; readonly tokens?: number; readonly calls?: number };
  /** The name of a shared budget; see `BatchText`. */
  readonly budget?: string | undefined;
  /** Milliseconds without a running try after which the batch notifies people; default: 20,000. */
  readonly idleMs?: number;
}

/** A try without a result yet. */
interface Awaited {
  readonly tried: Try;
  /** The round of the try's current job. */
  round: number;
  /** The last round that the batch queues, regardless of its result. */
  readonly lastRound: number;
  /** The last round that the batch queues if the store lost the previous round's result. */
  readonly lastRemade: number;
  isPut: boolean;
  isStarted: boolean;
  result?: TryResult | undefined;
}

export const pollMs = 1000;
/**
 * Milliseconds by which successive readings of ended jobs overlap. The recorded time of an end is the start of its
 * transaction, but the end becomes visible only later. A lost connection delays it further.
 */
export const overlapMs = 10 * 60_000;
const returnedReason = "several workers returned the try to the queue; the last reason";
const lostReason = "all workers with the try lost their leases: they died, hung or lost the connection";

/**
 * Runs a batch like `runBatch`, but on the queue's workers. If the signal stops this process, throws AbortError, and
 * the workers continue. If somebody cancels the batch, calls `onCancel`, and returns the results so far. Once
 * `isEnough` returns true, cancels the batch itself.
 */
export async function runQueuedBatch(request: QueuedBatchRequest): Promise<TryResult[]> {
  const { queue, id, spec, limits, budget, retries } = request;
  const { signal } = request.options;
  await checkArms(request);
  await queue.openBatch({ id, spec, limits, budget });
  let readAt = performance.now();
  const ends = await readEnds(queue, id);
  const all = new Map(
    listTries(request).map((tried) => [keyOf(nameOf(tried, request)), wait(tried, request, ends, retries)]),
  );
  tellBatch(request, ends, [...all.values()]);
  const tellWaiting = watchWaiting(request);
  for (;;) {
    await putMissing(request, [...all.values()], ends);
    const state = await queue.findState(id);
    const [isPaused, isCancelled] = [state === "paused", state === "cancelled"];
    request.onPause?.(isPaused);
    // A cancelled batch has no further ends.
    if (isCancelled) await readEnds(queue, id, ends);
    let ended = 0;
    for (const [key, awaited] of all) {
      const end = ends.get(key)?.[awaited.round];
      if (end === undefined || awaited.result !== undefined) continue;
      ended += 1;
      await takeEnd(end, awaited, request, isCancelled);
    }
    if (isCancelled) {
      request.onCancel?.();
      break;
    }
    if ([...all.values()].every(({ result }) => result !== undefined) && !(await reopen(request, all))) break;
    if (request.isEnough?.() === true) {
      await queue.setState(id, "cancelled");
      break;
    }
    await tellWaiting(isPaused, ended + (await showStarted(request, all)));
    await delay(pollMs, undefined, { signal });
    const now = performance.now();
    await readEnds(queue, id, ends, now - readAt + overlapMs);
    readAt = now;
  }
  return [...all.values()].flatMap(({ result }) => result ?? []);
}

/**
 * Waits again for tries with an infrastructure error that somebody queued again meanwhile. Returns true if there are
 * any.
 */
async function reopen({ queue, id }: QueuedBatchRequest, all: ReadonlyMap<string, Awaited>) {
  if (![...all.values()].some(({ result }) => result?.outcome === "infrastructure-error")) return false;
  let isAny = false;
  for (const { try: tried } of lastRounds(await queue.listJobs(id))) {
    const awaited = all.get(keyOf(tried));
    if (awaited?.result?.outcome !== "infrastructure-error" || tried.round <= awaited.round) continue;
    Object.assign(awaited, { result: undefined, round: tried.round, isPut: true, isStarted: false });
    isAny = true;
  }
  return isAny;
}

function tellBatch(request: QueuedBatchRequest, ends: Ends, all: readonly Awaited[]): void {
  const { id, host } = request;
  const isEnded = all.every(
    ({ tried, round }) => ends.get(keyOf(nameOf(tried, request)))?.[round] !== undefined,
  );
  const text = isEnded
    ? `the batch is ${id}; all its tries have ended, and their results are collected`
    : `the batch is ${id}; \`millwright worker\` on any machine works on it`;
  host.onNotice({ level: "note", text });
}

/** Queues the try again, or collects its result. `isLast`: never queues it again. */
async function takeEnd(
  end: JobEnd,
  awaited: Awaited,
  request: QueuedBatchRequest,
  isLast: boolean,
): Promise<void> {
  const { tried, round, lastRound, lastRemade } = awaited;
  const queueAgain = (): void => {
    awaited.round += 1;
    awaited.isPut = false;
  };
  // Workers returned the job for half a day: a further round would wait as long.
  const isGivenUp = end.reason !== null;
  if (isRetried(end) && !isGivenUp && !isLast && round < lastRound) return queueAgain();
  const result = await collectPatiently(end, tried, request).catch(asLost);
  if (result instanceof LostResultError) {
    // With another store, every result would seem to be lost.
    await refuseOther(request.shared);
    const text = `${tried.task.task.id}: ${result.message}`;
    const isRemade = !isLast && round < lastRemade;
    if (isRemade) request.host.onNotice({ level: "note", text: `${text}; the try is queued again` });
    if (isRemade) return queueAgain();
  }
  awaited.result = result instanceof LostResultError ? failedTry(tried, result.message) : result;
  request.onResult(awaited.result);
}

class LostResultError extends Error {}

function asLost(error: unknown): LostResultError {
  if (error instanceof LostResultError) return error;
  throw error;
}

/** The ends of the batch's jobs: by try, then by round. Each retry after an infrastructure error is a further round. */
type Ends = Map<string, Readonly<Record<number, JobEnd>>>;

/**
 * Adds the ended jobs of the batch to `ends`, and returns `ends`. `withinMs`: only jobs that ended within these last
 * milliseconds; default: all.
 */
export async function readEnds(
  queue: JobQueue,
  batch: string,
  ends: Ends = new Map(),
  withinMs?: number,
): Promise<Ends> {
  for (const end of await queue.listEnds(batch, withinMs)) {
    const name = parseTryName(end.name);
    if (name === undefined) continue;
    const key = keyOf(name);
    ends.set(key, { ...ends.get(key), [name.round]: end });
  }
  return ends;
}

/**
 * Queues again the tries that had an infrastructure error or lost all their workers. Returns the counts from before
 * this change.
 */
export async function retryInfrastructure(queue: JobQueue, batch: string): Promise<TryCounts> {
  const jobs = await queue.listJobs(batch);
  const ends = await readEnds(queue, batch);
  const again = lastRounds(jobs)
    .filter(isBroken)
    .map(({ try: tried }) => {
      const end = ends.get(keyOf(tried))?.[tried.round];
      const group = endSchema.safeParse(end?.output).data?.group ?? 0;
      return {
        name: formatTryName({ ...tried, round: tried.round + 1 }),
        data: {},
        group,
        lane: laneOf(tried),
      };
    });
  await queue.put(batch, again);
  return countTries(jobs);
}

interface LastRound extends QueuedJob {
  readonly try: TryName;
}

/** Returns the job of each try's last round. */
function lastRounds(jobs: readonly QueuedJob[]): LastRound[] {
  const last = new Map<string, LastRound>();
  for (const job of jobs) {
    const name = parseTryName(job.name);
    if (name === undefined) continue;
    const key = keyOf(name);
    if ((last.get(key)?.try.round ?? -1) < name.round) last.set(key, { ...job, try: name });
  }
  return [...last.values()];
}

function isBroken({ state, outcome }: QueuedJob): boolean {
  return state === "lost" || outcome === "infrastructure-error";
}

export interface TryCounts {
  readonly tries: number;
  readonly waiting: number;
  readonly active: number;
  readonly ended: number;
  /** Ended tries with an infrastructure error, and ended tries that lost all their workers. */
  readonly infrastructureErrors: number;
}

/** Counts the batch's tries by the last round of each try. A try that is queued again has not ended. */
export function countTries(jobs: readonly QueuedJob[]): TryCounts {
  const tries = lastRounds(jobs);
  const count = (isCounted: (job: QueuedJob) => boolean): number => tries.filter(isCounted).length;
  return {
    tries: tries.length,
    waiting: count(({ state }) => state === "waiting"),
    active: count(({ state }) => state === "active"),
    ended: count(({ state }) => state === "ended" || state === "lost"),
    infrastructureErrors: count(isBroken),
  };
}

function isRetried({ output }: JobEnd): boolean {
  const end = endSchema.safeParse(output).data;
  return end === undefined || end.outcome === "infrastructure-error";
}

export function lastRoundOf(rounds: Readonly<Record<number, JobEnd>>): number {
  return Math.max(...Object.keys(rounds).map(Number));
}

/**
 * Makes the state of a try that the batch awaits. Continues from the try's earlier rounds: retries an infrastructure
 * failure, as without a queue.
 */
function wait(tried: Try, request: QueuedBatchRequest, ends: Ends, retries: number): Awaited {
  const rounds = ends.get(keyOf(nameOf(tried, request))) ?? {};
  const last = Object.keys(rounds).length === 0 ? undefined : rounds[lastRoundOf(rounds)];
  const before = last === undefined ? 0 : lastRoundOf(rounds);
  const round = last !== undefined && isRetried(last) ? before + 1 : before;
  const lastRemade = round + Math.max(retries, 1);
  return { tried, round, lastRound: round + retries, lastRemade, isPut: false, isStarted: false };
}

function nameOf({ task, arm, attempt }: Try, { arms }: Pick<QueuedBatchRequest, "arms">) {
  return { task: task.task.id, arm: arms.indexOf(arm), attempt };
}

export function keyOf(name: Omit<TryName, "round">): string {
  return formatTryName({ ...name, round: 0 });
}

async function putMissing(request: QueuedBatchRequest, all: readonly Awaited[], ends: Ends): Promise<void> {
  const missing = all.filter(
    ({ tried, round, isPut }) => !isPut && ends.get(keyOf(nameOf(tried, request)))?.[round] === undefined,
  );
  const jobs = missing.map(({ tried, round }) => ({
    ...{ name: formatTryName({ ...nameOf(tried, request), round }), data: {} },
    ...{ group: groupOf(tried.task.task.repository), lane: laneOf(nameOf(tried, request)) },
  }));
  if (jobs.length > 0) await request.queue.put(request.id, jobs);
  for (const awaited of all) awaited.isPut = true;
}

/** Tells about tries that workers began. Returns the number of tries at workers. */
async function showStarted({ queue, id, onStart }: QueuedBatchRequest, all: ReadonlyMap<string, Awaited>) {
  const active = await queue.listActive(id);
  for (const text of active) {
    const name = parseTryName(text);
    const awaited = name === undefined ? undefined : all.get(keyOf(name));
    if (awaited === undefined || awaited.isStarted) continue;
    awaited.isStarted = true;
    onStart(awaited.tried);
  }
  return active.length;
}

/** Collects the result once this machine has the space. */
function collectPatiently(end: JobEnd, tried: Try, request: QueuedBatchRequest): Promise<TryResult> {
  const { options, store, host } = request;
  const onNotice = (text: string): void => host.onNotice({ level: "note", text });
  return writePatiently(() => collect(end, tried, request), store.directory, {
    signal: options.signal,
    onNotice,
  });
}

async function collect(end: JobEnd, tried: Try, request: QueuedBatchRequest): Promise<TryResult> {
  const parsed = endSchema.safeParse(end.output);
  const worker = end.worker === "" ? {} : { worker: end.worker };
  if (!parsed.success) {
    const reason = end.reason === null ? lostReason : `${returnedReason}: ${end.reason}`;
    return { ...failedTry(tried, reason), ...worker };
  }
  const place = { shared: request.shared, worker: end.worker };
  await takeFiles(parsed.data, request, place);
  const content = await need(parsed.data.try, place);
  const result = tryResultSchema.parse(JSON.parse(content.toString("utf8")));
  const run = parsed.data.run === null ? undefined : await need(parsed.data.run, place);
  const runs = join(request.options.directory, "runs");
  if (run !== undefined) await unpackRun(run, runs, result.run);
  return { ...result, ...worker };
}

/**
 * Writes results and logs to this machine's folders. Also writes results to the shared store, except those of a batch
 * that ignores earlier results. A batch without a queue writes the same files.
 */
async function takeFiles({ results, logs }: QueuedEnd, request: QueuedBatchRequest, place: StoredPlace) {
  const { shared, store, spec } = request;
  for (const [key, hash] of Object.entries(results)) {
    const content = await need(hash, place);
    await writeFileAtomically(join(store.directory, `${key}.json`), content);
    if (spec.epoch === "") await shared.putOnce(`results/${key}.json`, content);
  }
  const folder = request.options.logs?.directory;
  if (folder === undefined || Object.keys(logs).length === 0) return;
  await makeFolders(folder);
  for (const [key, hash] of Object.entries(logs)) {
    const content = await getContent(shared, hash);
    // A lost log changes no result.
    if (content !== undefined) await writeFileAtomically(join(folder, `${key}.json.gz`), content);
  }
}

interface StoredPlace {
  readonly shared: ObjectStore;
  readonly worker: string;
}

async function need(hash: string, { shared, worker }: StoredPlace): Promise<Buffer> {
  const content = await getContent(shared, hash);
  if (content !== undefined) return content;
  const what = `objects/${hash.slice(0, 12)}…, which ${worker} wrote,`;
  throw new LostResultError(`${what} is missing or damaged in the store ${shared.name}`);
}
