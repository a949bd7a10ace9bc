/**
 * A folder for each repository. An edit of the repository's files stores there the data to undo the edit after a crash.
 */
import { join } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import { hashText } from "../base/hash.ts";
import { makeFolders } from "../base/make-folders.ts";

/**
 * The folder in which edits of a repository store their undo data; creates it if necessary. Throws
 * MillwrightError("disk") if the folder cannot be created.
 */
export async function openEditFolder(repository: string, runsDirectory: string): Promise<string> {
  const directory = join(runsDirectory, "edits", hashText(repository).slice(0, 16));
  try {
    await makeFolders(directory);
    return directory;
  } catch (cause) {
    const hint = "Free some space or choose another folder for runs.";
    throw new MillwrightError("disk", `The folder ${directory} could not be created: ${String(cause)}`, {
      cause,
      hint,
    });
  }
}
