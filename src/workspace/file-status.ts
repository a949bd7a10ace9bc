import { lstatSync, type Stats } from "node:fs";
import { isSystemError } from "../base/errors.ts";

/** Returns the status of a path, without following links; undefined if the path does not exist. */
export function statNow(path: string | Buffer): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isSystemError(error, "ENOTDIR")) return undefined; // a file has replaced a folder
    throw error;
  }
}
