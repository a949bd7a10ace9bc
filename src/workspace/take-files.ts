/**
 * Reads a working folder as a tree, after commands have run in it. Finds new, changed, deleted and executable files,
 * and links. Leaves out files that git ignores. Because commands are not trusted, the reader follows no link, waits for
 * no pipe, and limits every read. No command may run meanwhile.
 */
import { isSystemError, MillwrightError } from "../base/errors.ts";
import { type BytePath, hostPath, nameOf, parentOf, showPath } from "./byte-path.ts";
import { statNow } from "./file-status.ts";
import { makeReadable, readSignature, removeAny } from "./file-writing.ts";
import { isForbiddenName } from "./forbidden-names.ts";
import type { Entry } from "./trees.ts";
import { createFolderCheck, readFileOnce } from "./user-files.ts";
import { countFolders, listFolder, scan, type WorkingState } from "./working-state.ts";

export interface TakenTree {
  readonly tree: string;
  /** The omitted paths and the reasons, for people. */
  readonly leftOut: readonly string[];
}

/** Maximum bytes of a file, bytes of all new or changed files, number of these files, and depth of folders. */
const most = { fileBytes: 32 * 1024 ** 2, bytes: 256 * 1024 ** 2, files: 20_000, depth: 64 };
/** Maximum number of notices. Nobody reads more lines. */
const mostNotices = 20;

/**
 * Makes a tree from the files of a folder. The new tree then counts as the folder's laid tree, so that Millwright does
 * not write these files again.
 */
export async function takeFiles(state: WorkingState): Promise<TakenTree> {
  const { current, root, options } = state;
  if (current === undefined) throw new MillwrightError("internal", "The folder contains no tree");
  makeReadable(root);
  const notices: string[] = [];
  // The rules may have changed since they were last asked.
  const { damaged, unknown } = scan({ ...state, ignoredJunk: new Set() });
  removeOddRules(state, damaged, notices);
  const added = await findAdded(state, unknown, notices);
  const taken = readAll(state, [...damaged, ...added].sort(), notices);
  const tree = await options.store.trees.edit(current, taken);
  adopt(state, taken, tree);
  const more = notices.length - mostNotices;
  return { tree, leftOut: more > 0 ? [...notices.slice(0, mostNotices), `… and ${more} more`] : notices };
}

/**
 * Removes files of ignore rules that are not regular files, or are too large. Git reads rules during the query: it
 * would block on a pipe, and follow a link.
 */
function removeOddRules({ root }: WorkingState, paths: Iterable<BytePath>, notices: string[]): void {
  const folders = createFolderCheck(root);
  for (const path of paths) {
    if (nameOf(path) !== ".gitignore" || !folders.isReal(parentOf(path))) continue;
    const status = statNow(hostPath(root, path));
    if (status === undefined || (status.isFile() && status.size <= most.fileBytes)) continue;
    removeAny(root, path);
    notices.push(`${showPath(path)} is not a regular file, or is too large: left out`);
  }
}

/** Finds new files and links. Searches level by level, so that it does not search folders that git ignores. */
async function findAdded(
  state: WorkingState,
  unknown: readonly BytePath[],
  notices: string[],
): Promise<BytePath[]> {
  const { root, kept, options } = state;
  const found: BytePath[] = [];
  let level: readonly BytePath[] = unknown;
  for (let depth = 0; level.length > 0; depth += 1) {
    const allowed = level.filter((path) => !kept.has(path) && isAllowed(path, notices));
    removeOddRules(state, allowed, notices);
    const ignored = allowed.length === 0 ? new Set() : await options.findIgnored(allowed);
    const below: BytePath[] = [];
    for (const path of allowed.filter((each) => !ignored.has(each))) {
      if (statNow(hostPath(root, path))?.isDirectory() !== true) found.push(path);
      else if (depth >= most.depth) notices.push(`${showPath(path)} is nested too deeply: left out`);
      else below.push(...listNew(root, path, notices));
    }
    level = below;
  }
  return found;
}

function isAllowed(path: BytePath, notices: string[]): boolean {
  if (!isForbiddenName(nameOf(path))) return true;
  notices.push(`${showPath(path)} belongs to git: left out`);
  return false;
}

function listNew(root: string, folder: BytePath, notices: string[]): BytePath[] {
  try {
    return listFolder(hostPath(root, folder)).map(({ name }) => `${folder}/${name}`);
  } catch (error) {
    if (!(error instanceof MillwrightError) && !isSystemError(error)) throw error;
    notices.push(`${showPath(folder)} cannot be read: left out`);
    return [];
  }
}

type Taken = ReadonlyMap<BytePath, Entry | null>;

function readAll(state: WorkingState, paths: readonly BytePath[], notices: string[]): Taken {
  const { root, laid, options } = state;
  const folders = createFolderCheck(root);
  const taken = new Map<BytePath, Entry | null>();
  const left = { bytes: most.bytes, files: most.files };
  for (const path of paths) {
    const isFile = folders.isReal(parentOf(path));
    const refused = isFile ? refuse(root, path, left) : undefined;
    const file = refused ?? (isFile ? readFileOnce(hostPath(root, path), showPath(path)) : undefined);
    if (typeof file === "string") {
      notices.push(file);
      continue;
    }
    if (file === undefined) {
      if (laid.has(path)) taken.set(path, null);
      continue;
    }
    left.bytes -= file.content.length;
    left.files -= 1;
    const content = options.fromDisk?.(file.content) ?? file.content;
    taken.set(path, { mode: file.mode, id: options.store.objects.write("blob", content) });
  }
  return taken;
}

function refuse(
  root: string,
  path: BytePath,
  left: { readonly bytes: number; readonly files: number },
): string | undefined {
  const status = statNow(hostPath(root, path));
  if (status === undefined || !status.isFile()) return undefined;
  if (status.size > most.fileBytes)
    return `${showPath(path)} has ${status.size} bytes, and the limit is ${most.fileBytes}: left out`;
  const isTooMuch = status.size > left.bytes || left.files <= 0;
  return isTooMuch
    ? `${showPath(path)} exceeds the limit on the number or the total size of files: left out`
    : undefined;
}

function adopt(state: WorkingState, taken: Taken, tree: string): void {
  const { root, laid, folders } = state;
  for (const [path, entry] of taken) {
    const isLaid = laid.has(path);
    const signature = entry === null ? undefined : readSignature(hostPath(root, path));
    if (entry === null || signature === undefined) {
      if (laid.delete(path)) countFolders(folders, path, -1);
      continue;
    }
    if (!isLaid) countFolders(folders, path, 1);
    laid.set(path, { entry, signature });
    state.ignoredJunk.delete(path);
  }
  state.current = tree;
}
