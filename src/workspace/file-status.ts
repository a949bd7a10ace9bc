import { lstatSync, type Stats } from "node:fs";
import { isSystemError } from "../base/errors.ts";

/** The status of what has this name, links not followed; undefined when nothing has. */
export function statNow(path: string | Buffer): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isSystemError(error, "ENOTDIR")) return undefined; // a file stands where a folder was
    throw error;
  }
}
