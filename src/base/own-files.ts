/**
 * Locates Millwright's own files that it reads at run time. A checkout has them next to the sources, the package in
 * `dist/` (scripts/build.ts).
 */
import { existsSync } from "node:fs";
import { createRequire, getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const isBuilt = !import.meta.url.endsWith(".ts");
const resolveFromHere = createRequire(import.meta.url);

/** The folder of Millwright's package.json. It also contains Millwright's programs and its own Node. */
export const packageFolder = findManifest(import.meta.dirname);

const programFolder = join(packageFolder, isBuilt ? "dist" : "src");

/** Returns the absolute path of one of Millwright's files or folders, from its path below `src/`. */
export function ownFile(path: string): string {
  return join(programFolder, path);
}

/** Returns the address of a thread's entry module, from its path below `src/` without an extension. */
export function ownModule(path: string): URL {
  return pathToFileURL(ownFile(`${path}.${isBuilt ? "js" : "ts"}`));
}

/**
 * Returns the folder of this process's compile cache, for its threads; undefined without a cache. Node adds its version
 * number to this path.
 */
export function compileCacheFolder(): string | undefined {
  const used = getCompileCacheDir();
  return used === undefined ? undefined : dirname(used);
}

/**
 * Finds a file of a grammar. `path`: the package and the path in it, such as `tree-sitter-python/package.json`. In a
 * built program, finds the copy that the build made.
 */
export function grammarFile(path: string): string {
  return isBuilt ? ownFile(`packages/${path}`) : resolveFromHere.resolve(path);
}

function findManifest(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : findManifest(dirname(folder));
}
