/**
 * The files of one working folder, kept equal to a tree although code that nobody has read writes among them. No command runs
 * while this does. Nothing is written or removed through a link: a path is used only after every folder above it was seen to
 * be a real one, and a file is always unlinked and made anew, never written in place.
 */
import { type Dirent, readdirSync } from "node:fs";
import { MillwrightError } from "../base/errors.ts";
import { type BytePath, foldersOf, hostPath, nameOf, parentOf } from "./byte-path.ts";
import {
  ensureFolder,
  makeReadable,
  readSignature,
  removeAny,
  removeEmptyFolder,
  type Signature,
  sameSignature,
  writeEntry,
} from "./file-writing.ts";
import type { PrivateStore } from "./tree-store.ts";
import { type Entry, sameEntry } from "./trees.ts";

export interface WorkingFilesOptions {
  readonly folder: string;
  readonly store: PrivateStore;
  /** Files and folders (no slash at the end) that commands own: never looked into, never removed. */
  readonly kept: readonly BytePath[];
  readonly emptyFolders: readonly BytePath[];
  /** The modification time of a file that is laid for the first time, in milliseconds. */
  readonly timeOf: (path: BytePath, entry: Entry) => number | undefined;
  /** Which of these paths git ignores. */
  readonly findIgnored: (paths: readonly BytePath[]) => Promise<ReadonlySet<BytePath>>;
}

export interface WorkingFiles {
  lay(tree: string): Promise<void>;
}

interface LaidFile {
  readonly entry: Entry;
  readonly signature: Signature;
}

/** Objects asked for at once. */
const windowSize = 256;

interface State {
  readonly options: WorkingFilesOptions;
  readonly root: string;
  readonly kept: ReadonlySet<BytePath>;
  readonly laid: Map<BytePath, LaidFile>;
  /** How many laid files and kept paths each folder has in it, at any depth. */
  readonly folders: Map<BytePath, number>;
  /** What commands added and git ignores: looked at once, as long as the rules are the same. */
  readonly ignoredJunk: Set<BytePath>;
  /** The last time that was given to a laid file, in seconds. */
  clock: number;
  /** The tree that `laid` is; undefined before the first lay, and after one that failed half-way. */
  current: string | undefined;
}

export function createWorkingFiles(options: WorkingFilesOptions): WorkingFiles {
  const state: State = {
    options,
    root: options.folder,
    kept: new Set(options.kept),
    laid: new Map(),
    folders: new Map(),
    ignoredJunk: new Set(),
    clock: 0,
    current: undefined,
  };
  for (const path of options.kept) countFolders(state.folders, path, 1);
  for (const path of options.emptyFolders) countFolders(state.folders, `${path}/.`, 1);
  return { lay: (tree) => layTree(state, tree) };
}

async function layTree(state: State, tree: string): Promise<void> {
  const { root, folders } = state;
  makeReadable(root);
  const { damaged, unknown } = scan(state);
  const { writes, removals } = await planLay(state, tree, damaged);
  state.current = undefined;
  const needed = foldersOf(writes.keys());
  for (const path of unknown) if (folders.has(path) || needed.has(path)) removeAny(root, path);
  for (const path of removals) remove(state, path);
  if (writes.size > 0) await writeFiles(state, writes);
  if ([...writes.keys(), ...removals].some((path) => nameOf(path) === ".gitignore")) {
    state.ignoredJunk.clear();
    unknown.push(...scan(state).unknown);
  }
  for (const path of state.options.emptyFolders) ensureFolder(root, path, new Set([""]));
  await removeJunk(state, new Set(unknown));
  state.current = tree;
}

interface Scan {
  /** Laid files that are gone or not as they were laid. */
  readonly damaged: Set<BytePath>;
  /** What is there beside them; a folder stands for all in it. */
  readonly unknown: BytePath[];
}

function scan({ root, kept, laid, folders, ignoredJunk }: State): Scan {
  const damaged = new Set<BytePath>(laid.keys());
  const unknown: BytePath[] = [];
  const visit = (folder: BytePath): void => {
    for (const entry of listFolder(hostPath(root, folder))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (kept.has(path) || ignoredJunk.has(path)) continue;
      const file = laid.get(path);
      if (file !== undefined && !entry.isDirectory()) {
        if (sameSignature(readSignature(hostPath(root, path)), file.signature)) damaged.delete(path);
      } else if (folders.has(path) && entry.isDirectory()) visit(path);
      else unknown.push(path);
    }
  };
  visit("");
  return { damaged, unknown };
}

function listFolder(path: string | Buffer): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true, encoding: "latin1" });
  } catch (cause) {
    if (makeReadable(path)) return readdirSync(path, { withFileTypes: true, encoding: "latin1" });
    throw new MillwrightError("disk", "A folder of the working copy cannot be read.", { cause });
  }
}

interface Plan {
  readonly writes: Map<BytePath, Entry>;
  readonly removals: BytePath[];
}

async function planLay(state: State, tree: string, damaged: ReadonlySet<BytePath>): Promise<Plan> {
  const { writes, removals } = await compareWithDisk(state, tree, damaged);
  // A tree that has a file where an ignored one is cannot take that from the commands.
  const isKept = (path: BytePath): boolean =>
    state.kept.has(path) || [...foldersOf([path])].some((folder) => state.kept.has(folder));
  for (const path of writes.keys()) if (isKept(path)) writes.delete(path);
  return { writes, removals: removals.filter((path) => !isKept(path)) };
}

async function compareWithDisk(
  { options, laid, current }: State,
  tree: string,
  damaged: ReadonlySet<BytePath>,
): Promise<Plan> {
  const { trees } = options.store;
  const writes = new Map<BytePath, Entry>();
  const removals: BytePath[] = [];
  if (current === undefined) {
    const wanted = await trees.list(tree);
    for (const [path, entry] of wanted) {
      if (damaged.has(path) || !sameEntry(laid.get(path)?.entry, entry)) writes.set(path, entry);
    }
    for (const path of laid.keys()) if (!wanted.has(path)) removals.push(path);
    return { writes, removals };
  }
  for (const path of damaged) {
    const file = laid.get(path);
    if (file !== undefined) writes.set(path, file.entry);
  }
  for (const { path, to } of await trees.compare(current, tree)) {
    writes.delete(path);
    if (to === undefined) removals.push(path);
    else writes.set(path, to);
  }
  return { writes, removals };
}

function remove({ root, laid, folders }: State, path: BytePath): void {
  removeAny(root, path);
  if (laid.delete(path)) countFolders(folders, path, -1);
  for (let folder = parentOf(path); folder !== "" && !folders.has(folder); folder = parentOf(folder)) {
    if (!removeEmptyFolder(root, folder)) break;
  }
}

async function writeFiles(state: State, writes: ReadonlyMap<BytePath, Entry>): Promise<void> {
  const { root, laid, folders, options } = state;
  const isFirst = state.clock === 0;
  // Whole seconds, each later than the last and than now: caches of compilers and interpreters compare seconds.
  state.clock = Math.max(state.clock + 1, Math.ceil(Date.now() / 1000));
  const made = new Set<BytePath>([""]);
  const entries = [...writes].sort(([a], [b]) => (a < b ? -1 : 1));
  for (let start = 0; start < entries.length; start += windowSize) {
    const window = entries.slice(start, start + windowSize);
    const contents = await Promise.all(window.map(([, entry]) => options.store.objects.read(entry.id)));
    for (const [index, [path, entry]] of window.entries()) {
      ensureFolder(root, parentOf(path), made);
      const mtimeMs = (isFirst ? options.timeOf(path, entry) : undefined) ?? state.clock * 1000;
      const content = contents[index] ?? Buffer.alloc(0);
      const signature = writeEntry(root, path, { mode: entry.mode, content, mtimeMs });
      if (!laid.has(path)) countFolders(folders, path, 1);
      laid.set(path, { entry, signature });
      state.ignoredJunk.delete(path);
    }
  }
}

async function removeJunk(state: State, unknown: ReadonlySet<BytePath>): Promise<void> {
  const rest: BytePath[] = [];
  for (const path of unknown) {
    if (state.laid.has(path) || state.folders.has(path)) continue; // a file of the new tree took its place
    // Rules that a command wrote must not protect its other files, nor must a repository that it made.
    if (nameOf(path) === ".gitignore" || nameOf(path) === ".git") remove(state, path);
    else rest.push(path);
  }
  if (rest.length === 0) return;
  const ignored = await state.options.findIgnored(rest);
  for (const path of rest) {
    if (ignored.has(path)) state.ignoredJunk.add(path);
    else remove(state, path);
  }
}

function countFolders(folders: Map<BytePath, number>, path: BytePath, change: 1 | -1): void {
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) {
    const count = (folders.get(folder) ?? 0) + change;
    if (count === 0) folders.delete(folder);
    else folders.set(folder, count);
  }
}
