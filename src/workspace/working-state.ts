/** The files that Millwright has laid in one working folder, and the other entries that it found there. */
import { type Dirent, readdirSync } from "node:fs";
import { MillwrightError } from "../base/errors.ts";
import { type BytePath, hostPath, parentOf } from "./byte-path.ts";
import { makeReadable, readSignature, type Signature, sameSignature } from "./file-writing.ts";
import type { PrivateStore } from "./tree-store.ts";
import type { Entry } from "./trees.ts";

export interface WorkingFilesOptions {
  readonly folder: string;
  readonly store: PrivateStore;
  /**
   * Files and folders (without a trailing slash) that belong to commands. Millwright never searches or removes them.
   */
  readonly kept: readonly BytePath[];
  readonly emptyFolders: readonly BytePath[];
  /** Converts the content of a tree's file for the disk, and back; absent: unchanged. */
  readonly toDisk?: (content: Buffer) => Buffer;
  readonly fromDisk?: (content: Buffer) => Buffer;
  /** Returns the modification time, in milliseconds, for a file of the first lay; undefined for the present time. */
  readonly timeOf: (path: BytePath, entry: Entry) => number | undefined;
  /** Returns the paths that git ignores. */
  readonly findIgnored: (paths: readonly BytePath[]) => Promise<ReadonlySet<BytePath>>;
}

export interface LaidFile {
  readonly entry: Entry;
  readonly signature: Signature;
}

export interface WorkingState {
  readonly options: WorkingFilesOptions;
  readonly root: string;
  readonly kept: ReadonlySet<BytePath>;
  readonly laid: Map<BytePath, LaidFile>;
  /** The number of laid files and kept paths in each folder, at any depth. */
  readonly folders: Map<BytePath, number>;
  /** Ignored files that commands added. Millwright searches them again only if the ignore rules change. */
  readonly ignoredJunk: Set<BytePath>;
  /** The modification time of the file that Millwright wrote last, in seconds. */
  clock: number;
  /** The tree of `laid`; undefined before the first lay, and after one that failed half-way. */
  current: string | undefined;
}

export function createWorkingState(options: WorkingFilesOptions): WorkingState {
  const folders = new Map<BytePath, number>();
  for (const path of options.kept) countFolders(folders, path, 1);
  for (const path of options.emptyFolders) countFolders(folders, `${path}/.`, 1);
  return {
    options,
    root: options.folder,
    kept: new Set(options.kept),
    laid: new Map(),
    folders,
    ignoredJunk: new Set(),
    clock: 0,
    current: undefined,
  };
}

export interface Scan {
  /** Laid files that are gone or changed. */
  readonly damaged: Set<BytePath>;
  /** Other entries; a folder stands for all its contents. */
  readonly unknown: BytePath[];
}

export function scan({
  root,
  kept,
  laid,
  folders,
  ignoredJunk,
}: Pick<WorkingState, "root" | "kept" | "laid" | "folders" | "ignoredJunk">): Scan {
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

/**
 * Lists a folder's entries. Tries to make an unreadable folder readable. Throws MillwrightError("disk") if the folder
 * still cannot be read.
 */
export function listFolder(path: string | Buffer): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true, encoding: "latin1" });
  } catch (cause) {
    if (makeReadable(path)) return readdirSync(path, { withFileTypes: true, encoding: "latin1" });
    throw new MillwrightError("disk", `The folder ${path.toString()} of the working copy cannot be read.`, {
      cause,
    });
  }
}

export function countFolders(folders: Map<BytePath, number>, path: BytePath, change: 1 | -1): void {
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) {
    const count = (folders.get(folder) ?? 0) + change;
    if (count === 0) folders.delete(folder);
    else folders.set(folder, count);
  }
}
