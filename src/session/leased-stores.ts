/** A worker's stores of results and logs for one job; it records each file under its lease. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type LogStore, openLogStore } from "../bench/log-store.ts";
import { getContent, type ObjectStore, putContent } from "../bench/object-store.ts";
import { parseResult, type ResultStore, renderResult } from "../bench/result-store.ts";
import type { JobQueue, Lease } from "../queue/contract.ts";

export interface SharedPlace {
  readonly queue: Pick<JobQueue, "findRecord">;
  readonly lease: Pick<Lease, "record">;
  readonly shared: ObjectStore;
  readonly epoch: string;
}

/** Hashes of files that were found or stored, by key. */
export type KeptFiles = Record<string, string>;

/** The results of leased tries. `before`: runs before a result is recorded, with the hash of its file. */
export function leasedResults(
  place: SharedPlace,
  kept: KeptFiles,
  isFresh: boolean,
  before: (hash: string, result: unknown) => Promise<void>,
): ResultStore {
  const { queue, lease, shared, epoch } = place;
  const read = async (key: string, hash: string): Promise<string | undefined> => {
    const content = await getContent(shared, hash);
    if (content !== undefined) kept[key] = hash;
    return content?.toString("utf8");
  };
  const nameOf = (key: string): string => `${epoch}results/${key}`;
  return {
    ...{ directory: shared.name, isFresh },
    async find(kind, key) {
      const hash = await queue.findRecord(nameOf(key));
      const earlier = async () =>
        isFresh ? undefined : (await shared.get(`results/${key}.json`))?.toString("utf8");
      const text = hash === undefined ? await earlier() : await read(key, hash);
      return text === undefined ? undefined : parseResult(kind, text);
    },
    async keep(kind, key, result) {
      const own = await putContent(shared, Buffer.from(renderResult(kind, key, result)));
      await before(own, result);
      const first = await lease.record(nameOf(key), own);
      const text = await read(key, first);
      return (text === undefined ? undefined : parseResult(kind, text)) ?? result;
    },
  };
}

/** Stores logs in the shared place, and in the worker's own folder. */
export function leasedLogs(directory: string, place: SharedPlace, kept: KeptFiles): LogStore {
  const own = openLogStore(directory);
  return {
    ...own,
    async keep(key, log) {
      await own.keep(key, log);
      const content = await putContent(place.shared, await readFile(join(directory, `${key}.json.gz`)));
      kept[key] = await place.lease.record(`${place.epoch}logs/${key}`, content);
    },
  };
}
