/** A folder for each repository, in which an edit of its files stores the data to undo the edit after a crash. */
import { join } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import { hashText } from "../base/hash.ts";
import { makeFolders } from "../base/make-folders.ts";

/** The folder for edits of a repository; creates it if necessary. Throws MillwrightError("disk") if that fails. */
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
