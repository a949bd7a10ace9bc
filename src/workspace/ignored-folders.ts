/**
 * Handles ignored files that tests need: installed packages, build caches, settings files, and `.git` itself. If the
 * sandbox supports overlays, large folders become overlays, and nothing is copied. Otherwise Millwright copies them;
 * file systems with reflinks then share the blocks. It never makes hard links, because a test that writes in place
 * would then change the user's file.
 */
import { type Dirent, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { renderOutput } from "../base/captured-output.ts";
import { isSystemError, MillwrightError } from "../base/errors.ts";
import { hashText } from "../base/hash.ts";
import { runProcess } from "../base/process.ts";
import type { MountSupport } from "../sandbox/contract.ts";
import type { OverlayMount } from "../sandbox/mounts.ts";
import { type BytePath, hostPath, nameOf, showPath, toBytePath } from "./byte-path.ts";
import { statNow } from "./file-status.ts";
import { diskIsFull } from "./infrastructure-errors.ts";

/**
 * Maximum size of a folder to copy. Larger folders become overlays: a mount costs about 3 ms, a copy about 0.1 ms per
 * file and 1 ms per MiB.
 */
const largestCopy = { entries: 500, bytes: 8 * 1024 * 1024 };
/** Maximum number of overlays of one checkout. Millwright copies further large folders. */
const mostOverlays = 24;

export interface IgnoredPlan {
  /** Paths of folders, without a trailing slash. */
  readonly overlays: readonly BytePath[];
  readonly copies: readonly BytePath[];
}

/**
 * Chooses the ignored paths that a copy of the repository needs. Omits Python's bytecode: Python could use an old
 * bytecode file and therefore miss a change of its source. Also omits our own folder `directory`, which a user may keep
 * inside the repository.
 */
export function choosePaths(repository: string, ignored: readonly BytePath[], directory: string): BytePath[] {
  const own = toBytePath(relative(repository, directory));
  return ignored
    .map((path) => path.replace(/\/$/, ""))
    .flatMap((path) => leaveOut(repository, path, own))
    .filter((path) => nameOf(path) !== "__pycache__" && !path.endsWith(".pyc"));
}

/** Returns the path. If `own` is inside it, returns the paths in it except `own`. */
function leaveOut(repository: string, path: BytePath, own: BytePath): BytePath[] {
  if (path === own) return [];
  if (!own.startsWith(`${path}/`)) return [path];
  return readdirSync(hostPath(repository, path), { encoding: "latin1" }).flatMap((name) =>
    leaveOut(repository, `${path}/${name}`, own),
  );
}

export function planIgnored(
  repository: string,
  paths: readonly BytePath[],
  support: MountSupport,
): IgnoredPlan {
  if (support !== "overlay") return { overlays: [], copies: paths };
  const large = paths.filter((path) => {
    const name = hostPath(repository, path);
    // A mount's path has to be text.
    return typeof name === "string" && isFolder(name) && exceedsCopy(name);
  });
  const overlays = new Set(large.slice(0, mostOverlays));
  return { overlays: [...overlays], copies: paths.filter((path) => !overlays.has(path)) };
}

function isFolder(path: string): boolean {
  return statNow(path)?.isDirectory() ?? false;
}

/**
 * True if a folder is too large to copy. Stops counting at the limit, so that a large folder costs no more time than a
 * small one.
 */
export function exceedsCopy(folder: string): boolean {
  let entries = 0;
  let bytes = 0;
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of readFolder(next)) {
      entries += 1;
      const path = join(next, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else bytes += statNow(path)?.size ?? 0;
      if (entries > largestCopy.entries || bytes > largestCopy.bytes) return true;
    }
  }
  return false;
}

function readFolder(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return []; // missing or forbidden: the copy will report it
  }
}

export interface OverlayRequest {
  readonly repository: string;
  /** The repository's root inside the sandbox. */
  readonly root: string;
  readonly overlays: readonly BytePath[];
  /** A folder of the checkout for commands' changes to the overlays. */
  readonly changes: string;
}

/**
 * Returns the folder for an overlay's changes. Its name derives from the overlay's path. A kept checkout therefore
 * finds its changes again, even if other paths are ignored then.
 */
export function overlayFolder(changes: string, path: string): string {
  return join(changes, hashText(path).slice(0, 16));
}

export function mountOverlays({ repository, root, overlays, changes }: OverlayRequest): OverlayMount[] {
  return overlays.map((path) => {
    const own = overlayFolder(changes, path);
    mkdirSync(own, { recursive: true });
    return { mode: "overlay", source: `${repository}/${path}`, changes: own, target: `${root}/${path}` };
  });
}

/**
 * Copies the paths with their modes, times and links. Returns notices for people: files that could not be read, and the
 * time if the copy was slow. Throws MillwrightError("disk") if the disk is full, or if xargs cannot be started.
 */
export async function copyIgnored(
  repository: string,
  copies: readonly BytePath[],
  target: string,
): Promise<string[]> {
  if (copies.length === 0) return [];
  const result = await runProcess(
    ["xargs", "-0", "cp", "-a", "--reflink=auto", "--parents", "-t", target, "--"],
    { cwd: repository, input: Buffer.from(copies.map((path) => `./${path}\0`).join(""), "latin1") },
  );
  const stderr = renderOutput(result.stderr).trim();
  if (/No space left on device|Disk quota exceeded/.test(stderr)) throw diskIsFull(new Error(stderr), target);
  if (result.startError !== undefined) {
    // The system also answers ENOENT if the folder to start in is gone.
    const isMissing = isSystemError(result.startError, "ENOENT") && existsSync(repository);
    throw new MillwrightError("disk", "The ignored folders cannot be copied: xargs cannot be started.", {
      hint: isMissing
        ? "Install findutils."
        : `Check that ${repository} still exists, and that the system can start more processes.`,
      cause: result.startError,
    });
  }
  const notices = stderr === "" ? [] : [`not all ignored files could be copied: ${stderr.split("\n")[0]}`];
  const slowMs = 2000;
  if (result.durationMs > slowMs) {
    const seconds = (result.durationMs / 1000).toFixed(1);
    const names = copies.map(showPath).slice(0, 3).join(", ");
    notices.push(
      `copying files that git ignores (${names}${copies.length > 3 ? ", …" : ""}) took ${seconds} s for each checkout`,
    );
  }
  return notices;
}
