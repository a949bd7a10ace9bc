/** Opens a repository's index, for the questions of `CodeGraph` and for updates of the index. */
import { resolve } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import { type RefreshOptions, type RefreshResult, refreshIndex } from "./build/refresh.ts";
import { scanRepository } from "./build/scan.ts";
import type { FileUpdate } from "./build/update-file.ts";
import { extractionVersion } from "./build/version.ts";
import type { CodeGraph } from "./contract.ts";
import { findFile, listFiles, measureCompleteness } from "./queries/files.ts";
import {
  findAt,
  findByKey,
  findChildren,
  findEntity,
  findMembers,
  findNamed,
  outlineOf,
} from "./queries/find-entities.ts";
import { drawMap } from "./queries/repository-map.ts";
import { suggestNames } from "./queries/suggest-names.ts";
import { findAllIncoming, findAllNeighbours, findAllOutgoing, findAnyMeantAt } from "./queries/with-words.ts";
import { isDamage, openStore, removeDatabase, type Store } from "./store/open-store.ts";

export interface GraphOptions {
  /** The indexed folder. Millwright never writes to it. */
  readonly repository: string;
  /** The index's folder, see `indexFolderOf`; created if missing. */
  readonly directory: string;
  /** The user's HOME, for their ignore rules. */
  readonly home: string | undefined;
}

export interface OpenGraph extends CodeGraph {
  /** The reason why Millwright discarded an older index and rebuilds it. */
  readonly rebuilt: string | undefined;
  /** Checks every file's status, reads changed files, resolves references. */
  refresh(options?: RefreshOptions): Promise<RefreshResult>;
  /** True if files have changed since the scan of a running refresh, which does not scan again. */
  isBehind(): Promise<boolean>;
  /** Rereads one changed file, and resolves its references. */
  update(path: string): Promise<FileUpdate>;
  /** The store, for code that keeps its own tables next to the graph's. */
  readonly store: Store;
}

const defaultLimit = 50;
const suggestionLimit = 5;

/**
 * Opens the code graph of a repository. Throws MillwrightError("disk") if the index cannot be opened, created or read.
 */
export function openGraph(options: GraphOptions): OpenGraph {
  const { home } = options;
  const [repository, directory] = [resolve(options.repository), resolve(options.directory)];
  const request = { repository, directory, home };
  let store = openStore({ directory, version: extractionVersion });
  const rebuilt = store.rebuilt;
  const startAnew = (): void => {
    store.close();
    removeDatabase(directory);
    store = openStore({ directory, version: extractionVersion });
  };
  /** Stamps of the files that the last refresh had to read. */
  let known: ReadonlyMap<string, string> = new Map();
  const ask = <A extends readonly unknown[], T>(question: (store: Store, ...rest: A) => T) => {
    return (...rest: A): T => {
      try {
        return question(store, ...rest);
      } catch (error) {
        if (!isDamage(error)) throw error;
        startAnew();
        throw damaged(directory, error);
      }
    };
  };
  return {
    get store() {
      return store;
    },
    rebuilt,
    async refresh(given) {
      const onScanned: RefreshOptions["onScanned"] = (changed) => {
        known = new Map(changed.map(({ path, stamp }) => [path, stamp]));
        given?.onScanned?.(changed);
      };
      try {
        return await refreshIndex(store, request, { ...given, onScanned });
      } catch (error) {
        if (!isDamage(error)) throw error;
        startAnew();
        return await refreshIndex(store, request, { ...given, onScanned });
      }
    },
    async isBehind() {
      const { changed, removed } = await scanRepository(store, request);
      return (
        removed.length > 0 ||
        changed.some(
          ({ path, stamp, isKnownByWords }) => isKnownByWords !== true && known.get(path) !== stamp,
        )
      );
    },
    async update(path) {
      const { updateFile } = await import("./build/update-file.ts");
      return await updateFile(store, { repository, directory, path });
    },
    completeness: ask(measureCompleteness),
    files: ask(listFiles),
    file: ask(findFile),
    entity: ask(findEntity),
    entities: ask((from, ids: readonly number[]) => ids.flatMap((id) => findEntity(from, id) ?? [])),
    entityByKey: ask(findByKey),
    named: ask((from, name: string, limit = defaultLimit) => findNamed(from, name, limit)),
    suggest: ask((from, name: string, limit = suggestionLimit) => suggestNames(from, name, limit)),
    outline: ask(outlineOf),
    entityAt: ask(findAt),
    children: ask(findChildren),
    members: ask(findMembers),
    incoming: ask(findAllIncoming),
    outgoing: ask(findAllOutgoing),
    neighbours: ask(findAllNeighbours),
    meantAt: ask(findAnyMeantAt),
    map: ask(drawMap),
    close: () => store.close(),
  };
}

function damaged(directory: string, cause: Error): MillwrightError {
  return new MillwrightError(
    "disk",
    `The index in ${directory} was damaged (${cause.message}), so Millwright removed it.`,
    {
      hint: "Repeat the question or the command: Millwright then rebuilds the index.",
      cause,
    },
  );
}
