import { mkdir, open, rmdir, stat, symlink } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { isSystemError, MillwrightError } from "../base/errors.ts";
import type { Mount } from "./contract.ts";

export type OverlayMount = Extract<Mount, { mode: "overlay" }>;

/** Throws MillwrightError("sandbox") for mounts that no back end can show as they are meant. */
export async function checkMounts(mounts: readonly Mount[]): Promise<void> {
  for (const [index, mount] of mounts.entries()) {
    for (const path of [mount.source, mount.target]) checkPath(path);
    const hidden = mounts.slice(0, index).find((earlier) => isInside(earlier.target, mount.target));
    if (hidden !== undefined) {
      throw new MillwrightError(
        "sandbox",
        `The mount at ${mount.target} would hide the one at ${hidden.target}.`,
      );
    }
    await stat(mount.source).catch((cause: unknown) => {
      throw new MillwrightError("sandbox", `Cannot mount ${mount.source}: it cannot be read.`, { cause });
    });
    await prepareMountPoint(mounts.slice(0, index), mount);
  }
}

/** True when `path` is `folder` or lies in it; both absolute and normal. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

function checkPath(path: string): void {
  const normal = posix.isAbsolute(path) && posix.normalize(path) === path && path !== "/";
  if (normal && !path.endsWith("/") && !path.includes("\0")) return;
  throw new MillwrightError(
    "sandbox",
    `Cannot mount ${JSON.stringify(path)}: no absolute, normal path below /.`,
  );
}

/** A mount point inside a bound folder has to exist; the back ends make it as root or not at all, so we do. */
async function prepareMountPoint(earlier: readonly Mount[], mount: Mount): Promise<void> {
  const parent = earlier.findLast((candidate) => isInside(mount.target, candidate.target));
  if (parent === undefined || parent.mode === "overlay") return;
  const point = join(parent.source, mount.target.slice(parent.target.length));
  const exists = await stat(point).then(
    () => true,
    () => false,
  );
  if (exists) return;
  if (parent.mode === "read-only") {
    throw new MillwrightError(
      "sandbox",
      `Cannot mount at ${mount.target}: it does not exist inside the read-only mount at ${parent.target}.`,
    );
  }
  await makeMountPoint(mount.source, point);
}

/** Makes a folder, or an empty file when the source is a file. */
export async function makeMountPoint(source: string, point: string): Promise<void> {
  if ((await stat(source)).isDirectory()) {
    await mkdir(point, { recursive: true });
    return;
  }
  await mkdir(dirname(point), { recursive: true });
  await (await open(point, "a")).close();
}

/**
 * A folder with links `lower`, `upper` and `work` to an overlay's folders: overlayfs follows links, and their names need no
 * quoting in its options, whatever the folders are called.
 */
export async function linkOverlay(mount: OverlayMount, folder: string): Promise<void> {
  const upper = join(mount.changes, "upper");
  const work = join(mount.changes, "work");
  for (const path of [upper, work, folder]) await mkdir(path, { recursive: true });
  await symlink(mount.source, join(folder, "lower"));
  await symlink(upper, join(folder, "upper"));
  await symlink(work, join(folder, "work"));
}

/** Removes what overlayfs leaves in `work`: folders of root without permissions, which only `rmdir` gets rid of. */
export async function tidyOverlay(mount: OverlayMount): Promise<void> {
  for (const name of ["work", "index"]) {
    await rmdir(join(mount.changes, "work", name)).catch((error: unknown) => {
      if (!isSystemError(error)) throw error;
    });
  }
}

export function isOverlay(mount: Mount): mount is OverlayMount {
  return mount.mode === "overlay";
}
