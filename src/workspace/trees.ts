/** Reads, lists, compares and changes git trees as data. Reads a folder that two trees share only once. */
import { MillwrightError } from "../base/errors.ts";
import { type BytePath, showPath } from "./byte-path.ts";
import type { ObjectStore } from "./objects.ts";

export interface Entry {
  /** `100644`, `100755`, `120000`; `40000` is a folder. */
  readonly mode: string;
  readonly id: string;
}

export interface EntryChange {
  readonly path: BytePath;
  readonly from: Entry | undefined;
  readonly to: Entry | undefined;
}

type Folder = ReadonlyMap<string, Entry>;

export interface Trees {
  /** Lists all files, in no particular order. */
  list(tree: string): Promise<Map<BytePath, Entry>>;
  find(tree: string, path: BytePath): Promise<Entry | undefined>;
  compare(from: string, to: string): Promise<EntryChange[]>;
  /**
   * Returns the tree with these files set, or removed if null. Throws MillwrightError("usage") for a file below a file.
   */
  edit(tree: string, edits: ReadonlyMap<BytePath, Entry | null>): Promise<string>;
}

const folderMode = "40000";
const emptyFolder: Folder = new Map();
/** Maximum number of folders in memory. */
const cacheSize = 20_000;

export function sameEntry(a: Entry | undefined, b: Entry | undefined): boolean {
  return a?.id === b?.id && a?.mode === b?.mode;
}

export function createTrees(objects: ObjectStore): Trees {
  const folders = openFolders(objects);
  return {
    async list(tree) {
      const found = new Map<BytePath, Entry>();
      await collect(folders, "", { mode: folderMode, id: tree }, found);
      return found;
    },
    async find(tree, path) {
      let entry: Entry | undefined = { mode: folderMode, id: tree };
      for (const name of path.split("/")) entry = (await folders.load(entry)).get(name);
      return fileOnly(entry);
    },
    compare: (from, to) =>
      compareFolders(folders, "", { mode: folderMode, id: from }, { mode: folderMode, id: to }),
    async edit(tree, edits) {
      return (await editFolder(folders, "", { mode: folderMode, id: tree }, edits)) ?? tree;
    },
  };
}

interface Folders {
  /** Loads a folder. Empty for entries that are not folders. */
  load(entry: Entry | undefined): Promise<Folder>;
  save(folder: Folder): string;
}

function openFolders(objects: ObjectStore): Folders {
  const cache = new Map<string, Folder>();
  const remember = (id: string, folder: Folder): Folder => {
    for (const oldest of cache.keys()) {
      if (cache.size < cacheSize) break;
      cache.delete(oldest);
    }
    cache.set(id, folder);
    return folder;
  };
  return {
    async load(entry) {
      if (entry?.mode !== folderMode) return emptyFolder;
      return cache.get(entry.id) ?? remember(entry.id, parseTree(await objects.read(entry.id)));
    },
    save(folder) {
      const id = objects.write("tree", serialiseTree(folder));
      remember(id, folder);
      return id;
    },
  };
}

async function collect(
  folders: Folders,
  prefix: BytePath,
  entry: Entry,
  found: Map<BytePath, Entry>,
): Promise<void> {
  const below: Promise<void>[] = [];
  for (const [name, child] of await folders.load(entry)) {
    if (child.mode === folderMode) below.push(collect(folders, `${prefix}${name}/`, child, found));
    else found.set(prefix + name, child);
  }
  await Promise.all(below);
}

async function compareFolders(
  folders: Folders,
  prefix: BytePath,
  a: Entry | undefined,
  b: Entry | undefined,
): Promise<EntryChange[]> {
  if (sameEntry(a, b)) return [];
  const [before, after] = await Promise.all([folders.load(a), folders.load(b)]);
  const changes: EntryChange[] = [];
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const from = before.get(name);
    const to = after.get(name);
    if (sameEntry(from, to)) continue;
    const path = prefix + name;
    const change = { path, from: fileOnly(from), to: fileOnly(to) };
    if (change.from !== undefined || change.to !== undefined) changes.push(change);
    changes.push(...(await compareFolders(folders, `${path}/`, folderOnly(from), folderOnly(to))));
  }
  return changes;
}

/** Returns the new folder's id; undefined if the folder becomes empty. */
async function editFolder(
  folders: Folders,
  prefix: BytePath,
  entry: Entry | undefined,
  edits: ReadonlyMap<BytePath, Entry | null>,
): Promise<string | undefined> {
  const folder = new Map(await folders.load(entry));
  const { here, below } = splitEdits(edits);
  for (const [name, edit] of here) {
    if (edit !== null) folder.set(name, edit);
    else if (folder.get(name)?.mode !== folderMode) folder.delete(name);
  }
  for (const [name, inner] of below) {
    const present = folder.get(name);
    if (present !== undefined && present.mode !== folderMode) {
      if ([...inner.values()].every((edit) => edit === null)) continue;
      throw new MillwrightError("usage", `${showPath(prefix + name)} is a file, not a folder`);
    }
    const id = await editFolder(folders, `${prefix}${name}/`, present, inner);
    if (id === undefined) folder.delete(name);
    else folder.set(name, { mode: folderMode, id });
  }
  return folder.size === 0 && prefix !== "" ? undefined : folders.save(folder);
}

function fileOnly(entry: Entry | undefined): Entry | undefined {
  return entry?.mode === folderMode ? undefined : entry;
}

function folderOnly(entry: Entry | undefined): Entry | undefined {
  return entry?.mode === folderMode ? entry : undefined;
}

function splitEdits(edits: ReadonlyMap<BytePath, Entry | null>) {
  const here = new Map<string, Entry | null>();
  const below = new Map<string, Map<BytePath, Entry | null>>();
  for (const [path, edit] of edits) {
    const slash = path.indexOf("/");
    if (slash === -1) {
      here.set(path, edit);
      continue;
    }
    const name = path.slice(0, slash);
    const inner = below.get(name) ?? new Map<BytePath, Entry | null>();
    inner.set(path.slice(slash + 1), edit);
    below.set(name, inner);
  }
  return { here, below };
}

function parseTree(content: Buffer): Folder {
  const folder = new Map<string, Entry>();
  let at = 0;
  while (at < content.length) {
    const space = content.indexOf(0x20, at);
    const end = content.indexOf(0, space);
    const mode = content.toString("latin1", at, space);
    const id = content.toString("hex", end + 1, end + 21);
    folder.set(content.toString("latin1", space + 1, end), { mode, id });
    at = end + 21;
  }
  return folder;
}

/** Serialises a folder. Git sorts a folder's name as if it ended with a slash. */
function serialiseTree(folder: Folder): Buffer {
  const key = ([name, entry]: readonly [string, Entry]): string =>
    entry.mode === folderMode ? `${name}/` : name;
  const entries = [...folder].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return Buffer.concat(
    entries.flatMap(([name, { mode, id }]) => [
      Buffer.from(`${mode} ${name}\0`, "latin1"),
      Buffer.from(id, "hex"),
    ]),
  );
}
