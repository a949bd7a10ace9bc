/**
 * Makes the files of one working folder equal to a tree, although untrusted code writes into the same folder. No
 * command may run meanwhile. Writes and removes nothing through a link. Before it uses a path, it checks that every
 * parent folder is real. Never writes a file in place: always unlinks it and creates it anew.
 */
import { type BytePath, foldersOf, nameOf, parentOf, showPath } from "./byte-path.ts";
import { ensureFolder, makeReadable, removeAny, removeEmptyFolder, writeEntry } from "./file-writing.ts";
import { type TakenTree, takeFiles } from "./take-files.ts";
import { type Entry, sameEntry } from "./trees.ts";
import {
  countFolders,
  createWorkingState,
  type LaidFile,
  scan,
  type WorkingFilesOptions,
  type WorkingState,
} from "./working-state.ts";

/** The state of the files that Millwright laid in a folder. With it, another process can continue to use the folder. */
export interface SavedFiles {
  readonly clock: number;
  readonly laid: ReadonlyMap<BytePath, LaidFile>;
}

export interface WorkingFiles {
  /** Returns the files' state; undefined if no tree is laid. */
  save(): SavedFiles | undefined;
  lay(tree: string): Promise<void>;
  /** Returns the folder's current content as a tree; see take-files.ts. */
  take(): Promise<TakenTree>;
  /** Returns the laid files that are changed, replaced or gone. */
  damaged(): readonly string[];
}

/** Maximum number of objects to request at once. */
const windowSize = 256;

export function createWorkingFiles(options: WorkingFilesOptions, saved?: SavedFiles): WorkingFiles {
  const state = createWorkingState(options);
  if (saved !== undefined) goOn(state, saved);
  return {
    lay: (tree) => layTree(state, tree),
    take: () => takeFiles(state),
    damaged() {
      makeReadable(state.root);
      return [...scan(state).damaged].map(showPath);
    },
    save: () => (state.current === undefined ? undefined : { clock: state.clock, laid: new Map(state.laid) }),
  };
}

/** Continues from a saved state. The next lay compares its tree with the laid files, not with the laid tree: a store that was recreated since may lack that tree. */
function goOn(state: WorkingState, { clock, laid }: SavedFiles): void {
  state.clock = clock;
  for (const [path, file] of laid) {
    state.laid.set(path, file);
    countFolders(state.folders, path, 1);
  }
}

async function layTree(state: WorkingState, tree: string): Promise<void> {
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

interface Plan {
  readonly writes: Map<BytePath, Entry>;
  readonly removals: BytePath[];
}

async function planLay(state: WorkingState, tree: string, damaged: ReadonlySet<BytePath>): Promise<Plan> {
  const { writes, removals } = await compareWithDisk(state, tree, damaged);
  // A tree with a file at an ignored path cannot take that path from the commands.
  const isKept = (path: BytePath): boolean =>
    state.kept.has(path) || [...foldersOf([path])].some((folder) => state.kept.has(folder));
  for (const path of writes.keys()) if (isKept(path)) writes.delete(path);
  return { writes, removals: removals.filter((path) => !isKept(path)) };
}

async function compareWithDisk(
  { options, laid, current }: WorkingState,
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

function remove({ root, laid, folders }: WorkingState, path: BytePath): void {
  removeAny(root, path);
  if (laid.delete(path)) countFolders(folders, path, -1);
  for (let folder = parentOf(path); folder !== "" && !folders.has(folder); folder = parentOf(folder)) {
    if (!removeEmptyFolder(root, folder)) break;
  }
}

async function writeFiles(state: WorkingState, writes: ReadonlyMap<BytePath, Entry>): Promise<void> {
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
      const stored = contents[index] ?? Buffer.alloc(0);
      const content = options.toDisk?.(stored) ?? stored;
      const signature = writeEntry(root, path, { mode: entry.mode, content, mtimeMs });
      if (!laid.has(path)) countFolders(folders, path, 1);
      laid.set(path, { entry, signature });
      state.ignoredJunk.delete(path);
    }
  }
}

async function removeJunk(state: WorkingState, unknown: ReadonlySet<BytePath>): Promise<void> {
  const rest: BytePath[] = [];
  for (const path of unknown) {
    if (state.laid.has(path) || state.folders.has(path)) continue; // a file of the new tree has replaced it
    // Rules or a repository that a command wrote must not protect its other files.
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
