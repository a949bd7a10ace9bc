/**
 * Downloads a file of known size and hash. Gives the file its name once it is complete, so a crash leaves no partial
 * file under this name.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { asDiskError, isSystemError, MillwrightError } from "../../base/errors.ts";
import { processStartTime } from "../../base/process-identity.ts";
import { formatSize } from "../../base/units.ts";
import { type HubAccess, isTemporary, refusal, requestHub, unreachable } from "./hub-client.ts";

/** The hash of a file's content. `git-blob`: git's object id of the content (SHA-1). */
export interface FileHash {
  readonly kind: "sha256" | "git-blob";
  readonly hex: string;
}

export interface RemoteFile {
  readonly url: string;
  /** The file's size in bytes. */
  readonly size: number;
  readonly hash: FileHash;
}

/** Maximum number of successive requests that return no data. */
const mostFailures = 5;

/**
 * Downloads a file, unless `path` already has this size and hash. Throws MillwrightError if the hub or the disk fails,
 * or if the content has another hash.
 */
export async function downloadFile(path: string, file: RemoteFile, access: HubAccess): Promise<void> {
  if (await hasHash(path, file)) return;
  try {
    await mkdir(dirname(path), { recursive: true });
    const part = await claimPart(path);
    await checkSpace(part, file);
    for (const isSecond of [false, true]) {
      const resumed = (await sizeOf(part)) > 0;
      await fetchRest(part, file, access);
      if (await hasHash(part, file)) {
        await rename(part, path);
        return await syncFolder(dirname(path));
      }
      await rm(part, { force: true });
      if (isSecond || !resumed) break;
    }
  } catch (error) {
    throw asDiskError(error);
  }
  throw new MillwrightError(
    "repository",
    `The download of ${file.url} differs from the hub's list of files, so Millwright deleted it`,
    {
      hint: "The file changed on the hub or in transit. Run the command again.",
    },
  );
}

/** True if a file exists with this size and hash. */
export async function hasHash(path: string, { size, hash }: RemoteFile): Promise<boolean> {
  if ((await sizeOf(path, -1)) !== size) return false;
  const digest = createHash(hash.kind === "sha256" ? "sha256" : "sha1");
  if (hash.kind === "git-blob") digest.update(`blob ${size}\0`);
  for await (const chunk of createReadStream(path)) digest.update(chunk);
  return digest.digest("hex") === hash.hex;
}

async function sizeOf(path: string, missing = 0): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return missing;
    throw error;
  }
}

/** Returns the path of this process's partial file. Takes over the partial file of a process that has ended. */
async function claimPart(path: string): Promise<string> {
  const own = `${path}.${process.pid}-${processStartTime(process.pid) ?? "0"}.part`;
  if ((await sizeOf(own, -1)) >= 0) return own;
  const prefix = `${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    const [, pid, start] =
      /^(\d+)-(\d+)\.part$/.exec(name.startsWith(prefix) ? name.slice(prefix.length) : "") ?? [];
    if (pid === undefined || processStartTime(Number(pid)) === start) continue;
    try {
      await rename(join(dirname(path), name), own);
      return own;
    } catch (error) {
      // Another process took it.
      if (!isSystemError(error, "ENOENT")) throw error;
    }
  }
  return own;
}

async function checkSpace(part: string, { url, size }: RemoteFile): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(part));
  const needed = size - (await sizeOf(part));
  if (bavail * bsize >= needed) return;
  const left = formatSize(bavail * bsize);
  throw new MillwrightError(
    "disk",
    `${url} needs ${formatSize(needed)}, and ${dirname(part)} has ${left} left`,
    {
      hint: "Free some space, or set XDG_CACHE_HOME to a folder with more space.",
    },
  );
}

/** Appends the missing bytes. Continues an interrupted response where it ended. */
async function fetchRest(part: string, file: RemoteFile, access: HubAccess): Promise<void> {
  const { pauseMs = 1000 } = access;
  const handle = await open(part, "a");
  try {
    for (let failures = 0; ; ) {
      const before = (await handle.stat()).size;
      if (before >= file.size) break;
      const problem = await appendAnswer(handle, before, file, access);
      const after = (await handle.stat()).size;
      if (after >= file.size) break;
      failures = after > before ? 1 : failures + 1;
      if (failures >= mostFailures) throw problem;
      await delay(pauseMs * 2 ** (failures - 1));
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Appends one response. Returns the error to throw if the file stays incomplete. Throws MillwrightError for a refusal,
 * and the system's error for the disk.
 */
async function appendAnswer(
  handle: FileHandle,
  from: number,
  { url, size }: RemoteFile,
  access: HubAccess,
): Promise<MillwrightError> {
  let writing: unknown;
  try {
    const answer = await requestHub(url, access, from > 0 ? { range: `bytes=${from}-` } : {});
    const continues = answer.headers.get("content-range")?.startsWith(`bytes ${from}-`) === true;
    if (answer.status === 416 || (answer.status === 206 && !continues)) {
      await answer.body?.cancel();
      await handle.truncate(0);
      return refusal(answer.status, url, access);
    }
    if (!answer.ok) {
      await answer.body?.cancel();
      const problem = refusal(answer.status, url, access);
      if (isTemporary(answer.status)) return problem;
      writing = problem;
      throw problem;
    }
    if (answer.status === 200 && from > 0) await handle.truncate(0);
    let written = answer.status === 200 ? 0 : from;
    for await (const chunk of answer.body ?? []) {
      try {
        await handle.write(chunk);
      } catch (error) {
        writing = error;
        throw error;
      }
      written += chunk.byteLength;
      if (written > size) break;
    }
    return unreachable(url, access, new Error(`the answer ended after ${written} of ${size} bytes`));
  } catch (error) {
    if (writing !== undefined) throw writing;
    return unreachable(url, access, error);
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
