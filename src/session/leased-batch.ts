/**
 * Opens everything that a worker needs for a batch's tries, and serves the budget to the processes that call models.
 */
import { mkdtemp, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { countOf } from "../base/count.ts";
import { MillwrightError } from "../base/errors.ts";
import { findLacking } from "../bench/find-repository.ts";
import type { ObjectStore } from "../bench/object-store.ts";
import type { GradingOptions } from "../bench/open-task.ts";
import type { BatchSpec } from "../bench/queued-try.ts";
import type { ResultStore } from "../bench/result-store.ts";
import type { Try, TryOptions } from "../bench/try.ts";
import { sharePauses } from "../llm/call-pauses.ts";
import { serveLedger } from "../llm/served-ledger.ts";
import type { BatchText, JobQueue } from "../queue/contract.ts";
import { openPauses } from "./batch-pauses.ts";
import { checkArms, openTries } from "./bench-run.ts";
import type { BenchSession } from "./bench-session.ts";
import type { Host } from "./host.ts";
import type { LeasedWork } from "./leased-try.ts";
import { openSessionWorkspace } from "./open-workspace.ts";

export interface LeasedBatchRequest extends BenchSession {
  readonly host: Host;
  readonly program: readonly string[];
  readonly queue: JobQueue;
  readonly shared: ObjectStore;
  readonly batch: string;
  readonly spec: BatchSpec;
  readonly limits: BatchText["limits"];
  readonly tasks: readonly Try["task"][];
  readonly store: ResultStore;
  readonly logs: string;
  readonly signal: AbortSignal;
}

export interface OpenLeasedWork {
  readonly work: LeasedWork;
  close(): Promise<void>;
}

/**
 * Prepares a worker for the tries of a batch, and serves the batch's budget to their processes. Throws MillwrightError
 * if an arm cannot work on this machine, or if the machine lacks repositories.
 */
export async function openLeasedWork(request: LeasedBatchRequest): Promise<OpenLeasedWork> {
  const { host, spec, tasks, queue, shared, logs, batch } = request;
  const arms = spec.arms.map((arm) => ({ ...arm }));
  await checkArms({ arms, tasks, host });
  await refuseLacking(request);
  const budget = await serveBudget(request);
  const pauses = await openPauses(
    sharePauses({
      pause: (account, ms) => queue.pause(account, ms),
      listPauses: () => queue.listPauses(),
    }),
  );
  const store = { ...request.store, isFresh: spec.epoch !== "" };
  // Batches of one worker may have the same try, and so the same run, at the same time.
  const runs = join(request.options.directory, "runs", batch);
  const options = await openTries({ ...request, store, callPauses: pauses.socket, runs, anew: false });
  return {
    work: {
      ...{ queue, shared, spec, logs, options: withBudget(options, budget.file) },
      tasks: new Map(tasks.map((task) => [task.task.id, task])),
      findProblem: (task) => lackingOf({ ...request, tasks: [task] }),
      withSignal: (given, signal) => withSignal(given, signal, host),
    },
    async close() {
      await budget.close();
      await pauses.close();
      // It stays if it contains runs that this machine continues.
      await rmdir(runs).catch(() => {});
    },
  };
}

/**
 * Refuses a batch whose repositories this machine lacks. Each try and its retries would end within milliseconds, so one
 * wrong machine would spoil the batch.
 */
async function refuseLacking(request: LeasedBatchRequest): Promise<void> {
  const problem = await lackingOf(request);
  if (problem === undefined) return;
  throw new MillwrightError("repository", problem, {
    hint: "Store the tasks' repositories under the same path on every machine.",
  });
}

/**
 * Describes the repositories that this machine lacks, but that the machine of `bench run` has. Undefined if it has all.
 */
async function lackingOf({
  tasks,
  spec,
  options,
}: Pick<LeasedBatchRequest, "tasks" | "spec" | "options">): Promise<string | undefined> {
  const needed = tasks.map(({ task }) => task).filter(({ id }) => !spec.unfound.includes(id));
  const problems = [...(await findLacking(options.place, needed)).values()];
  if (problems.length === 0) return undefined;
  return `this machine lacks the base commit of ${problems.length} of ${countOf(tasks.length, "task")}. The first problem: ${problems[0]}`;
}

/**
 * Writes a file that names the limits and this process's socket, and serves the budget there. This process asks the
 * queue.
 */
async function serveBudget({ queue, batch, limits }: LeasedBatchRequest) {
  if (Object.keys(limits).length === 0) return { file: undefined, close: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), "millwright-budget-"));
  const socket = join(folder, "ledger");
  const server = await serveLedger(socket, {
    taken: async () => ({ ...(await queue.spent(batch)) }),
    hold: (id, most) => queue.hold(batch, id, most),
    settle: (id, used) => queue.settle(id, used),
  });
  const file = join(folder, "budget.json");
  await writeFileAtomically(file, JSON.stringify({ ...limits, server: socket }));
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  };
  return { file, close };
}

/**
 * Returns options that use this machine's file. The try's identity still contains the path on the batch creator's
 * machine.
 */
function withBudget(options: TryOptions, file: string | undefined): TryOptions {
  if (file === undefined) return options;
  const { attempts } = options;
  return {
    ...options,
    attempts: {
      ...attempts,
      perform: (asked, signal) =>
        attempts.perform({ ...asked, settings: { ...asked.settings, batchBudget: file } }, signal),
    },
  };
}

/** Returns options with the lease's signal, so that a lost lease stops only its own try. */
function withSignal(options: TryOptions, signal: AbortSignal, host: Host): TryOptions {
  const own = gradingUntil(options.grading, signal, host);
  return { ...options, grading: own, attempts: { ...options.attempts, environment: own } };
}

/** Returns grading options that this signal stops, together with everything that they open. */
export function gradingUntil(grading: GradingOptions, signal: AbortSignal, host: Host): GradingOptions {
  const { sandbox } = grading;
  return {
    ...grading,
    signal,
    openWorkspace: (place) => openSessionWorkspace({ ...place, host, sandbox, signal }),
  };
}
