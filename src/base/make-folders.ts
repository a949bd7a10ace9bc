import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isSystemError } from "./errors.ts";

/**
 * Makes a folder and those above it, for their owner alone (0700): runs and indexes hold what repositories do. Node's own recursive `mkdir` never returns where a file system says "no such folder" to
 * the making of one (`/proc/x`); this throws the system's error.
 */
export async function makeFolders(path: string): Promise<void> {
  const missing: string[] = [];
  for (let folder = resolve(path); !(await isFolder(folder)); folder = dirname(folder)) missing.push(folder);
  for (const folder of missing.reverse()) {
    await mkdir(folder, { mode: 0o700 }).catch(async (error: unknown) => {
      const madeMeanwhile = isSystemError(error, "EEXIST") && (await isFolder(folder));
      if (!madeMeanwhile) throw error;
    });
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory() || dirname(path) === path;
  } catch (error) {
    if (isSystemError(error, "ENOENT") && dirname(path) !== path) return false;
    throw error;
  }
}
