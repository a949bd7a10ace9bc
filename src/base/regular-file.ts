import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { MillwrightError } from "./errors.ts";

/** Bytes of a file that is read whole. */
const largestFile = 64 * 1024 * 1024;

/**
 * The bytes of a file of a repository. A pipe would be waited for without end, and a device has no end: throws
 * MillwrightError("repository") for them and for a file above the limit, and the system's error where it cannot be opened.
 */
export function readRegularFile(path: string, limit = largestFile): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const status = fstatSync(file);
    if (status.isDirectory()) return readFileSync(file); // the system's own error
    if (!status.isFile()) throw refuseFile(path, "is a pipe or a device");
    if (status.size > limit) throw refuseFile(path, `has ${status.size} bytes`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** The error for a file that is there and cannot be read as one. */
export function refuseFile(path: string, why: string): MillwrightError {
  return new MillwrightError("repository", `${path} ${why} and is not read.`, {
    hint: "Remove it, or put the file there that belongs there.",
  });
}
