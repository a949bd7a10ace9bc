/**
 * Writes single files and folders of a working folder. Uses only calls that follow no link. Paths are relative to
 * `root`.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  futimesSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { isSystemError } from "../base/errors.ts";
import { type BytePath, hostPath, parentOf } from "./byte-path.ts";
import { statNow } from "./file-status.ts";

/**
 * The status fields by which Millwright recognises that a file has changed. Programs cannot set `ctime`, so they cannot
 * hide a change.
 */
export type Signature = Pick<Stats, "ino" | "size" | "mode" | "mtimeMs" | "ctimeMs" | "nlink">;

export function readSignature(path: string | Buffer): Signature | undefined {
  return statNow(path);
}

export function sameSignature(a: Signature | undefined, b: Signature): boolean {
  return (
    a !== undefined &&
    a.ctimeMs === b.ctimeMs &&
    a.mtimeMs === b.mtimeMs &&
    a.size === b.size &&
    a.ino === b.ino &&
    a.mode === b.mode &&
    a.nlink === b.nlink
  );
}

export interface FileContent {
  readonly mode: string;
  readonly content: Buffer;
  readonly mtimeMs: number;
}

/**
 * Writes a file, after it has removed anything that was at the path. The parent folders must be real folders, not
 * links. Returns the new file's signature.
 */
export function writeEntry(root: string, path: BytePath, file: FileContent): Signature {
  const name = hostPath(root, path);
  const seconds = file.mtimeMs / 1000;
  if (statNow(name) !== undefined) removeAny(root, path);
  if (file.mode === "120000") {
    symlinkSync(file.content, name);
    lutimesSync(name, seconds, seconds);
    return lstatSync(name);
  }
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = openSync(name, flags, 0o666);
  try {
    writeFileSync(handle, file.content);
    if (file.mode === "100755") {
      // As the umask sets it: whoever may read may execute.
      const { mode } = fstatSync(handle);
      fchmodSync(handle, (mode | ((mode & 0o444) >> 2)) & 0o777);
    }
    futimesSync(handle, seconds, seconds);
    return fstatSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Creates the folder and its parents. Removes files and links that are in their place. `made`: a cache of folders that
 * are known to be real.
 */
export function ensureFolder(root: string, folder: BytePath, made: Set<BytePath>): void {
  if (made.has(folder)) return;
  ensureFolder(root, parentOf(folder), made);
  const name = hostPath(root, folder);
  const status = statNow(name);
  if (status !== undefined && !status.isDirectory()) unlinkSync(name);
  if (status === undefined || !status.isDirectory()) mkdirSync(name);
  else if ((status.mode & 0o700) !== 0o700) chmodSync(name, 0o755);
  made.add(folder);
}

/**
 * Removes a file, a link, or a folder with its contents. Does nothing if the path does not exist. The parent folders
 * must be real folders, not links.
 */
export function removeAny(root: string, path: BytePath): void {
  const name = hostPath(root, path);
  const status = statNow(name);
  if (status === undefined) return;
  try {
    removeTree(name, status.isDirectory());
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (isSystemError(error, "EACCES") && makeReadable(hostPath(root, parentOf(path)))) removeAny(root, path);
    else removeByShell(root, path, error);
  }
}

function removeTree(name: string | Buffer, isFolder: boolean): void {
  if (!isFolder) {
    unlinkSync(name);
    return;
  }
  chmodSync(name, 0o700);
  for (const entry of readdirSync(name, { withFileTypes: true, encoding: "latin1" })) {
    removeTree(hostPathIn(name, entry.name), entry.isDirectory());
  }
  rmdirSync(name);
}

function hostPathIn(folder: string | Buffer, name: string): string | Buffer {
  if (typeof folder === "string") return hostPath(folder, name);
  return Buffer.concat([folder, Buffer.from(`/${name}`, "latin1")]);
}

/** Removes folders that are nested deeper than the longest allowed path: `rm` descends step by step. */
function removeByShell(root: string, path: BytePath, cause: Error): void {
  const { status } = spawnSync("xargs", ["-0", "rm", "-rf", "--"], {
    cwd: root,
    input: Buffer.from(`./${path}\0`, "latin1"),
  });
  if (status !== 0) throw cause;
}

/**
 * Removes an empty folder. Returns false if it could not, for example because the folder does not exist or is not
 * empty.
 */
export function removeEmptyFolder(root: string, folder: BytePath): boolean {
  try {
    rmdirSync(hostPath(root, folder));
    return true;
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

/**
 * Restores Millwright's access to a folder if a command has removed it. Returns false if Millwright already had access,
 * or there is no such folder.
 */
export function makeReadable(folder: string | Buffer): boolean {
  const status = statNow(folder);
  if (status === undefined || !status.isDirectory() || (status.mode & 0o700) === 0o700) return false;
  chmodSync(folder, status.mode | 0o700);
  return true;
}
