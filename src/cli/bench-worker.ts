/** A worker: takes tries of a queue's batches and executes them as `bench run` does here. */
import { statfs } from "node:fs/promises";
import { freemem, hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { interruptedExitCode, MillwrightError } from "../base/errors.ts";
import { makeFolders } from "../base/make-folders.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { formatDuration, formatSize } from "../base/units.ts";
import { openObjectStore } from "../bench/object-store.ts";
import { type BatchSpec, batchSpecSchema } from "../bench/queued-try.ts";
import { type JobQueue, type Lease, LeaseLostError, type QueuedBatch } from "../queue/contract.ts";
import { openQueue } from "../queue/open-queue.ts";
import { openLeasedWork } from "../session/leased-batch.ts";
import { executeLeased, type LeasedWork } from "../session/leased-try.ts";
import { runsDirectoryOf } from "../session/settings.ts";
import { version } from "../session/version.ts";
import { type BenchFlags, withBench } from "./bench-flags.ts";
import { tasksProblem, tellNotice } from "./bench-queue.ts";
import { ownProgram } from "./bench-run.ts";
import { hostOf } from "./host.ts";
import { listenForInterrupts } from "./interrupt.ts";

export interface WorkerFlags {
  readonly queue?: string;
  readonly workers: number;
  readonly benchDir?: string;
  readonly name?: string;
  readonly lease: number;
  readonly leastDisk: number;
  readonly leastMemory: number;
  readonly once?: boolean;
}

/** What a worker is, while it lives. */
interface Worker {
  readonly flags: WorkerFlags;
  readonly queue: JobQueue;
  readonly name: string;
  readonly directory: string;
  readonly signal: AbortSignal;
  /** Groups of tries that were executed here: their environments are made. */
  readonly warm: Set<number>;
}

const pollMs = 2000;

/** Returns the exit code. */
export async function runWorker(flags: WorkerFlags): Promise<number> {
  if (flags.queue === undefined)
    throw new MillwrightError("usage", "No --queue names the server", {
      hint: "Give the server's address with --queue, or in MILLWRIGHT_QUEUE.",
    });
  const directory = resolve(flags.benchDir ?? join(dirname(runsDirectoryOf({}, process.env)), "bench"));
  await makeFolders(directory);
  const interrupts = listenForInterrupts();
  const { signal } = interrupts;
  const queue = await openQueue(flags.queue, {
    ...{ leaseSeconds: flags.lease, onNotice: tellNotice },
    ...{ patienceMs: Number.POSITIVE_INFINITY, signal },
  });
  const name = flags.name ?? `${hostname()}-${process.pid}`;
  // Whatever is started here does not learn where the queue is.
  delete process.env["MILLWRIGHT_QUEUE"];
  try {
    tellNotice(`${name} works for ${queue.name}`);
    return await work({ flags, queue, name, directory, signal, warm: new Set() });
  } catch (error) {
    if (!signal.aborted) throw error;
    return interruptedExitCode;
  } finally {
    interrupts.stop();
    await queue.close();
  }
}

async function work(worker: Worker): Promise<number> {
  const { queue, flags, signal } = worker;
  const refused = new Set<string>();
  for (;;) {
    await waitForRoom(worker);
    if (signal.aborted) return interruptedExitCode;
    const batches = (await queue.listBatches()).filter(({ state }) => state === "running");
    const next = batches.find(({ id, waiting }) => waiting > 0 && !refused.has(id));
    if (next !== undefined) {
      const problem = await workOn(next, worker);
      if (problem === undefined) continue;
      tellNotice(`${next.id} is left to others: ${problem}`);
      refused.add(next.id);
    } else if (flags.once === true && batches.every(({ waiting, active }) => waiting + active === 0)) {
      return refused.size === 0 ? 0 : 3;
    }
    await delay(pollMs, undefined, { signal }).catch(() => {});
  }
}

/** Returns why this machine cannot work on the batch; undefined where it did, until nothing of it waits. */
async function workOn({ id, spec: told, limits }: QueuedBatch, worker: Worker): Promise<string | undefined> {
  const parsed = batchSpecSchema.safeParse(told);
  if (!parsed.success || parsed.data.version !== version)
    return `it is from another version of Millwright; this is ${version}`;
  const spec = parsed.data;
  const problem = tasksProblem(spec);
  if (problem !== undefined) return problem;
  const { queue, directory, signal } = worker;
  try {
    const shared = await openObjectStore(spec.store);
    await withBench(spec.file, flagsOf(spec, worker), async (bench) => {
      const request = { ...bench, host: hostOf(), program: ownProgram(), queue, shared, spec, limits };
      const opened = await openLeasedWork({ ...request, batch: id, logs: join(directory, "logs"), signal });
      try {
        await drain(id, opened.work, worker);
      } finally {
        await opened.close();
      }
      return 0;
    });
  } catch (error) {
    if (signal.aborted) return undefined;
    if (error instanceof MillwrightError && error.code !== "queue")
      return [error.message, error.hint].filter(Boolean).join(". ");
    throw error;
  }
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

function flagsOf({ flags }: BatchSpec, { directory, flags: own }: Worker): BenchFlags {
  return { ...flagsSchema.parse(flags), benchDir: directory, workers: own.workers, retries: 0 };
}

/** Until nothing of the batch waits and nothing of it is done here. */
async function drain(batch: string, leased: LeasedWork, worker: Worker): Promise<void> {
  const { queue, flags, signal } = worker;
  let busy = 0;
  const slot = async (): Promise<void> => {
    for (;;) {
      if (signal.aborted) return;
      await waitForRoom(worker);
      const lease = signal.aborted ? undefined : await takeNear(queue, batch, worker);
      if (lease === undefined && busy === 0) return;
      if (lease === undefined) await delay(pollMs, undefined, { signal }).catch(() => {});
      else {
        busy += 1;
        await execute(lease, leased, worker).finally(() => {
          busy -= 1;
        });
      }
    }
  };
  const slots = await Promise.allSettled(Array.from({ length: flags.workers }, slot));
  for (const ended of slots) if (ended.status === "rejected") throw ended.reason;
}

/** A try of a repository whose environment is here, where one waits. */
async function takeNear(queue: JobQueue, batch: string, { name, warm }: Worker): Promise<Lease | undefined> {
  for (const group of warm) {
    const lease = await queue.take(batch, name, group);
    if (lease !== undefined) return lease;
    warm.delete(group);
  }
  const lease = await queue.take(batch, name);
  if (lease !== undefined) warm.add(lease.group);
  return lease;
}

async function execute(lease: Lease, leased: LeasedWork, worker: Worker): Promise<void> {
  const say = (text: string): void =>
    void process.stderr.write(`${sanitizeForTerminal(`${lease.name}: ${text}`)}\n`);
  say("…");
  const started = performance.now();
  try {
    const { result, givenBack } = await executeLeased(lease, leased, async ({ outcome }) =>
      outcome === "infrastructure-error" ? findShortage(worker) : undefined,
    );
    const time = formatDuration(performance.now() - started);
    say(givenBack === undefined ? `${result.outcome} (${time})` : `given back: ${givenBack}`);
  } catch (error) {
    if (error instanceof LeaseLostError || lease.signal.aborted)
      return say("the lease is lost; another worker has it");
    const isOurs = error instanceof MillwrightError || worker.signal.aborted;
    await lease.giveBack(String(error)).catch(() => {});
    if (!isOurs) throw error;
    say(`given back: ${worker.signal.aborted ? "this worker was stopped" : String(error)}`);
    await delay(worker.signal.aborted ? 0 : pollMs);
  }
}

/** What this machine lacks to take more; undefined where it has enough. */
async function findShortage({ directory, flags }: Worker): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize < flags.leastDisk)
    return `the disk of ${directory} has ${formatSize(bavail * bsize)} left, and --least-disk asks for ${formatSize(flags.leastDisk)}`;
  if (freemem() < flags.leastMemory)
    return `the machine has ${formatSize(freemem())} of memory left, and --least-memory asks for ${formatSize(flags.leastMemory)}`;
  return undefined;
}

async function waitForRoom(worker: Worker): Promise<void> {
  for (let said = false; !worker.signal.aborted; said = true) {
    const shortage = await findShortage(worker);
    if (shortage === undefined) return;
    if (!said) tellNotice(`${worker.name} waits: ${shortage}`);
    await delay(pollMs, undefined, { signal: worker.signal }).catch(() => {});
  }
}
