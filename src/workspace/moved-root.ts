/**
 * Changes references to the user's path (virtual environments, editable installs, variables) into references to the
 * copy. Sandboxes that cannot show the copy at the user's path need this: otherwise tests would import the user's files
 * and miss every change.
 */
import { type Dirent, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isSystemError } from "../base/errors.ts";
import { readTextIfRegular } from "../base/regular-file.ts";
import { statNow } from "./file-status.ts";

export interface MovedRoot {
  /** The user's own path of the repository. */
  readonly repository: string;
  /** The copy's path. */
  readonly folder: string;
}

/** Maximum characters of a script's first line in Linux. */
const longestInterpreterLine = 255;

/** Replaces the repository's path with the copy's path in each variable. Handles lists such as PATH. */
export function moveVariables(
  variables: Readonly<Record<string, string>>,
  { repository, folder }: MovedRoot,
): Record<string, string> {
  const move = (path: string): string =>
    isInside(path, repository) ? folder + path.slice(repository.length) : path;
  const moved = Object.entries(variables).map(([name, value]) => [
    name,
    value.split(":").map(move).join(":"),
  ]);
  return Object.fromEntries(moved);
}

/**
 * Returns folders of the copy that Python must search first. Virtual environments name folders of the user's repository
 * in `.pth` files, in setuptools' finders for editable installs, and in egg links. The result contains the same folders
 * in the copy. `environments`: the folders of the copied virtual environments, and the user's active environment, even
 * if that is elsewhere.
 */
export function findEditableFolders(
  environments: readonly string[],
  { repository, folder }: MovedRoot,
): string[] {
  const named = environments.flatMap(listSitePackages).flatMap((site) =>
    list(site).flatMap((entry) => {
      const text = (): string => readTextIfRegular(join(site, entry.name)) ?? "";
      if (entry.name.endsWith(".pth") || entry.name.endsWith(".egg-link")) return text().split(/\r?\n/);
      if (!/^__editable__.*finder\.py$/.test(entry.name)) return [];
      // MAPPING = {'package': '/path/to/package'}: Python must search the parent folder of each.
      return [...text().matchAll(/:\s*(['"])(\/.*?)\1/g)].map((match) => dirname(match[2] ?? ""));
    }),
  );
  const inside = named.map((path) => path.trim()).filter((path) => isInside(path, repository));
  return [...new Set(inside)].map((path) => join(folder, relative(repository, path)));
}

/**
 * Rewrites the first lines of the programs in a copied virtual environment. They then run the copy's interpreter, not
 * the user's. Leaves out programs above 1 MiB, and lines that would exceed 255 characters.
 */
export function moveInterpreterLines(environment: string, { repository, folder }: MovedRoot): void {
  const programs = join(environment, "bin");
  for (const entry of list(programs)) {
    const path = join(programs, entry.name);
    if (!entry.isFile() || lstatSync(path).size > 1024 * 1024) continue;
    const content = readFileSync(path);
    const end = content.indexOf("\n");
    const line = content.toString("utf8", 0, end === -1 ? 0 : end);
    if (!line.startsWith(`#!${repository}/`)) continue;
    const moved = line.replace(repository, folder);
    if (moved.length > longestInterpreterLine) continue;
    writeFileSync(path, Buffer.concat([Buffer.from(moved), content.subarray(end)]));
  }
}

/** True for the folder of a Python virtual environment, which contains `pyvenv.cfg`. */
export function isVirtualEnvironment(path: string): boolean {
  return statNow(join(path, "pyvenv.cfg"))?.isFile() ?? false;
}

/** Returns the site-packages folders of a virtual environment, one for each Python in it. */
export function listSitePackages(environment: string): string[] {
  const library = join(environment, "lib");
  return list(library)
    .filter((entry) => entry.name.startsWith("python"))
    .map((entry) => join(library, entry.name, "site-packages"));
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
