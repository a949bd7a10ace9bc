/** Finds a repository's folder from the user's path, and reads the folder's current files. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import { readRegularFile } from "../base/regular-file.ts";

/** Returns the real path of a repository's folder. Throws MillwrightError("usage") if the path is not a folder. */
export function findRepository(folder: string): string {
  const path = resolve(folder);
  if (!existsSync(path) || !statSync(path).isDirectory()) {
    throw new MillwrightError("usage", `${path} is not a folder`, {
      hint: "Give the path of the repository's folder.",
    });
  }
  return realpathSync(path);
}

/**
 * Returns a function that reads a file's current text by its path in the repository. The function returns undefined if
 * the path is outside the repository, or is not a regular file.
 */
export function readerOf(repository: string): (path: string) => Promise<string | undefined> {
  return async (path) => {
    const file = resolve(repository, path);
    const isInside = file.startsWith(`${repository}${sep}`);
    return isInside && existsSync(file) && statSync(file).isFile()
      ? readRegularFile(file).toString("utf8")
      : undefined;
  };
}
