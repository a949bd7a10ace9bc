/** Finds a Python of a given version on this machine, without running it. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { largestText, readRegularFile } from "../base/regular-file.ts";

/**
 * Returns `named` if it is a Python of this version (`3.11`). Otherwise returns the real file of the first such Python
 * on `searchPath`. Undefined if there is none. A file's version is the one in its real name, such as `python3.11`.
 */
export function findPython(named: string, version: string, searchPath: string): string | undefined {
  const [, family = "", kind = ""] = /^([a-z]+)[\d.]*([a-z]*)$/.exec(basename(named)) ?? [];
  const wanted = `${family}${version}${kind}`;
  if (realFile(named, wanted) !== undefined) return named;
  const folders = searchPath.split(":").filter((folder) => isAbsolute(folder));
  for (const name of [wanted, basename(named)])
    for (const folder of folders) {
      // The real file: an active virtual environment's link has no library beside it.
      const found = realFile(join(folder, name), wanted);
      if (found !== undefined) return found;
    }
  return undefined;
}

/** Returns the file of the real program. Omits scripts such as pyenv's, which only choose a program. */
function realFile(path: string, wanted: string): string | undefined {
  if (!existsSync(path) || !statSync(path).isFile()) return undefined;
  const real = realpathSync(path);
  if (basename(real) !== wanted) return undefined;
  const isScript = readRegularFile(real, largestText).subarray(0, 2).toString() === "#!";
  return isScript ? undefined : real;
}
