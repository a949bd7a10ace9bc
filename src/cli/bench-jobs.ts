/** Executes the jobs of `bench check` and `bench grade` in this process, and prints each result as it arrives. */
import { countOf, wordFor } from "../base/count.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import type { GradedTask } from "../bench/graded-task.ts";
import { executeJob, type Job } from "../bench/job.ts";
import { runPool } from "../bench/pool.ts";
import { checkRegistries } from "../bench/preflight.ts";
import { countRows, type RowProblem } from "../bench/rows.ts";
import type { BenchWork } from "./bench-flags.ts";

export interface TaskJob<T> {
  /** The task's id. */
  readonly id: string;
  readonly job: Job<T>;
  readonly task: GradedTask;
}

/**
 * Executes the jobs of tasks like `executeJobs`. First checks that this machine reaches the registries that tasks without
 * a stored result need. Throws MillwrightError("sandbox") if it does not.
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
  await checkRegistries(findUnfinished, work.options);
  return executeJobs(jobs, work, render);
}

/** Executes jobs with several workers and prints each result. Returns the results in the order of the jobs. */
export async function executeJobs<T>(
  jobs: readonly Omit<TaskJob<T>, "task">[],
  { options: { signal }, workers, retries, store, json }: BenchWork,
  render: (result: T, known: boolean) => string,
): Promise<T[]> {
  const done = await runPool(jobs, {
    ...{ workers, retries, signal },
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

/** Returns the summary's line about unreadable rows; "" if there are none. */
export function tellUnreadable(problems: readonly RowProblem[]): string {
  if (problems.length === 0) return "";
  const [first] = problems;
  return sanitizeForTerminal(
    `Millwright cannot read ${countOf(countRows(problems), "row")}, and does not count ${wordFor(countRows(problems), "it", "them")}: ${first?.place}: ${first?.message}\n`,
  );
}
