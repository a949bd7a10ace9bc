import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { MillwrightError } from "./errors.ts";

/** Bytes of a file that is read whole. */
const largestFile = 64 * 1024 * 1024;

/** Bytes of a file that a user names, or of a record of ours: what still fits into one text of Node's. */
export const largestText = 500 * 1024 * 1024;

/** What a shell has opened for the program: `<(command)`, /dev/stdin. It comes to an end by itself. */
const openHandle = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/(?:self|\d+)\/fd\/\d+)$/;

/**
 * The bytes of a file of a repository. A pipe would be waited for without end, and a device has no end: throws
 * MillwrightError("repository") for them and for a file above the limit, and the system's error where it cannot be opened.
 */
export function readRegularFile(path: string, limit = largestFile): Buffer {
  const read = readWithin(path, limit);
  if (typeof read === "string") throw refuseFile(path, read);
  return read;
}

/** The bytes of a file that the user names. Throws as `describeReadError` takes it, also for a pipe of a name and for a device. */
export function readGivenFile(path: string): Buffer {
  if (openHandle.test(path)) return readFileSync(path);
  const read = readWithin(path, largestText);
  if (typeof read === "string") throw new MillwrightError("usage", `it ${read}`);
  return read;
}

/** The bytes, or why they are not read. */
function readWithin(path: string, limit: number): Buffer | string {
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

/** The error for a file that is there and cannot be read as one. */
export function refuseFile(path: string, why: string): MillwrightError {
  return new MillwrightError("repository", `${path} ${why} and is not read.`, {
    hint: "Remove it, or replace it by a regular file.",
  });
}
