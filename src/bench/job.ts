/** A piece of work whose result is kept by what it depends on: done once, however often and wherever it is asked for. */
import { MillwrightError } from "../base/errors.ts";
import type { ResultKind, ResultStore } from "./result-store.ts";

export interface Job<T> {
  /** Names all that the result depends on. */
  readonly key: string;
  readonly kind: ResultKind<T>;
  execute(): Promise<T>;
  /** False for a result that says nothing of the work, such as a broken sandbox: it is not kept. */
  isFinal(result: T): boolean;
  /** The result where `execute` threw a MillwrightError: infrastructure. */
  onError(reason: string): T;
}

export interface JobResult<T> {
  readonly result: T;
  /** Kept by an earlier process. */
  readonly known: boolean;
}

/** Takes the result that is kept, else does the work. Throws AbortError when it was interrupted. */
export async function executeJob<T>(
  job: Job<T>,
  store: ResultStore,
  signal: AbortSignal,
): Promise<JobResult<T>> {
  const kept = await store.find(job.kind, job.key);
  if (kept !== undefined) return { result: kept, known: true };
  const result = await execute(job, signal);
  if (job.isFinal(result)) await store.keep(job.kind, job.key, result);
  return { result, known: false };
}

async function execute<T>(job: Job<T>, signal: AbortSignal): Promise<T> {
  try {
    return await job.execute();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof MillwrightError)) throw error;
    return job.onError(error.hint === undefined ? error.message : `${error.message} ${error.hint}`);
  }
}
