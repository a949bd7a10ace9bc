/** Opens a worker's stores of results and logs for one job. The worker records each file under its lease. */
import { hashText } from "../base/hash.ts";
import { type GradingLog, type LogStore, openLogStore, renderLog } from "../bench/log-store.ts";
import { getContent, type ObjectStore, putContent } from "../bench/object-store.ts";
import { parseResult, type ResultStore, renderResult } from "../bench/result-store.ts";
import type { JobQueue, Lease } from "../queue/contract.ts";

export interface SharedPlace {
  readonly queue: Pick<JobQueue, "findRecord">;
  readonly lease: Pick<Lease, "record">;
  readonly shared: ObjectStore;
  readonly epoch: string;
}

/** Hashes of the files that the stores found or stored, by the key of the result or log. */
export type KeptFiles = Record<string, string>;

/** Recorded hashes, by the record's name. */
type Records = Readonly<Record<string, string>>;

export interface LeasedStoreOptions {
  readonly isFresh: boolean;
  /** The worker's own folder of logs. */
  readonly logs: string;
  /** Stores further files of a result, and returns their records. `hash`: the hash of the result's file. */
  readonly storeBeside: (hash: string, result: unknown) => Promise<Records>;
}

export interface LeasedStores {
  readonly results: ResultStore;
  readonly logs: LogStore;
  readonly kept: { readonly results: KeptFiles; readonly logs: KeptFiles };
  /**
   * Waits until all files are stored and recorded. Returns false if another worker recorded a result first; later calls
   * then find that result. Throws LeaseLostError, and MillwrightError if the store or the queue fails.
   */
  settle(): Promise<boolean>;
}

/**
 * Returns the name of a file's record. The name contains the store, because another store on the same server lacks the
 * file.
 */
export function recordName(
  { shared, epoch }: Pick<SharedPlace, "shared" | "epoch">,
  kind: "results" | "logs" | "runs",
  key: string,
): string {
  return `${shared.id}/${epoch}${kind}/${key}`;
}

/**
 * Opens a worker's stores for one job. `keep` returns at once: grading can begin while Millwright stores the attempt
 * and its run. Writes a result's files in parallel. Then records their hashes, and the hashes of earlier logs, in one
 * database statement.
 */
export function openLeasedStores(place: SharedPlace, options: LeasedStoreOptions): LeasedStores {
  const { queue, lease, shared } = place;
  const kept: { results: KeptFiles; logs: KeptFiles } = { results: {}, logs: {} };
  const [storing, storingLogs] = [inBackground<boolean>(), inBackground<readonly [string, string]>()];
  const ownLogs = openLogStore(options.logs);
  /** Number of times that each result was made again. Records never change, so a repeated result has a further name. */
  const remade = new Map<string, number>();
  const nameOf = (key: string): string => {
    const times = remade.get(key) ?? 0;
    return recordName(place, "results", times === 0 ? key : `${key}/${times}`);
  };
  const nameOfLog = (key: string): string => recordName(place, "logs", key);
  const recordWithLogs = async (records: Records): Promise<Records> => {
    const logs = await storingLogs.end();
    const named = Object.fromEntries(logs.map(([key, hash]) => [nameOfLog(key), hash]));
    const all = { ...named, ...records };
    if (Object.keys(all).length === 0) return {};
    const first = await lease.record(all);
    // The own log is in the store. An earlier worker's log may be lost.
    for (const [key, hash] of logs) kept.logs[key] = hash;
    return first;
  };
  const store = async (key: string, content: Buffer, result: unknown): Promise<boolean> => {
    const own = hashText(content);
    const [, beside] = await Promise.all([putContent(shared, content), options.storeBeside(own, result)]);
    const { [nameOf(key)]: first } = await recordWithLogs({ ...beside, [nameOf(key)]: own });
    if (first === own) kept.results[key] = own;
    return first === own;
  };
  return {
    kept,
    results: {
      ...{ directory: shared.name, isFresh: options.isFresh },
      async find(kind, key) {
        for (;;) {
          const hash = await queue.findRecord(nameOf(key));
          const earlier = async () => (options.isFresh ? undefined : shared.get(`results/${key}.json`));
          const content = await (hash === undefined ? earlier() : getContent(shared, hash));
          if (content === undefined && hash !== undefined) {
            remade.set(key, (remade.get(key) ?? 0) + 1);
            continue;
          }
          if (content !== undefined && hash !== undefined) kept.results[key] = hash;
          return content === undefined ? undefined : parseResult(kind, content.toString("utf8"));
        }
      },
      async keep(kind, key, result) {
        storing.begin(store(key, Buffer.from(renderResult(kind, key, result)), result));
        return result;
      },
    },
    logs: {
      ...ownLogs,
      async keep(key, log) {
        storingLogs.begin(storeLog(key, log, ownLogs, shared));
      },
    },
    async settle() {
      const areFirst = await storing.end();
      await recordWithLogs({});
      return areFirst.every(Boolean);
    },
  };
}

/** Begins work in the background. `end` waits for the work, and throws its errors. */
function inBackground<T>(): { begin(work: Promise<T>): void; end(): Promise<T[]> } {
  const begun: Promise<T>[] = [];
  return {
    begin(work) {
      work.catch(() => {}); // until `end` waits for it, a failure is no unhandled rejection
      begun.push(work);
    },
    end: () => Promise.all(begun.splice(0)),
  };
}

/** Stores a log in the shared place, and in the worker's own folder. */
async function storeLog(
  key: string,
  log: GradingLog,
  own: LogStore,
  shared: ObjectStore,
): Promise<readonly [string, string]> {
  const [hash] = await Promise.all([putContent(shared, await renderLog(log)), own.keep(key, log)]);
  return [key, hash];
}
