/** Executes one job of a queue on this machine: the try that the job names. Records the results under the lease. */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { packRun } from "../agent/run/run-archive.ts";
import { MillwrightError } from "../base/errors.ts";
import { attemptResultSchema } from "../bench/attempt.ts";
import { getContent, type ObjectStore, putContent, refuseOther } from "../bench/object-store.ts";
import { type BatchSpec, parseTryName, type QueuedEnd } from "../bench/queued-try.ts";
import { nameOfArm } from "../bench/reported-arms.ts";
import { executeTry, isRefused, type Try, type TryOptions, type TryResult } from "../bench/try.ts";
import type { JobQueue, Lease } from "../queue/contract.ts";
import { openLeasedStores, recordName } from "./leased-stores.ts";
import type { BatchWork } from "./worker-loop.ts";

export interface LeasedWork {
  readonly queue: JobQueue;
  readonly shared: ObjectStore;
  readonly spec: BatchSpec;
  readonly tasks: ReadonlyMap<string, Try["task"]>;
  /**
   * Returns the reason why this machine can no longer work on the task: it lost the repository. Undefined if it can.
   */
  readonly findProblem: (task: Try["task"]) => Promise<string | undefined>;
  /** The options of a try in this process, except its stores. */
  readonly options: TryOptions;
  /** The worker's own folder of logs. */
  readonly logs: string;
  /** Adds the lease's signal to the options and to everything that they open. */
  readonly withSignal: (options: TryOptions, signal: AbortSignal) => TryOptions;
}

/**
 * Finds the try named by a job. Throws MillwrightError("usage") if the batch has no such try with this machine's tasks.
 */
export function findTry(name: string, { spec, tasks }: Pick<LeasedWork, "spec" | "tasks">): Try {
  const parsed = parseTryName(name);
  const task = parsed === undefined ? undefined : tasks.get(parsed.task);
  const arm = parsed === undefined ? undefined : spec.arms[parsed.arm];
  if (parsed === undefined || task === undefined || arm === undefined)
    throw new MillwrightError("usage", `The batch's tasks have no try ${name}`, {
      hint: "Check that all machines have the same task file.",
    });
  return { task, arm, attempt: parsed.attempt };
}

/** Makes the work of a batch of tries. */
export function workOfTries(leased: LeasedWork): BatchWork {
  return {
    describe: (name) => nameForPeople(name, leased),
    async execute(lease, findShortage) {
      const { result, ...end } = await executeLeased(lease, leased, async (made) => {
        if (isRefused(made)) return made.reason;
        return made.outcome === "infrastructure-error" ? findShortage() : undefined;
      });
      return { outcome: result.outcome, ...end };
    },
  };
}

/** Names a job for people: `ledger-1 (unified,openai/gpt-5; attempt 2; queued again)`. */
function nameForPeople(name: string, { spec }: Pick<LeasedWork, "spec">): string {
  const parsed = parseTryName(name);
  const arm = parsed === undefined ? undefined : spec.arms[parsed.arm];
  if (parsed === undefined || arm === undefined) return name;
  const parts = [
    nameOfArm(arm),
    ...(parsed.attempt === 1 ? [] : [`attempt ${parsed.attempt}`]),
    ...(parsed.round === 0 ? [] : ["queued again"]),
  ];
  return `${parsed.task} (${parts.join("; ")})`;
}

/**
 * Executes the leased job, and records its result in the queue. If this machine caused a failure (`isUnfit` returns the
 * reason), gives the job back to the queue. Throws LeaseLostError, AbortError, and MillwrightError if the store or the
 * queue fails.
 */
export async function executeLeased(
  lease: Lease,
  work: LeasedWork,
  isUnfit: (result: TryResult) => Promise<string | undefined>,
): Promise<{ readonly result: TryResult; readonly givenBack?: string }> {
  const { queue, shared, spec } = work;
  const signal = AbortSignal.any([work.options.grading.signal, lease.signal]);
  const options = work.withSignal(work.options, signal);
  const { runsDirectory } = options.attempts;
  let packed: string | null = null;
  const stores = openLeasedStores(
    { queue, lease, shared, epoch: spec.epoch },
    {
      ...{ isFresh: options.store.isFresh, logs: work.logs },
      async storeBeside(hash, result) {
        const made = attemptResultSchema.safeParse(result).data;
        if (made !== undefined) packed = await putRun(join(runsDirectory, made.run), shared);
        return made === undefined || packed === null ? {} : { [nameOfRun(hash, work)]: packed };
      },
    },
  );
  const grading = { ...options.grading, logs: stores.logs };
  const own = { ...options, grading, store: stores.results };
  const tried = findTry(lease.name, work);
  await refuseOther(shared); // before the attempt, which costs money
  const execute = async () => {
    const made = await executeTry(tried, own);
    const file = putContent(shared, Buffer.from(JSON.stringify(made)));
    const [areFirst, hash] = await Promise.all([stores.settle(), file]);
    return { made, areFirst, hash };
  };
  let ended = await execute();
  if (!ended.areFirst) {
    packed = null;
    ended = await execute();
  }
  const { made: result, hash } = ended;
  const isBroken = result.outcome === "infrastructure-error";
  const givenBack = (await isUnfit(result)) ?? (isBroken ? await work.findProblem(tried.task) : undefined);
  if (givenBack !== undefined) {
    await lease.giveBack(givenBack);
    return { result, givenBack };
  }
  await refuseOther(shared);
  const run = join(runsDirectory, result.run);
  const { results, logs } = stores.kept;
  const end: QueuedEnd = {
    outcome: result.outcome,
    group: lease.group,
    try: hash,
    run: packed ?? (await findRun(Object.values(results), work)) ?? (await putRun(run, shared)),
    ...{ results, logs },
  };
  await lease.end(end);
  // The result is stored. A folder that stays does not change it.
  await rm(run, { recursive: true, force: true }).catch(() => {});
  return { result };
}

/** Stores a run's archive. Returns its hash, or null if there is no run. */
async function putRun(directory: string, shared: ObjectStore): Promise<string | null> {
  return existsSync(directory) ? putContent(shared, await packRun(directory)) : null;
}

/**
 * Names the record of a run by the hash of its attempt's result. The run then survives a worker that dies during
 * grading.
 */
function nameOfRun(hash: string, { shared, spec: { epoch } }: Pick<LeasedWork, "shared" | "spec">): string {
  return recordName({ shared, epoch }, "runs", hash);
}

async function findRun(hashes: readonly string[], work: LeasedWork): Promise<string | undefined> {
  for (const hash of hashes) {
    const packed = await work.queue.findRecord(nameOfRun(hash, work));
    // A lost record of the run changes no result.
    if (packed !== undefined && (await getContent(work.shared, packed)) !== undefined) return packed;
  }
  return undefined;
}
