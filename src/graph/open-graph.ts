/** An index of a repository, opened: the questions of `CodeGraph`, and what keeps it up to date. */
import { type RefreshOptions, type RefreshResult, refreshIndex } from "./build/refresh.ts";
import { type FileUpdate, updateFile } from "./build/update-file.ts";
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
import { findMeantAt } from "./queries/meant-at.ts";
import { findIncoming, findNeighbours, findOutgoing } from "./queries/relations.ts";
import { drawMap } from "./queries/repository-map.ts";
import { searchText } from "./queries/search-text.ts";
import { suggestNames } from "./queries/suggest-names.ts";
import { openStore, type Store } from "./store/open-store.ts";

export interface GraphOptions {
  /** The folder that is indexed; it is never written. */
  readonly repository: string;
  /** Of the index, see `indexFolderOf`; made where it is missing. */
  readonly directory: string;
  /** The user's HOME, for their ignore rules. */
  readonly home: string | undefined;
}

export interface OpenGraph extends CodeGraph {
  /** Why an older index could not be used; it is built anew. */
  readonly rebuilt: string | undefined;
  /** Looks at every file's status, reads what has changed, resolves references. */
  refresh(options?: RefreshOptions): Promise<RefreshResult>;
  /** Reads one file again and resolves its references: for what one knows to have changed. */
  update(path: string): Promise<FileUpdate>;
  /** For what stores more beside the tables of the graph. */
  readonly store: Store;
}

const defaultLimit = 50;
const suggestionLimit = 5;

export function openGraph({ repository, directory, home }: GraphOptions): OpenGraph {
  const store = openStore({ directory, version: extractionVersion });
  return {
    store,
    rebuilt: store.rebuilt,
    refresh: (options) => refreshIndex(store, { repository, directory, home }, options),
    update: (path) => updateFile(store, { repository, directory, path }),
    completeness: () => measureCompleteness(store),
    files: () => listFiles(store),
    file: (path) => findFile(store, path),
    entity: (id) => findEntity(store, id),
    entities: (ids) => ids.flatMap((id) => findEntity(store, id) ?? []),
    entityByKey: (key) => findByKey(store, key),
    named: (name, limit = defaultLimit) => findNamed(store, name, limit),
    suggest: (name, limit = suggestionLimit) => suggestNames(store, name, limit),
    outline: (path) => outlineOf(store, path),
    entityAt: (path, line) => findAt(store, path, line),
    children: (id) => findChildren(store, id),
    members: (id) => findMembers(store, id),
    incoming: (id, kinds, options) => findIncoming(store, id, kinds, options),
    outgoing: (id, kinds, options) => findOutgoing(store, id, kinds, options),
    neighbours: (id) => findNeighbours(store, id),
    searchFiles: (match, options) => searchText(store, "file_text", match, options),
    searchEntities: (match, options) => searchText(store, "entity_text", match, options),
    meantAt: (path, line, name) => findMeantAt(store, path, line, name),
    map: (options) => drawMap(store, options),
    close: () => store.close(),
  };
}
