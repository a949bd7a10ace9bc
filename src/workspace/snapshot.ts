/** Copies the user's files into the private store, as one tree. */

import { once } from "node:events";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
} from "node:fs";
import type { Writable } from "node:stream";
import { isSystemError, MillwrightError } from "../base/errors.ts";
import { type BytePath, hostPath, parentOf, quotePath, showPath } from "./byte-path.ts";
import { gitFailure, gitIsMissing, runGit, startGit } from "./git.ts";

export interface Snapshot {
  readonly tree: string;
  /** Modification time of each file in milliseconds: what was built from it stays valid in the copy. */
  readonly times: ReadonlyMap<BytePath, number>;
  /** Folders without any file, which git's trees cannot hold. */
  readonly emptyFolders: readonly BytePath[];
  /** What could not be taken over and why, for people. */
  readonly notices: readonly string[];
}

export interface SnapshotRequest {
  readonly repository: string;
  readonly files: readonly BytePath[];
  readonly ignored: readonly BytePath[];
  readonly gitDirectory: string;
  readonly signal?: AbortSignal | undefined;
}

const snapshotRef = "refs/heads/base";

/**
 * Every file is read once and stored in one pack: nothing is borrowed from the user's objects, so a run can be resumed after
 * their `git gc`, and git never "freshens" (touches) an object of theirs that it would have written again. Their index is
 * not trusted for content either: where a conversion applies (line endings, LFS) its blobs are not the bytes on disk.
 */
export async function takeSnapshot(request: SnapshotRequest): Promise<Snapshot> {
  const { gitDirectory, repository, signal } = request;
  const writer = startImport(gitDirectory);
  const times = new Map<BytePath, number>();
  const notices: string[] = [];
  const folders = createFolderCheck(repository);
  await writer.write(`commit ${snapshotRef}\ncommitter millwright <> 0 +0000\ndata 0\n`);
  for (const path of request.files) {
    if (signal?.aborted) writer.stop();
    signal?.throwIfAborted();
    if (!folders.isReal(parentOf(path))) continue; // a link stands where the folder was: the file is gone
    const file = readFileOnce(hostPath(repository, path), showPath(path));
    if (file === undefined) continue;
    if (typeof file === "string") {
      notices.push(file);
      continue;
    }
    times.set(path, file.mtimeMs);
    await writer.write(`M ${file.mode} inline ${quotePath(path)}\ndata ${file.content.length}\n`);
    await writer.write(file.content);
    await writer.write("\n");
  }
  await writer.finish();
  const revision = [`${snapshotRef}^{tree}`];
  const { stdout } = await runGit({ gitDirectory, arguments: ["rev-parse", "--verify", ...revision] });
  const odd = findOddities(request, folders);
  notices.push(
    ...odd.special.map((path) => `${showPath(path)} is no file (socket, pipe or device): left out`),
  );
  return { tree: stdout.toString("latin1").trim(), times, emptyFolders: odd.emptyFolders, notices };
}

export interface ReadFile {
  readonly mode: string;
  readonly content: Buffer;
  readonly mtimeMs: number;
}

/** The file, undefined when it is gone, or why it is left out. */
export function readFileOnce(path: string | Buffer, shown: string): ReadFile | undefined | string {
  try {
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status === undefined || status.isDirectory()) return undefined;
    const { mtimeMs } = status;
    if (status.isSymbolicLink()) {
      return { mode: "120000", content: readlinkSync(path, { encoding: "buffer" }), mtimeMs };
    }
    if (!status.isFile()) return `${shown} is no file (socket, pipe or device): left out`;
    const mode = (status.mode & 0o100) === 0 ? "100644" : "100755";
    return { mode, content: readContent(path), mtimeMs };
  } catch (error) {
    if (isSystemError(error, "ENOENT") || isSystemError(error, "ENOTDIR")) return undefined;
    if (isSystemError(error, "EACCES") || isSystemError(error, "EPERM"))
      return `${shown} cannot be read: left out`;
    if (!isSystemError(error)) throw error;
    throw new MillwrightError("repository", `${shown} cannot be read: ${error.message}`, {
      hint: "See that the disk with the repository is in order.",
      cause: error,
    });
  }
}

function readContent(path: string | Buffer): Buffer {
  // Not followed and not waited for, should it have become a link or a pipe meanwhile.
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const content = Buffer.allocUnsafe(fstatSync(file).size);
    let length = 0;
    while (length < content.length) {
      const count = readSync(file, content, length, content.length - length, null);
      if (count === 0) break;
      length += count;
    }
    return content.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

interface ImportWriter {
  write(data: string | Buffer): Promise<void>;
  finish(): Promise<void>;
  stop(): void;
}

/** `git fast-import`: blobs, trees and one pack from one stream. */
function startImport(gitDirectory: string): ImportWriter {
  const request = { gitDirectory, arguments: ["fast-import", "--quiet", "--force", "--done", "--depth=0"] };
  const child = startGit(request);
  let stderr = "";
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(-4096);
  });
  child.stdout.resume();
  child.stdin.on("error", () => {}); // its end tells why
  const ended = new Promise<void>((resolve, reject) => {
    child.on("error", (error) => reject(gitIsMissing(error)));
    child.on("close", (code) => (code === 0 ? resolve() : reject(gitFailure(request, stderr))));
  });
  ended.catch(() => {}); // awaited below, or given up
  const flush = async (): Promise<void> => {
    const data = Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
    if (!child.stdin.write(data)) await Promise.race([onceDrained(child.stdin), ended]);
  };
  return {
    async write(data) {
      const bytes = typeof data === "string" ? Buffer.from(data, "latin1") : data;
      pending.push(bytes);
      pendingBytes += bytes.length;
      if (pendingBytes > 1024 * 1024) await flush();
    },
    async finish() {
      pending.push(Buffer.from("\ndone\n"));
      await flush();
      child.stdin.end();
      await ended;
    },
    stop: () => child.kill("SIGKILL"),
  };
}

async function onceDrained(stream: Writable): Promise<void> {
  await once(stream, "drain");
}

interface FolderCheck {
  /** True when the folder and all above it are folders and no links. */
  isReal(folder: BytePath): boolean;
  readonly real: ReadonlySet<BytePath>;
}

function createFolderCheck(repository: string): FolderCheck {
  const known = new Map<BytePath, boolean>([["", true]]);
  const real = new Set<BytePath>([""]);
  const isReal = (folder: BytePath): boolean => {
    const answer = known.get(folder);
    if (answer !== undefined) return answer;
    const isFolder =
      isReal(parentOf(folder)) &&
      (lstatSync(hostPath(repository, folder), { throwIfNoEntry: false })?.isDirectory() ?? false);
    known.set(folder, isFolder);
    if (isFolder) real.add(folder);
    return isFolder;
  };
  return { isReal, real };
}

/** Looks into the folders that have files: for what git does not list there. */
function findOddities(request: SnapshotRequest, folders: FolderCheck) {
  const ignored = new Set(request.ignored.map((path) => path.replace(/\/$/, "")));
  const special: BytePath[] = [];
  const emptyFolders: BytePath[] = [];
  const listed = new Set(request.files);
  const visit = (folder: BytePath): void => {
    const entries = readdirSync(hostPath(request.repository, folder), {
      withFileTypes: true,
      encoding: "latin1",
    });
    if (entries.length === 0 && folder !== "") emptyFolders.push(folder);
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.name === ".git" || ignored.has(path)) continue;
      if (entry.isDirectory()) visit(path);
      else if (!entry.isFile() && !entry.isSymbolicLink() && !listed.has(path)) special.push(path);
    }
  };
  for (const folder of folders.real) if (folder === "") visit(folder);
  return { special, emptyFolders };
}
