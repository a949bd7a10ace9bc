/** `millwright worker`: works on batches of a queue. Opens each batch as `bench run` does. */
import { hostname } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { z } from "zod";
import { asDiskError, interruptedExitCode, MillwrightError } from "../base/errors.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { openObjectStore } from "../bench/open-object-store.ts";
import { type BatchSpec, batchSpecSchema, groupOf } from "../bench/queued-try.ts";
import { listWarm } from "../bench/task-environment.ts";
import { mineSpecSchema } from "../mine/leased-step.ts";
import type { JobQueue, QueuedBatch } from "../queue/contract.ts";
import { accountsOfArm } from "../session/batch-pauses.ts";
import type { Host } from "../session/host.ts";
import { openLeasedWork } from "../session/leased-batch.ts";
import { workOfTries } from "../session/leased-try.ts";
import { keepObjects } from "../session/patient-store.ts";
import { runsDirectoryOf } from "../session/settings.ts";
import { version } from "../session/version.ts";
import {
  type BatchWork,
  createSlots,
  drainBatch,
  isMachineError,
  type Worker,
  workQueue,
} from "../session/worker-loop.ts";
import { type BenchFlags, type BenchWork, lockBenchFolder, withBench } from "./bench-flags.ts";
import { tasksProblem, tellNotice, withQueue } from "./bench-queue.ts";
import { ownProgram } from "./bench-run.ts";
import { findShortage, type LeastFree } from "./free-room.ts";
import { hostOf } from "./host.ts";
import { listenForInterrupts } from "./interrupt.ts";
import { withLeasedSteps } from "./mine-queue.ts";

export interface WorkerFlags extends LeastFree {
  readonly queue?: string;
  readonly workers: number;
  readonly benchDir?: string;
  readonly name?: string;
  readonly lease: number;
  readonly once?: boolean;
}

/**
 * Works on the batches of a queue until the user stops the worker. With `--once`, ends when no work is left. Returns
 * the exit code. Throws MillwrightError("usage") without `--queue`.
 */
export async function runWorker(flags: WorkerFlags): Promise<number> {
  if (flags.queue === undefined)
    throw new MillwrightError("usage", "The queue's server is unknown", {
      hint: "Give the server's address with --queue, or in MILLWRIGHT_QUEUE.",
    });
  const directory = resolve(flags.benchDir ?? join(dirname(runsDirectoryOf({}, process.env)), "worker"));
  const unlock = await lockBenchFolder(directory);
  try {
    return await workIn(directory, flags.queue, flags);
  } finally {
    unlock();
  }
}

async function workIn(directory: string, url: string, flags: WorkerFlags): Promise<number> {
  const interrupts = listenForInterrupts();
  const { signal } = interrupts;
  const options = { leaseSeconds: flags.lease, patienceMs: Number.POSITIVE_INFINITY, signal };
  try {
    return await withQueue(url, (queue) => workFor(queue, directory, flags, signal), options);
  } catch (error) {
    if (!signal.aborted) throw error;
    return interruptedExitCode;
  } finally {
    interrupts.stop();
  }
}

async function workFor(
  queue: JobQueue,
  directory: string,
  flags: WorkerFlags,
  signal: AbortSignal,
): Promise<number> {
  const name = flags.name ?? `${hostname()}-${process.pid}`;
  // Processes that start here do not learn where the queue is.
  delete process.env["MILLWRIGHT_QUEUE"];
  const { workers, once = false } = flags;
  const stores = new Map<string, string>();
  const accountsOf = readAccounts(hostOf());
  const worker = {
    ...{ queue, name, signal, workers, once, accountsOf, onNotice, slots: createSlots(workers) },
    findShortage: () => findShortage(new Set([directory, ...stores.values()]), flags),
  };
  const warm = new Set((await listWarm(directory)).map(groupOf));
  const own = { worker, directory, stores, warm };
  tellNotice(`${name} works for ${queue.name}`);
  return workQueue(worker, (batch, stopped) =>
    workOn(batch, { ...own, worker: { ...worker, signal: stopped } }),
  );
}

function onNotice(text: string, job?: string): void {
  if (job === undefined) tellNotice(text);
  else process.stderr.write(`${sanitizeForTerminal(`${job}: ${text}`)}\n`);
}

/** Returns a function that gives a batch's accounts at providers. Reads the keys once for each batch. */
function readAccounts(host: Host): Worker["accountsOf"] {
  const known = new Map<string, string[][]>();
  return ({ id, spec }) => {
    const accounts = known.get(id) ?? accountsIn(spec, host);
    known.set(id, accounts);
    return accounts;
  };
}

/**
 * Returns the accounts at which a batch calls models. Empty for a batch of another version, which the worker refuses
 * later, with the reason.
 */
function accountsIn(spec: unknown, host: Host): string[][] {
  const parsed = batchSpecSchema.safeParse(spec);
  try {
    return parsed.data?.arms.map((arm) => accountsOfArm(arm, host)) ?? [];
  } catch (error) {
    if (error instanceof MillwrightError) return [];
    throw error;
  }
}

interface OwnWork {
  readonly worker: Worker;
  /** The folder of environments and working folders. */
  readonly directory: string;
  /**
   * The store folders of the batches that the worker currently runs. The worker updates this list. These folders also
   * need free space.
   */
  readonly stores: Map<string, string>;
  /** Groups of tries with environments in `directory`, or with images that Millwright pulled. */
  readonly warm: Set<number>;
}

/** Works on a batch of tries or of mining. Returns the reason why this machine cannot, or undefined. */
async function workOn(batch: QueuedBatch, own: OwnWork): Promise<string | undefined> {
  const { worker, directory, stores, warm } = own;
  const { signal } = worker;
  const drain = (work: BatchWork): Promise<void> => drainBatch(batch, work, warm, worker);
  const tries = batchSpecSchema.safeParse(batch.spec).data;
  const mining = mineSpecSchema.safeParse(batch.spec).data;
  if ((tries ?? mining)?.version !== version)
    return `the batch needs another version of Millwright; this machine has ${version}`;
  try {
    if (mining !== undefined)
      await withLeasedSteps({ batch: batch.id, spec: mining, directory, signal }, drain);
    return tries === undefined ? undefined : await workOnTries(batch, tries, drain, own);
  } catch (thrown) {
    const error = asDiskError(thrown);
    if (signal.aborted) return undefined;
    if (error instanceof MillwrightError && error.code !== "queue")
      return [error.message, error.hint].filter(Boolean).join(". ");
    if (isMachineError(error)) return error.message;
    throw error;
  } finally {
    stores.delete(batch.id);
  }
}

async function workOnTries(
  { id, limits }: QueuedBatch,
  spec: BatchSpec,
  drain: (work: BatchWork) => Promise<void>,
  { worker: { queue, workers, signal }, directory, stores }: OwnWork,
): Promise<string | undefined> {
  const problem = tasksProblem(spec);
  if (problem !== undefined) return problem;
  const store = await openObjectStore(spec.store, spec.storeId);
  const shared = keepObjects(store, { signal, onNotice });
  // A bucket is no folder.
  if (isAbsolute(store.name)) stores.set(id, store.name);
  const work = async (bench: BenchWork): Promise<number> => {
    const request = { ...bench, host: hostOf(), program: ownProgram(), queue, shared, spec, limits };
    const opened = await openLeasedWork({ ...request, batch: id, logs: join(directory, "logs"), signal });
    try {
      await drain(workOfTries(opened.work));
    } finally {
      await opened.close();
    }
    return 0;
  };
  await withBench(spec.file, flagsOf(spec, directory, workers), work, signal);
  return undefined;
}

const flagsSchema = z.looseObject({
  ...{ repo: z.string().optional(), repositories: z.string().optional(), hidden: z.string().optional() },
  ...{ lists: z.string().optional(), dataset: z.string().optional(), environments: z.string().optional() },
  ...{ setup: z.string().optional(), testCommand: z.string().optional(), setupVariable: z.array(z.string()) },
  ...{ only: z.array(z.string()), limit: z.number().optional(), sample: z.string().optional() },
  ...{ sampleSeed: z.number(), timeLimit: z.number(), testTimeout: z.number(), patchLimit: z.number() },
  testLimit: z.number().optional(),
});

function flagsOf({ flags }: BatchSpec, benchDir: string, workers: number): BenchFlags {
  return { ...flagsSchema.parse(flags), benchDir, workers, retries: 0 };
}
