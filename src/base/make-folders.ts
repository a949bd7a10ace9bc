import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isSystemError } from "./errors.ts";

/**
 * Creates a folder and its missing parents. `mode`: the new folders' permissions; default: 0700, because runs and
 * indexes hold repository content. Throws the system's error. Replaces Node's recursive `mkdir`, which never returns if
 * creating a folder fails with ENOENT, as in `/proc/x`.
 */
export async function makeFolders(path: string, mode = 0o700): Promise<void> {
  const missing: string[] = [];
  for (let folder = resolve(path); !(await isFolder(folder)); folder = dirname(folder)) missing.push(folder);
  for (const folder of missing.reverse()) {
    await mkdir(folder, { mode }).catch(async (error: unknown) => {
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
