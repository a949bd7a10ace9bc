import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { isSystemError, MillwrightError } from "./errors.ts";

/** Default limit in bytes for a file that is read whole. */
export const largestFile = 64 * 1024 * 1024;

/**
 * Limit in bytes for a file that the user names, or that Millwright itself wrote. It is about the longest string that
 * Node allows.
 */
export const largestText = 500 * 1024 * 1024;

/** Paths that a shell opens for the program: `<(command)`, /dev/stdin. Reading such a path comes to an end. */
const openHandle = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/(?:self|\d+)\/fd\/\d+)$/;

/** True for a path that can be read only once. */
export function isReadOnce(path: string): boolean {
  return openHandle.test(path);
}

/**
 * Reads the bytes of a repository's file. Throws MillwrightError("repository") for a pipe or device, because reading it
 * may never end. Throws the same for a file with more than `limit` bytes. Throws the system's error if the file cannot
 * be opened.
 */
export function readRegularFile(path: string | Buffer, limit = largestFile): Buffer {
  const read = readWithin(path, limit);
  if (typeof read === "string") throw refuseFile(path.toString(), read);
  return read;
}

/**
 * Reads the bytes of a file that the user names. Accepts `/dev/stdin` and `<(command)`. Throws MillwrightError("usage")
 * for other pipes and devices and for files above `largestText`. Throws the system's error for unreadable files.
 * `describeReadError` describes both errors.
 */
export function readGivenFile(path: string): Buffer {
  if (openHandle.test(path)) return readFileSync(path);
  const read = readWithin(path, largestText);
  if (typeof read === "string") throw new MillwrightError("usage", `it ${read}`);
  return read;
}

/**
 * Reads the text of a file that may be missing. Undefined also for an unreadable file, a folder, a pipe, a device and a
 * file above `limit`.
 */
export function readTextIfRegular(path: string, limit = largestFile): string | undefined {
  try {
    const read = readWithin(path, limit);
    return typeof read === "string" ? undefined : read.toString("utf8");
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/** Reads the bytes, or returns the reason why they cannot be read. */
function readWithin(path: string | Buffer, limit: number): Buffer | string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const status = fstatSync(file);
    if (status.isDirectory()) return readFileSync(file); // the system's own error
    if (!status.isFile()) return "is a pipe or a device";
    if (status.size > limit) return `has ${status.size} bytes`;
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Makes the error for an existing file that Millwright does not read. `why` follows the path: "is a pipe or a device".
 */
export function refuseFile(path: string, why: string): MillwrightError {
  return new MillwrightError("repository", `${path} ${why}, so Millwright does not read it.`, {
    hint: "Remove it, or replace it with a regular file of usual size.",
  });
}
