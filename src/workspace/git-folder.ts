/**
 * Makes a `.git` folder for the copy of a linked work tree or a submodule, whose `.git` is a file that names another
 * folder. Commands that follow the file would write to the user's folder.
 */
import { existsSync, realpathSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isSystemError } from "../base/errors.ts";
import { largestFile, readRegularFile, readTextIfRegular } from "../base/regular-file.ts";
import type { Mount, MountSupport } from "../sandbox/contract.ts";
import { statNow } from "./file-status.ts";
import { readSetting } from "./foreign-git.ts";
import { stripAddresses, stripCredentials } from "./git-credentials.ts";
import { copyIgnored, exceedsCopy } from "./ignored-folders.ts";

export interface LinkedGit {
  /** The folder with HEAD and the index. */
  readonly gitDirectory: string;
  /** The folder with objects, references and configuration. */
  readonly commonDirectory: string;
}

/**
 * True if a linked git folder is the repository's own: it lies in the repository, or names it as its work tree. A file
 * `.git` of a hostile repository can name any folder, such as another project's.
 */
export async function isOwnGit(repository: string, linked: LinkedGit): Promise<boolean> {
  const { gitDirectory, commonDirectory } = linked;
  const isInside = (path: string): boolean => realOf(path).startsWith(`${repository}/`);
  if (isInside(gitDirectory) && isInside(commonDirectory)) return true;
  const isWorkTree = realOf(dirname(dirname(gitDirectory))) === realOf(commonDirectory);
  const back = readTextIfRegular(join(gitDirectory, "gitdir"))?.trim();
  if (back !== undefined)
    return isWorkTree && realOf(resolve(gitDirectory, back)) === join(repository, ".git");
  const workTree = await readSetting(gitDirectory, "core.worktree"); // a submodule
  const isWhole = realOf(gitDirectory) === realOf(commonDirectory);
  return isWhole && workTree !== undefined && realOf(resolve(gitDirectory, workTree)) === repository;
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (isSystemError(error)) return path;
    throw error;
  }
}

/** Names of files that belong to one work tree, or that would redirect git. */
const ownNames = ["HEAD", "index", "ORIG_HEAD", "MERGE_HEAD", "commondir", "gitdir", "worktrees", "modules"];

/**
 * Copies a linked git folder into the folder `target`. Omits the objects if `mountLinkedObjects` will mount them.
 * Returns notices for people.
 */
export async function copyLinkedGit(
  linked: LinkedGit,
  target: string,
  support: MountSupport,
): Promise<string[]> {
  await mkdir(target, { recursive: true });
  const mounted = mountsObjects(linked, support);
  const names = (await readdir(linked.commonDirectory)).filter(
    (name) => !ownNames.includes(name) && !(mounted && name === "objects"),
  );
  const notices = await copyIgnored(linked.commonDirectory, names, target);
  const present = ["HEAD", "index", "ORIG_HEAD", "MERGE_HEAD"].filter((name) =>
    // A link could lead to any file of the user, and a pipe has no end.
    statNow(join(linked.gitDirectory, name))?.isFile(),
  );
  notices.push(...(await copyIgnored(linked.gitDirectory, present, target)));
  await rm(join(target, "config.worktree"), { force: true });
  await cleanConfigurations(target, target);
  return notices;
}

/** Maximum nesting of submodules' folders. */
const mostNested = 6;
/** Maximum number of files of one kind to clean in one git folder. */
const mostCleaned = 20_000;

/** Matches files of git itself in its folder, except configurations, hooks and records of fetches. */
const gitsOwn =
  /^(?:HEAD|ORIG_HEAD|MERGE_\w+|CHERRY_PICK_HEAD|REVERT_HEAD|REBASE_HEAD|BISECT_\w+|AUTO_MERGE|SQUASH_MSG|COMMIT_EDITMSG|TAG_EDITMSG|description|index(?:\.lock)?|sharedindex\.\w+|objects|refs|reftable|packed-refs|info|logs|shallow|modules|worktrees|commondir|gitdir|branches|rr-cache|sequencer|rebase-(?:merge|apply)|lfs|annex)$/;
const configurations = ["config", "config.worktree"];
/** Matches git's own files that may contain the address of a remote, such as the log of `git pull ADDRESS`. */
const withAddresses =
  /^(?:logs|branches|info|description|\w+_MSG|\w+_EDITMSG|BISECT_\w+|rr-cache|sequencer|rebase-(?:merge|apply))$/;
/** Files of git's extensions that hold keys or contain addresses. */
const ofExtensions = ["annex/creds", "lfs/logs"];

/**
 * Neutralises files in which programs and people keep credentials: in the git folder `source`, and in the folders of
 * its submodules and linked work trees. Writes changed files below `target`. Removes credentials from configurations.
 * Also removes the setting for the work tree, because git would write to that folder. Removes users and passwords from
 * addresses in logs and messages. Empties all other files that may hold credentials. Reaches submodules to six levels
 * of folders, and about 20,000 files of a kind in one git folder.
 */
export async function cleanConfigurations(source: string, target: string, depth = 0): Promise<void> {
  const isGitFolder = existsSync(join(source, "HEAD"));
  for (const name of configurations) {
    const path = join(source, name);
    if (statNow(path)?.isFile() !== true) continue;
    const text = readRegularFile(path).toString("latin1");
    const clean = stripCredentials(text);
    if (clean !== text) await writeBelow(target, name, clean);
  }
  if (isGitFolder) {
    const names = await readdir(source);
    const others = names.filter((name) => !gitsOwn.test(name) && !configurations.includes(name));
    for (const name of await listBelow(source, [...others, ...ofExtensions]))
      await writeBelow(target, name, "");
    const addressed = names.filter((name) => withAddresses.test(name));
    for (const name of await listBelow(source, addressed)) await cleanAddresses(source, target, name);
  }
  if (depth === mostNested) return;
  // A submodule `lib/x` has its folder at `modules/lib/x`, which contains a HEAD; `modules/lib` contains none.
  for (const inside of isGitFolder ? ["modules", "worktrees"] : ["."]) {
    const folder = join(source, inside);
    if (statNow(folder)?.isDirectory() !== true) continue;
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      await cleanConfigurations(join(folder, entry.name), join(target, inside, entry.name), depth + 1);
    }
  }
}

async function writeBelow(target: string, name: string, text: string): Promise<void> {
  const path = join(target, name);
  await mkdir(dirname(path), { recursive: true });
  // A link would lead out of the copy.
  if (statNow(path)?.isSymbolicLink() === true) await rm(path);
  await writeFile(path, text, "latin1");
}

/** Removes credentials from addresses in a file. Empties a link, and a file that is too large to read. */
async function cleanAddresses(source: string, target: string, name: string): Promise<void> {
  const path = join(source, name);
  const status = statNow(path);
  if (status?.isFile() !== true || status.size > largestFile) return writeBelow(target, name, "");
  const text = readRegularFile(path).toString("latin1");
  const clean = stripAddresses(text);
  if (clean !== text) await writeBelow(target, name, clean);
}

/** Lists the files and links with one of the names, or below a folder with one of the names. Omits empty files. */
async function listBelow(source: string, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const waiting = [...names];
  for (let next = waiting.pop(); next !== undefined && found.length < mostCleaned; next = waiting.pop()) {
    const status = statNow(join(source, next));
    if (status?.isDirectory() === true)
      for (const name of await readdir(join(source, next))) waiting.push(join(next, name));
    else if ((status?.isFile() === true && status.size > 0) || status?.isSymbolicLink() === true)
      found.push(next);
  }
  return found;
}

/**
 * Returns the mount of a linked git folder's objects at `root`/.git/objects. Returns no mount if the objects are few
 * enough to copy, or if the sandbox does not support overlays.
 */
export async function mountLinkedObjects(
  linked: LinkedGit,
  root: string,
  changes: string,
  support: MountSupport,
): Promise<Mount[]> {
  if (!mountsObjects(linked, support)) return [];
  await mkdir(changes, { recursive: true });
  const source = join(linked.commonDirectory, "objects");
  return [{ mode: "overlay", source, changes, target: join(root, ".git", "objects") }];
}

function mountsObjects({ commonDirectory }: LinkedGit, support: MountSupport): boolean {
  return support === "overlay" && exceedsCopy(join(commonDirectory, "objects"));
}
