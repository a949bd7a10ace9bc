/** Executes the jobs of `bench check` and `bench grade` in this process, and prints each result as it arrives. */
import { existsSync } from "node:fs";
import { countOf, wordFor } from "../base/count.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { withoutSizes } from "../base/units.ts";
import type { GradedTask } from "../bench/graded-task.ts";
import { executeJob, type Job } from "../bench/job.ts";
import { runPool } from "../bench/pool.ts";
import { findUnreachable } from "../bench/preflight.ts";
import { countRows, type RowProblem } from "../bench/rows.ts";
import type { BenchWork } from "./bench-flags.ts";
import { findShortage, type LeastFree, refuseHopeless } from "./free-room.ts";

export interface TaskJob<T> {
  /** The task's id. */
  readonly id: string;
  readonly job: Job<T>;
  readonly task: GradedTask;
}

/**
 * Executes the jobs of tasks like `executeJobs`. First checks that this machine reaches the registries that tasks
 * without a stored result need. A task whose registry does not answer ends as an infrastructure error. Throws
 * MillwrightError("sandbox") if no task can run.
 */
export async function executeTasks<T>(
  jobs: readonly TaskJob<T>[],
  work: BenchWork,
  render: (result: T, known: boolean) => string,
): Promise<T[]> {
  const findUnfinished = async (): Promise<GradedTask[]> => {
    const left: GradedTask[] = [];
    for (const { job, task } of jobs)
      if ((await work.store.find(job.kind, job.key)) === undefined) left.push(task);
    return left;
  };
  const lacking = await findUnreachable(findUnfinished, work.options);
  const possible = jobs.map((each) => {
    const reason = lacking.get(each.task);
    return reason === undefined ? each : { ...each, job: refuse(each.job, reason) };
  });
  return executeJobs(possible, work, render);
}

function refuse<T>(job: Job<T>, reason: string): Job<T> {
  return { ...job, execute: async () => job.onError(reason) };
}

/**
 * Executes jobs with several workers and prints each result. Starts no job while this machine has too little room.
 * Returns the results in the order of the jobs. Throws MillwrightError("disk") if the machine can never have enough
 * room.
 */
export async function executeJobs<T>(
  jobs: readonly Omit<TaskJob<T>, "task">[],
  work: BenchWork,
  render: (result: T, known: boolean) => string,
): Promise<T[]> {
  const { options, workers, retries, store, json } = work;
  const { signal } = options;
  await refuseHopeless(foldersOf(work), leastOf(work));
  const done = await runPool(jobs, {
    ...{ workers, retries, signal },
    findHeld: holdForRoom(work),
    async work({ id, job }) {
      process.stderr.write(`${id} …\n`);
      return executeJob(job, store, signal);
    },
    isRetried: ({ result }, { job }) => !job.isFinal(result),
    onResult({ result, known }) {
      if (!json) process.stdout.write(`${render(result, known)}\n`);
    },
  });
  return done.map(({ result }) => result);
}

/** Returns a function that holds all jobs during a shortage. Tells each kind of shortage once. */
function holdForRoom(work: BenchWork): () => Promise<() => boolean> {
  let told: string | undefined;
  return async () => {
    const shortage = await findShortage(foldersOf(work), leastOf(work));
    const kind = shortage === undefined ? undefined : withoutSizes(shortage);
    if (shortage !== undefined && kind !== told) process.stderr.write(`tasks wait: ${shortage}\n`);
    told = kind;
    return () => shortage !== undefined;
  };
}

/** Returns the existing folders of the bench, the results and the logs on this machine. */
export function foldersOf({ options: { directory, logs }, store }: BenchWork): string[] {
  return [...new Set([directory, store.directory, logs?.directory ?? directory])].filter(existsSync);
}

export function leastOf({ flags: { leastDisk = 0, leastMemory = 0 } }: BenchWork): LeastFree {
  return { leastDisk, leastMemory };
}

/** Returns the summary's line about unreadable rows; "" if there are none. */
export function tellUnreadable(problems: readonly RowProblem[]): string {
  if (problems.length === 0) return "";
  const [first] = problems;
  return sanitizeForTerminal(
    `Millwright cannot read ${countOf(countRows(problems), "row")}, and does not count ${wordFor(countRows(problems), "it", "them")}: ${first?.place}: ${first?.message}\n`,
  );
}
