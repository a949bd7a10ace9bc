/**
 * Finds files that would block git: git opens ignore and attribute files, and the git directories of nested repositories,
 * without checking their types.
 */
import { join } from "node:path";
import { renderOutput } from "../base/captured-output.ts";
import { MillwrightError } from "../base/errors.ts";
import { runProcess } from "../base/process.ts";
import { refuseFile } from "../base/regular-file.ts";

/** Milliseconds before the search starts. Nearly every git command ends earlier. */
const patienceMs = 3000;

export interface BlockingWatch {
  /** Aborts when the watch has found a file that blocks git. */
  readonly signal: AbortSignal;
  /** Ends the watch. If the watch found a file, throws MillwrightError("repository") with the file's name. */
  end(): Promise<void>;
}

/**
 * Watches the folder of a running git command for files on which git blocks, such as a pipe named `.gitignore`. If
 * there is such a file, `signal` aborts, and `end` throws MillwrightError("repository").
 */
export function watchForBlocking(workTree: string): BlockingWatch {
  const controller = new AbortController();
  let search: Promise<string | undefined> | undefined;
  const timer = setTimeout(() => {
    search = findBlocking(workTree, controller);
  }, patienceMs);
  return {
    signal: controller.signal,
    async end() {
      clearTimeout(timer);
      if (!controller.signal.aborted) return;
      const path = await search;
      if (path !== undefined) throw refuseFile(path, "is a pipe or a device");
    },
  };
}

/** Returns the first blocking file, or undefined. `find` opens no file. */
async function findBlocking(workTree: string, controller: AbortController): Promise<string | undefined> {
  const own = ["-path", join(workTree, ".git"), "-prune", "-o"];
  const objects = ["-path", "*/.git/objects", "-prune", "-o"];
  const names = ["-name", ".gitignore", "-o", "-name", ".gitattributes", "-o", "-path", "*/.git/*"];
  // Follows links: git does so in a nested git directory. A socket there is of git's own monitor, and blocks nothing.
  const kinds = ["-xtype", "p", "-o", "-xtype", "c", "-o", "-xtype", "b"];
  const found = ["(", ...names, ")", "(", ...kinds, ")", "-print", "-quit"];
  const result = await runProcess(["find", workTree, ...own, ...objects, ...found]);
  const path = renderOutput(result.stdout).trim();
  if (path === "") return undefined;
  controller.abort();
  return path;
}

/**
 * Throws MillwrightError("repository") if a git directory contains a file on which git would block. Does not check the
 * files of objects.
 */
export async function refuseBlockingFiles(gitDirectory: string): Promise<void> {
  const objects = ["-path", "*/objects/[0-9a-f][0-9a-f]", "-prune"];
  const kinds = ["(", "-type", "p", "-o", "-type", "c", "-o", "-type", "b", ")"]; // a socket of git's own monitor
  const result = await runProcess(["find", gitDirectory, ...objects, "-o", ...kinds, "-print", "-quit"]);
  const path = renderOutput(result.stdout).trim();
  if (path !== "") throw refuseFile(path, "is a pipe or a device");
}

/** Reports that a git command has reached its time limit: always throws MillwrightError("repository"). */
export function refuseEndless(gitDirectory: string): never {
  throw new MillwrightError("repository", `git hangs on ${gitDirectory}`, {
    hint: "Check whether a file in this folder is a pipe or a device.",
  });
}
