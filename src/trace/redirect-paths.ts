/**
 * Changes a project that depends on another project by path, so that it uses the other project's copy. Sandboxes that
 * cannot show the copy at the original path need this.
 */
import { lstatSync, readdirSync, readlinkSync, realpathSync, symlinkSync, unlinkSync } from "node:fs";
import { basename, dirname, isAbsolute, join, posix, resolve, sep } from "node:path";
import type { FileChange, TreeStore } from "../workspace/contract.ts";

const manifests = new Set([
  "Cargo.toml",
  "package.json",
  "go.mod",
  "go.work",
  "pyproject.toml",
  "config.toml",
]);

/** Scripts in the root. Python has no dependencies by path, so a script itself sets where to find its imports. */
const rootScript = /^[^/]+\.py$/;
const searchPath = /^.*\bsys\.path\b.*$/gm;

export interface RedirectRequest {
  readonly trees: TreeStore;
  /** The tree of the dependent project. */
  readonly tree: string;
  /** The root of the dependent project, at the user's path. */
  readonly root: string;
  readonly original: string;
  readonly copy: string;
}

/**
 * Redirects paths that lead from this project to the original project, so that they lead to the original's copy.
 * Changes symbolic links, paths in manifests, and paths that a Python script in the root adds to `sys.path`. Returns
 * the new tree.
 */
export async function redirectPaths({ trees, tree, ...places }: RedirectRequest): Promise<string> {
  const entries = await trees.list(tree);
  const changes: FileChange[] = [];
  for (const { path, mode } of entries) {
    const isLink = mode === "120000";
    const isScript = rootScript.test(path);
    if (!isLink && !isScript && !manifests.has(posix.basename(path))) continue;
    const text = (await trees.read(tree, path))?.toString("utf8") ?? "";
    const folder = resolve(places.root, posix.dirname(path));
    const move = (line: string): string => redirect(line, folder, places);
    const content = isLink
      ? (movePath(text, folder, places) ?? text)
      : isScript
        ? text.replaceAll(searchPath, move)
        : move(text);
    if (content !== text) changes.push(isLink ? { path, content, mode: "120000" } : { path, content });
  }
  return changes.length === 0 ? tree : trees.write(tree, changes);
}

/** A path in quotes, with npm's scheme before it, or after go.mod's arrow. */
const written = /(")((?:file:|link:|portal:)?)((?:\.{1,2}|)\/[^"\n]*)(")|(=>\s*)()((?:\.{1,2}|)\/\S*)()/g;

function redirect(text: string, folder: string, places: Moved): string {
  return text.replaceAll(written, (whole: string, ...groups: (string | undefined)[]) => {
    const [open = "", scheme = "", path = "", close = ""] =
      groups[2] === undefined ? groups.slice(4) : groups;
    const moved = movePath(path, folder, places);
    return moved === undefined ? whole : `${open}${scheme}${moved}${close}`;
  });
}

type Moved = Pick<RedirectRequest, "original" | "copy">;

type PackagePlaces = Omit<RedirectRequest, "trees" | "tree">;

/** Undefined for a path that does not lead into the original. */
function movePath(path: string, folder: string, { original, copy }: Moved): string | undefined {
  const meant = isAbsolute(path) ? resolve(path) : resolve(folder, path);
  const isInside = meant === original || meant.startsWith(original + sep);
  return isInside ? copy + meant.slice(original.length) : undefined;
}

/** Redirects the links in the working folder's `node_modules`, because trees do not contain installed packages. */
export function redirectPackages(folder: string, places: PackagePlaces): void {
  const packages = join(folder, "node_modules");
  const scopes = namesIn(packages).filter((name) => name.startsWith("@"));
  for (const parent of ["", ...scopes]) {
    // Never through a link that a command may have created.
    const above = join(packages, parent);
    if (realPathOf(above) !== join(realpathSync(folder), "node_modules", parent)) continue;
    for (const name of namesIn(above)) {
      const path = join(above, name);
      if (!lstatSync(path).isSymbolicLink()) continue;
      const moved = movePath(readlinkSync(path), join(places.root, "node_modules", parent), places);
      if (moved === undefined) continue;
      unlinkSync(path);
      symlinkSync(moved, path);
    }
  }
}

/**
 * If the original project is next to this one, creates a link to `copy`. The link is next to `folder` and has the
 * original's name. Relative paths in commands then lead to the copy. Replaces an old link, but no file or folder.
 */
export function linkBeside(folder: string, { root, original, copy }: PackagePlaces): void {
  if (dirname(root) !== dirname(original)) return;
  const link = join(dirname(folder), basename(original));
  const there = lstatSync(link, { throwIfNoEntry: false });
  if (there !== undefined && !there.isSymbolicLink()) return;
  if (there !== undefined) unlinkSync(link);
  symlinkSync(copy, link);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
