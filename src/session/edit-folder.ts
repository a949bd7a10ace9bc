/**
 * Defines a folder for each repository. An edit of the repository's files stores there the data to undo the edit after
 * a crash.
 */
import { join } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import { hashText } from "../base/hash.ts";
import { makeFolders } from "../base/make-folders.ts";

/**
 * Returns the folder for the undo data of a repository's edits, and creates it if necessary. Throws
 * MillwrightError("disk") if it cannot create the folder.
 */
export async function openEditFolder(repository: string, runsDirectory: string): Promise<string> {
  const directory = join(runsDirectory, "edits", hashText(repository).slice(0, 16));
  try {
    await makeFolders(directory);
    return directory;
  } catch (cause) {
    const hint = "Free disk space, or choose another folder for runs.";
    throw new MillwrightError("disk", `Millwright cannot create the folder ${directory}: ${String(cause)}`, {
      cause,
      hint,
    });
  }
}
