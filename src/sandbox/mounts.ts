import type { Stats } from "node:fs";
import { chmod, lstat, mkdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import type { Mount } from "./contract.ts";

export type OverlayMount = Extract<Mount, { mode: "overlay" }>;

/** An overlay with more folders between its source and its changes. */
export type LayeredMount = OverlayMount & {
  /** The folders above the source, the lowest first. */
  readonly above?: readonly string[];
};

/**
 * Checks mounts, and creates missing mount points inside earlier mounts. Throws MillwrightError("sandbox") if no back
 * end can show these mounts correctly.
 */
export async function checkMounts(mounts: readonly Mount[]): Promise<void> {
  for (const [index, mount] of mounts.entries()) {
    for (const path of [mount.source, mount.target]) checkPath(path);
    const hidden = mounts.slice(0, index).find((earlier) => isInside(earlier.target, mount.target));
    if (hidden !== undefined) {
      throw new MillwrightError(
        "sandbox",
        `The mount at ${mount.target} would hide the mount at ${hidden.target}.`,
      );
    }
    await stat(mount.source).catch((cause: unknown) => {
      throw new MillwrightError("sandbox", `Cannot mount ${mount.source}: it cannot be read.`, { cause });
    });
    await prepareMountPoint(mounts.slice(0, index), mount);
  }
}

/** True if `path` is `folder` or is inside it. Both paths must be absolute and normal. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

function checkPath(path: string): void {
  const normal = posix.isAbsolute(path) && posix.normalize(path) === path && path !== "/";
  if (normal && !path.endsWith("/") && !path.includes("\0")) return;
  throw new MillwrightError(
    "sandbox",
    `Cannot mount ${JSON.stringify(path)}: the path is not absolute and normalized, or is / itself.`,
  );
}

/** Creates a mount point inside a bound folder, because it must exist. Back ends create it as root or not at all. */
async function prepareMountPoint(earlier: readonly Mount[], mount: Mount): Promise<void> {
  const parent = earlier.findLast((candidate) => isInside(mount.target, candidate.target));
  if (parent === undefined) return;
  const inside = mount.target.slice(parent.target.length);
  const exists = await stat(join(parent.source, inside)).then(
    () => true,
    () => false,
  );
  if (exists) return;
  if (parent.mode === "read-only") {
    throw new MillwrightError(
      "sandbox",
      `Cannot mount at ${mount.target}: the path does not exist in the read-only mount at ${parent.target}.`,
    );
  }
  if (isOverlay(parent)) await makeMountPoint(mount.source, upperFolder(parent), inside, parent.source);
  else await makeMountPoint(mount.source, parent.source, inside);
}

/**
 * Creates the path `inside` below `base`: a folder, or an empty file if the source is a file. Copies the modes of
 * folders that also exist in `lower`. Throws MillwrightError("sandbox") if the path contains a symbolic link, because
 * the link could lead out of `base`.
 */
export async function makeMountPoint(
  source: string,
  base: string,
  inside: string,
  lower?: string,
): Promise<void> {
  await mkdir(base, { recursive: true });
  const isFolder = (await stat(source)).isDirectory();
  const names = inside.split("/").filter((name) => name !== "");
  for (const index of names.keys()) {
    const part = names.slice(0, index + 1).join("/");
    const below = lower === undefined ? undefined : await lstatOrNothing(join(lower, part));
    const status = await lstatOrNothing(join(base, part));
    if (status?.isSymbolicLink() || below?.isSymbolicLink()) {
      throw new MillwrightError(
        "sandbox",
        `Cannot mount ${source}: ${join(status?.isSymbolicLink() ? base : (lower ?? base), part)} is a symbolic link, which could lead out of the folder.`,
      );
    }
    if (status !== undefined) continue;
    const path = join(base, part);
    if (index === names.length - 1 && !isFolder) await writeFile(path, "");
    else await mkdir(path);
    if (below !== undefined) await chmod(path, below.mode & 0o7777);
  }
}

async function lstatOrNothing(path: string): Promise<Stats | undefined> {
  return lstat(path).catch(() => undefined);
}

/** Returns the host folder in which an overlay stores the sandbox's changes. */
export function upperFolder(mount: OverlayMount): string {
  return join(mount.changes, "upper");
}

/**
 * Creates a folder with links `lower`, `above-000` …, `upper` and `work` to an overlay's folders. The options of
 * overlayfs name these links. The options therefore need no quotes, even if the folders have special characters.
 */
export async function linkOverlay(mount: LayeredMount, folder: string): Promise<void> {
  const upper = upperFolder(mount);
  const work = join(mount.changes, "work");
  for (const path of [upper, work, folder]) await mkdir(path, { recursive: true });
  await symlink(mount.source, join(folder, "lower"));
  for (const [index, path] of (mount.above ?? []).entries())
    await symlink(path, join(folder, `above-${String(index).padStart(3, "0")}`));
  await symlink(upper, join(folder, "upper"));
  await symlink(work, join(folder, "work"));
}

/** Removes overlayfs's working folder, which contains a folder without permissions. Never throws. */
export async function tidyOverlay(mount: OverlayMount): Promise<void> {
  const work = join(mount.changes, "work");
  await chmod(join(work, "work"), 0o700).catch(() => {});
  await rm(work, { recursive: true, force: true }).catch(() => {});
}

export function isOverlay(mount: Mount): mount is OverlayMount {
  return mount.mode === "overlay";
}
