/** Goes through the tasks, several at once, keeps each result as it comes, and skips what is known already. */
import { MillwrightError } from "../base/errors.ts";
import type { ResultsFile } from "./results.ts";

export interface TaskWork<T> {
  readonly id: string;
  /** Names all that the result depends on. */
  readonly key: string;
  execute(): Promise<T>;
}

export interface RunOptions<T> {
  readonly jobs: number;
  readonly results: ResultsFile<T>;
  /** True for a result that is not tried again by a later start. */
  readonly isFinal: (result: T) => boolean;
  /** The result where `execute` threw a MillwrightError. */
  readonly onError: (id: string, reason: string) => T;
  /** `known`: taken from the results of an earlier process. */
  readonly onResult: (result: T, known: boolean) => void;
  readonly onStart: (id: string) => void;
  readonly signal: AbortSignal;
}

/** Results in the order of the works. Throws AbortError when interrupted: what is done is on disk. */
export async function runTasks<T>(works: readonly TaskWork<T>[], options: RunOptions<T>): Promise<T[]> {
  const done = new Map<string, T>();
  const waiting = [...works];
  const worker = async (): Promise<void> => {
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) {
      options.signal.throwIfAborted();
      try {
        done.set(work.id, await runOne(work, options));
      } catch (error) {
        waiting.length = 0; // the others finish what they are at
        throw error;
      }
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: options.jobs }, worker));
  for (const result of workers) if (result.status === "rejected") throw result.reason;
  return works.flatMap(({ id }) => done.get(id) ?? []);
}

async function runOne<T>(work: TaskWork<T>, options: RunOptions<T>): Promise<T> {
  const known = options.results.find(work.key);
  if (known !== undefined && options.isFinal(known)) {
    options.onResult(known, true);
    return known;
  }
  options.onStart(work.id);
  const result = await execute(work, options);
  options.results.add(work.key, result);
  options.onResult(result, false);
  return result;
}

async function execute<T>(work: TaskWork<T>, options: RunOptions<T>): Promise<T> {
  try {
    return await work.execute();
  } catch (error) {
    options.signal.throwIfAborted();
    if (!(error instanceof MillwrightError)) throw error;
    return options.onError(
      work.id,
      error.hint === undefined ? error.message : `${error.message} ${error.hint}`,
    );
  }
}
