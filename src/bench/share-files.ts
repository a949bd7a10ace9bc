/**
 * Shares equal files of environments by hard links to one store. Nothing writes to an environment once it is finished,
 * and sandboxes show it through an overlay or a copy. Many tasks of one repository therefore need little more space
 * than one task.
 */
import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { lstat, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isSystemError } from "../base/errors.ts";
import { hashText } from "../base/hash.ts";
import { runGit } from "../workspace/git.ts";

/** Size of a pack above which loose objects, which environments can share, need less space. */
const largestPack = 2 * 1024 * 1024;

/**
 * Replaces the repository's files by links to equal files of the store, or adds them to the store. Files that are not in
 * git keep their times, because builds compare them. Two files of one repository never become one file: a copy of both
 * could keep the link between them. Returns the bytes on disk that only this repository needs so far. `store`:
 * undefined to share nothing.
 */
export async function shareFiles(repository: string, store: string | undefined): Promise<number> {
  if (store === undefined) return measure(repository);
  const gitDirectory = join(repository, ".git");
  await unpackObjects(gitDirectory);
  const listed = await runGit({ gitDirectory, workTree: repository, arguments: ["ls-files", "-z"] });
  const tracked = new Set(listed.stdout.toString("latin1").split("\0"));
  const counts = new Map<string, number>();
  let bytes = 0;
  let visited = 0;
  for (const path of walk(repository, "")) {
    visited += 1;
    if (visited % 200 === 0) await setImmediate(); // other tasks go on
    const place = Buffer.from(join(repository, "/") + path, "latin1");
    const status = lstatSync(place);
    bytes += status.blocks * 512;
    if (!status.isFile() || status.size === 0 || status.nlink > 1) continue;
    const isTimeless = tracked.has(path) || path.startsWith(".git/objects/");
    const time = isTimeless ? "" : `-${status.mtimeMs}`;
    const key = `${hashText(readFileSync(place))}-${(status.mode & 0o7777).toString(8)}${time}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    const isShared = shareFile(place, join(store, key.slice(0, 2), `${key}-${count}`));
    if (isShared) bytes -= status.blocks * 512;
  }
  return bytes;
}

function measure(repository: string): number {
  let bytes = 0;
  for (const path of walk(repository, ""))
    bytes += lstatSync(Buffer.from(join(repository, "/") + path, "latin1")).blocks * 512;
  return bytes;
}

/** Removes the store's files that no environment uses. */
export async function sweepShared(store: string): Promise<void> {
  for (const folder of await readdir(store).catch(() => [])) {
    for (const name of await readdir(join(store, folder))) {
      const path = join(store, folder, name);
      if ((await lstat(path)).nlink === 1) await rm(path, { force: true });
    }
  }
}

/**
 * Stores the objects of large packs (over `largestPack`) as single files. Only the objects of the environment's own
 * commit are there.
 */
async function unpackObjects(gitDirectory: string): Promise<void> {
  const folder = join(gitDirectory, "objects", "pack");
  const packs = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".pack"));
  for (const name of packs) {
    if ((await lstat(join(folder, name))).size <= largestPack) continue;
    const moved = join(gitDirectory, name);
    await rename(join(folder, name), moved);
    await rm(join(folder, name.replace(/pack$/, "idx")));
    // Git skips objects that it finds in a pack of the repository, so the pack has to lie elsewhere.
    await runGit({ gitDirectory, arguments: ["unpack-objects", "-q"], input: await readFile(moved) });
    await rm(moved);
  }
}

/** Lists paths of files and folders as bytes, one character each. Of git's folders, lists only the objects. */
function* walk(root: string, folder: string): Generator<string> {
  const place = Buffer.from(join(root, "/") + folder, "latin1");
  for (const entry of readdirSync(place, { withFileTypes: true, encoding: "latin1" })) {
    const path = `${folder}${entry.name}`;
    if (/^\.git\/(?!objects$)[^/]*$/.test(path)) continue;
    yield path;
    if (entry.isDirectory()) yield* walk(root, `${path}/`);
  }
}

/** True if the store had the file. */
function shareFile(place: Buffer, stored: string): boolean {
  const next = Buffer.concat([place, Buffer.from(".millwright-shared")]);
  try {
    linkSync(stored, next);
    renameSync(next, place);
    return true;
  } catch (error) {
    if (isRefusedLink(error)) return false; // the file keeps its own space
    if (!isSystemError(error, "ENOENT")) throw error;
    mkdirSync(dirname(stored), { recursive: true });
    addFile(place, stored);
    return false;
  }
}

function addFile(place: Buffer, stored: string): void {
  try {
    linkSync(place, stored);
  } catch (error) {
    if (!isRefusedLink(error)) throw error;
  }
}

/** True if the file has too many links, another owner, or a file system without hard links. */
function isRefusedLink(error: unknown): boolean {
  return ["EMLINK", "EPERM", "EXDEV", "ENOTSUP"].some((code) => isSystemError(error, code));
}
