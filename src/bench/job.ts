/** Executes work, and stores its result under a hash of the inputs. Millwright then does the same work only once. */
import { asDiskError, MillwrightError } from "../base/errors.ts";
import type { ResultKind, ResultStore } from "./result-store.ts";

export interface Job<T> {
  /**
   * The job's key. It covers everything on which the result depends. It can change once, when `execute` learns the id of
   * an image that it pulls.
   */
  readonly key: string;
  readonly kind: ResultKind<T>;
  execute(): Promise<T>;
  /**
   * Returns false for a result that is independent of the work, such as a broken sandbox. Millwright does not cache it.
   */
  isFinal(result: T): boolean;
  /** Makes the result for an infrastructure error thrown by `execute`: a MillwrightError, or an error of the disk. */
  onError(reason: string): T;
}

export interface JobResult<T> {
  readonly result: T;
  /** True if the store already had the result. */
  readonly known: boolean;
}

/**
 * Returns the stored result, or else executes the job and stores its final result. Converts infrastructure errors to
 * results. Throws AbortError if the signal stops the job.
 */
export async function executeJob<T>(
  job: Job<T>,
  store: ResultStore,
  signal: AbortSignal,
): Promise<JobResult<T>> {
  const kept = await store.find(job.kind, job.key);
  if (kept !== undefined) return { result: kept, known: true };
  const result = await execute(job, signal);
  if (!job.isFinal(result)) return { result, known: false };
  return { result: await store.keep(job.kind, job.key, result), known: false };
}

async function execute<T>(job: Job<T>, signal: AbortSignal): Promise<T> {
  try {
    return await job.execute();
  } catch (thrown) {
    const error = asDiskError(thrown);
    signal.throwIfAborted();
    if (!(error instanceof MillwrightError)) throw error;
    return job.onError(error.hint === undefined ? error.message : `${error.message} ${error.hint}`);
  }
}
