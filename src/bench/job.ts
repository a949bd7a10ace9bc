/** Executes work whose result Millwright stores under a hash of the inputs, so that it does the same work only once. */
import { asDiskError, MillwrightError } from "../base/errors.ts";
import type { ResultKind, ResultStore } from "./result-store.ts";

export interface Job<T> {
  /** Identifies everything that the result depends on. */
  readonly key: string;
  readonly kind: ResultKind<T>;
  execute(): Promise<T>;
  /** False for a result that says nothing about the work, such as a broken sandbox; it is not cached. */
  isFinal(result: T): boolean;
  /** The result for an error of the infrastructure thrown by `execute`: a MillwrightError, or one of the disk. */
  onError(reason: string): T;
}

export interface JobResult<T> {
  readonly result: T;
  /** Cached by an earlier process. */
  readonly known: boolean;
}

/**
 * Returns the stored result, or else executes the job and stores its final result. Turns an error of the
 * infrastructure into a result. Throws AbortError if interrupted.
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
