/** Reads the user's own files. These may change, vanish or be replaced while Millwright reads them. */
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
} from "node:fs";
import { isSystemError, MillwrightError } from "../base/errors.ts";
import { type BytePath, hostPath, parentOf, showPath } from "./byte-path.ts";
import { statNow } from "./file-status.ts";

const isNoFile = "is not a regular file (socket, pipe or device), so it was left out";

export interface ReadFile {
  readonly mode: string;
  readonly content: Buffer;
  readonly mtimeMs: number;
}

/**
 * Reads a file or a link. Undefined if the path no longer exists, or is a folder. Returns a text with the reason if the
 * copy must omit the file. Throws MillwrightError("repository") if the disk fails.
 */
export function readFileOnce(path: string | Buffer, shown: string): ReadFile | undefined | string {
  try {
    const status = statNow(path);
    if (status === undefined || status.isDirectory()) return undefined;
    const { mtimeMs } = status;
    if (status.isSymbolicLink()) {
      return { mode: "120000", content: readlinkSync(path, { encoding: "buffer" }), mtimeMs };
    }
    if (!status.isFile()) return `${shown} ${isNoFile}`;
    const mode = (status.mode & 0o100) === 0 ? "100644" : "100755";
    return { mode, content: readContent(path), mtimeMs };
  } catch (error) {
    if (isSystemError(error, "ENOENT") || isSystemError(error, "ENOTDIR")) return undefined;
    if (isSystemError(error, "EACCES") || isSystemError(error, "EPERM"))
      return `${shown} cannot be read: left out`;
    if (!isSystemError(error)) throw error;
    throw new MillwrightError("repository", `${shown} cannot be read: ${error.message}`, {
      hint: "Check the disk that holds the repository.",
      cause: error,
    });
  }
}

function readContent(path: string | Buffer): Buffer {
  // Neither followed nor waited for, in case it became a link or a pipe meanwhile.
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const content = Buffer.allocUnsafe(fstatSync(file).size);
    let length = 0;
    while (length < content.length) {
      const count = readSync(file, content, length, Math.min(content.length - length, 2 ** 30), null);
      if (count === 0) break;
      length += count;
    }
    return content.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

export interface FolderCheck {
  /** True if the folder and all its parents are folders and not links. */
  isReal(folder: BytePath): boolean;
}

export function createFolderCheck(repository: string): FolderCheck {
  const known = new Map<BytePath, boolean>([["", true]]);
  const isReal = (folder: BytePath): boolean => {
    const answer = known.get(folder);
    if (answer !== undefined) return answer;
    const isFolder =
      isReal(parentOf(folder)) && (statNow(hostPath(repository, folder))?.isDirectory() ?? false);
    known.set(folder, isFolder);
    return isFolder;
  };
  return { isReal };
}

export interface OddityRequest {
  readonly repository: string;
  readonly files: readonly BytePath[];
  readonly ignored: readonly BytePath[];
}

/** Finds entries that git does not list: empty folders, which tests may need, and special files such as sockets. */
export function findOddities(request: OddityRequest): { emptyFolders: BytePath[]; notices: string[] } {
  const ignored = new Set(request.ignored.map((path) => path.replace(/\/$/, "")));
  const listed = new Set(request.files);
  const notices: string[] = [];
  const emptyFolders: BytePath[] = [];
  const visit = (folder: BytePath): void => {
    const entries = listFolder(hostPath(request.repository, folder));
    if (entries === undefined) notices.push(`${showPath(folder)} cannot be read: left out`);
    if (entries?.length === 0 && folder !== "") emptyFolders.push(folder);
    for (const entry of entries ?? []) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.name === ".git" || ignored.has(path)) continue;
      if (entry.isDirectory()) visit(path);
      else if (!entry.isFile() && !entry.isSymbolicLink() && !listed.has(path))
        notices.push(describeSpecial(path));
    }
  };
  visit("");
  return { emptyFolders, notices };
}

function listFolder(path: string | Buffer): Dirent[] | undefined {
  try {
    return readdirSync(path, { withFileTypes: true, encoding: "latin1" });
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

function describeSpecial(path: BytePath): string {
  return `${showPath(path)} ${isNoFile}`;
}
