import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import type { ProjectView } from "../languages/contract.ts";
import type { Checkout } from "./contract.ts";

/** Maximum bytes of a file to read. Larger files count as data: manifests and tests are smaller. */
const largestFile = 1024 * 1024;

/**
 * Returns a view of the files of a newly laid checkout, to detect test commands. Reads texts when they are needed, and
 * caches them. Does not read links that lead out of the checkout, or files above 1 MiB.
 */
export function viewProject(checkout: Checkout, files: readonly string[]): ProjectView {
  const root = realpathSync(checkout.folder);
  const known = new Set(files);
  const texts = new Map<string, string | undefined>();

  function load(path: string): string | undefined {
    if (!known.has(path)) return undefined;
    try {
      const real = realpathSync(join(root, path));
      if (!real.startsWith(root + sep)) return undefined;
      const stat = lstatSync(real);
      return stat.isFile() && stat.size <= largestFile ? readFileSync(real, "utf8") : undefined;
    } catch {
      return undefined; // missing, a dangling link, or not readable: no such file
    }
  }

  return {
    files,
    read(path) {
      if (!texts.has(path)) texts.set(path, load(path));
      return texts.get(path);
    },
    exists: (path) => checkout.exists(path),
  };
}

/**
 * Returns a view of the project with the changes in the checkout, for commands that name test files by a pattern. If
 * the changes neither add nor remove a file, returns `base`. `present`: the base's files.
 */
export function viewChanged(
  checkout: Checkout,
  base: ProjectView,
  present: ReadonlySet<string>,
  changed: readonly string[],
): ProjectView {
  const moved = changed.filter((path) => checkout.exists(path) !== present.has(path));
  if (moved.length === 0) return base;
  const gone = new Set(moved.filter((path) => present.has(path)));
  const kept = base.files.filter((path) => !gone.has(path));
  return viewProject(checkout, [...kept, ...moved.filter((path) => !gone.has(path))]);
}
