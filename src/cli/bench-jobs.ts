/** Jobs of `bench check` and `bench grade`: executed in this process, each result printed as it comes. */
import { executeJob, type Job } from "../bench/job.ts";
import { runPool } from "../bench/pool.ts";
import type { BenchWork } from "./bench-flags.ts";

export interface TaskJob<T> {
  /** Of the task. */
  readonly id: string;
  readonly job: Job<T>;
}

/** Results in the order of the jobs. */
export async function executeJobs<T>(
  jobs: readonly TaskJob<T>[],
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
