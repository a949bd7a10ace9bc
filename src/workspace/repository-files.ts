/**
 * Lists the files of the user's repository: tracked, untracked and ignored. Asks git, but through our own git
 * directory, whose work tree is the user's folder. Copies only the index and the ignore rules from the user's git
 * directory. Git therefore runs nothing that the user's configuration names (fsmonitor, hooks, filters, remotes), and
 * writes nothing there.
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import { readRegularFile, refuseFile } from "../base/regular-file.ts";
import { type BytePath, hostPath, splitPaths } from "./byte-path.ts";
import { statNow } from "./file-status.ts";
import { findCommonDirectory, readHashName, runForeignGit } from "./foreign-git.ts";
import { type GitRequest, makeGitDirectory, runGit } from "./git.ts";
import { readIgnoreRules } from "./ignore-rules.ts";

export interface RepositoryFiles {
  /**
   * Tracked and untracked files that are not ignored, including those of submodules and nested repositories; sorted.
   */
  readonly files: readonly BytePath[];
  /** Ignored files and, with a trailing slash, whole ignored folders. */
  readonly ignored: readonly BytePath[];
  /** The files in `files` that git does not track. */
  readonly untracked: readonly BytePath[];
  /** Rules of the repository and of the user, in the format of `.gitignore`. */
  readonly ignoreRules: string;
  readonly commit: string | undefined;
  /** The git directory. Undefined if the folder is not a git repository, or is inside a larger one. */
  readonly git: UserGitDirectory | undefined;
}

export interface ListOptions {
  readonly repository: string;
  /** An existing folder of ours. */
  readonly directory: string;
  /** The user's HOME, for their ignore rules. */
  readonly home: string | undefined;
  /**
   * True if only `files` is needed. Then `ignored` is empty and `commit` undefined, which saves a walk and a start of
   * git.
   */
  readonly filesOnly?: true;
}

export async function listRepositoryFiles(options: ListOptions): Promise<RepositoryFiles> {
  const files = new Set<BytePath>();
  const ignored = new Set<BytePath>();
  const untracked: BytePath[] = [];
  const top = await listOne(options, options.repository, findGitDirectory(options.repository));
  const visit = async (prefix: BytePath, found: Listing): Promise<void> => {
    for (const path of found.files) files.add(prefix + path);
    for (const path of found.ignored) ignored.add(prefix + path);
    for (const path of found.untracked) untracked.push(prefix + path);
    for (const path of found.nested) {
      const folder = hostPath(options.repository, prefix + path);
      // Git lists no files of a nested repository, so each repository lists its own.
      if (typeof folder !== "string" || !isFolder(folder)) continue;
      await visit(`${prefix}${path}/`, await listOne(options, folder, readGitDirectory(folder)));
    }
  };
  await visit("", top);
  return {
    files: [...files].sort(),
    ignored: [...ignored].sort(),
    untracked,
    ignoreRules: top.ignoreRules,
    commit: top.commit,
    git: top.user?.workTree === options.repository ? top.user : undefined,
  };
}

interface Listing {
  readonly files: readonly BytePath[];
  readonly ignored: readonly BytePath[];
  readonly untracked: readonly BytePath[];
  /** Folders that are separate repositories. */
  readonly nested: readonly BytePath[];
  readonly ignoreRules: string;
  readonly commit: string | undefined;
  readonly user: UserGitDirectory | undefined;
}

async function listOne(
  options: ListOptions,
  folder: string,
  user: UserGitDirectory | undefined,
): Promise<Listing> {
  const rules = await readIgnoreRules({ ...options, folder, gitDirectory: user?.commonDirectory });
  const ours = await mkdtemp(join(options.directory, "listing-"));
  try {
    const hash = user === undefined ? "sha1" : await readHashName(user.gitDirectory);
    await makeGitDirectory(ours, rules, hash);
    if (user !== undefined) await copyIndex(user.gitDirectory, ours);
    const enclosing = user !== undefined && user.workTree !== folder;
    if (enclosing && (await isIgnored(ours, user.workTree, folder))) {
      await rm(join(ours, "index"), { force: true });
      return await list(ours, folder, folder, rules, undefined, options);
    }
    return await list(ours, user?.workTree ?? folder, folder, rules, user, options);
  } finally {
    await rm(ours, { recursive: true, force: true });
  }
}

async function list(
  ours: string,
  workTree: string,
  folder: string,
  ignoreRules: string,
  user: UserGitDirectory | undefined,
  { filesOnly }: ListOptions,
): Promise<Listing> {
  // A sparse index names trees; git only reads there.
  const env: Record<string, string> =
    user === undefined ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: join(user.commonDirectory, "objects") };
  const place = { gitDirectory: ours, workTree, cwd: folder, env };
  const ask = async (...options: string[]): Promise<BytePath[]> =>
    splitPaths((await runGit({ ...place, arguments: ["ls-files", "-z", ...options] })).stdout);
  // Each begins with a letter and a space: `? PATH` is untracked, the others are `H 100644 HASH STAGE\tPATH`.
  const tracked: { readonly isRepository: boolean; readonly path: BytePath }[] = [];
  const untracked: BytePath[] = [];
  for (const line of await ask("-t", "--stage", "--others", "--exclude-standard"))
    if (line.startsWith("? ")) untracked.push(line.slice(2));
    else
      tracked.push({ isRepository: line.startsWith("160000", 2), path: line.slice(line.indexOf("\t") + 1) });
  const ignored =
    filesOnly === true ? [] : await ask("--others", "--ignored", "--exclude-standard", "--directory");
  const isNested = (path: BytePath): boolean => path.endsWith("/");
  const newFiles = untracked.filter((path) => !isNested(path));
  return {
    files: [...tracked.filter((entry) => !entry.isRepository).map((entry) => entry.path), ...newFiles],
    untracked: newFiles,
    nested: [
      ...tracked.filter((entry) => entry.isRepository).map((entry) => entry.path),
      ...untracked.filter(isNested).map((path) => path.slice(0, -1)),
    ],
    ignored: await openFolders(place, folder, ignored),
    ignoreRules,
    commit: user === undefined || filesOnly === true ? undefined : await readHead(user.gitDirectory),
    user,
  };
}

/** Returns the listed paths. Replaces a folder by its contents if git ignores all of them, but not the folder itself. */
async function openFolders(
  place: Omit<GitRequest, "arguments">,
  folder: string,
  listed: readonly BytePath[],
): Promise<BytePath[]> {
  const result: BytePath[] = [];
  for (let paths = listed; paths.length > 0; ) {
    const { stdout } = await runGit({
      ...place,
      arguments: ["check-ignore", "-z", "--stdin", "--no-index"],
      // `./`: a file may be called `:(top)x`, which git would read as a pattern.
      input: Buffer.from(paths.map((path) => `./${path}\0`).join(""), "latin1"),
      answers: [0, 1],
    });
    const ignored = new Set(splitPaths(stdout).map((path) => path.slice(2)));
    const inside: BytePath[] = [];
    for (const path of paths) {
      if (ignored.has(path) || !path.endsWith("/")) result.push(path);
      else inside.push(...listFolder(folder, path));
    }
    paths = inside;
  }
  return result;
}

function listFolder(root: string, path: BytePath): BytePath[] {
  const name = hostPath(root, path.slice(0, -1));
  return readdirSync(name, { withFileTypes: true, encoding: "latin1" })
    .filter((entry) => entry.name !== ".git")
    .map((entry) => `${path}${entry.name}${entry.isDirectory() ? "/" : ""}`);
}

export interface UserGitDirectory {
  readonly workTree: string;
  readonly gitDirectory: string;
  /** The shared git directory. It differs from `gitDirectory` in a linked work tree. */
  readonly commonDirectory: string;
}

/** Finds the git directory of the folder or of its nearest ancestor. */
function findGitDirectory(folder: string): UserGitDirectory | undefined {
  const found = readGitDirectory(folder);
  if (found !== undefined || dirname(folder) === folder) return found;
  return findGitDirectory(dirname(folder));
}

function readGitDirectory(folder: string): UserGitDirectory | undefined {
  const gitDirectory = resolveGitDirectory(join(folder, ".git"));
  if (gitDirectory === undefined || !existsSync(join(gitDirectory, "HEAD"))) return undefined;
  const path = join(gitDirectory, "HEAD");
  if (isFolder(path)) throw refuseFile(path, "is a folder");
  const head = readRegularFile(path).toString("latin1"); // throws if git would block
  const commonDirectory = findCommonDirectory(gitDirectory);
  const [, branch] = /^ref: (refs\/\S+)/.exec(head) ?? [];
  for (const name of ["packed-refs", ...(branch === undefined ? [] : [branch])])
    refuseWaiting(join(commonDirectory, name));
  return { workTree: folder, gitDirectory, commonDirectory };
}

/** Refuses a pipe or a device, for which git would wait. Does not read the file, because it may be long. */
function refuseWaiting(path: string): void {
  const status = statNow(path);
  if (status !== undefined && !status.isFile() && !status.isDirectory())
    throw refuseFile(path, "is a pipe or a device");
}

function resolveGitDirectory(path: string): string | undefined {
  const status = statNow(path);
  if (status === undefined) return undefined;
  if (!status.isFile()) return path;
  const named = /^gitdir: (.+?)\n?$/.exec(readRegularFile(path).toString("utf8"))?.[1];
  return named === undefined ? undefined : resolve(dirname(path), named);
}

async function copyIndex(gitDirectory: string, ours: string): Promise<void> {
  const names = readdirSync(gitDirectory).filter(
    (name) => name === "index" || name.startsWith("sharedindex."),
  );
  for (const name of names) {
    const path = join(gitDirectory, name);
    if (!statSync(path).isFile()) throw refuseFile(path, "is a pipe or a device");
    await copyFile(path, join(ours, name));
  }
}

async function isIgnored(ours: string, workTree: string, folder: string): Promise<boolean> {
  const path = relative(workTree, folder).split(sep).join("/");
  const { exitCode } = await runGit({
    gitDirectory: ours,
    workTree,
    arguments: ["check-ignore", "--quiet", "--no-index", "--", path],
    answers: [0, 1],
  });
  return exitCode === 0;
}

/** Returns the commit of HEAD; undefined before the first commit. Throws MillwrightError("repository") for a damaged repository. */
async function readHead(gitDirectory: string): Promise<string | undefined> {
  const { exitCode, stdout, stderr } = await runForeignGit({
    gitDirectory,
    arguments: ["rev-parse", "--verify", "--quiet", "HEAD"],
    timeoutMs: 20_000,
    answers: [0, 1, 128],
  });
  if (exitCode === 128) {
    throw new MillwrightError(
      "repository",
      `${dirname(gitDirectory)} is a damaged git repository: ${stderr}`,
      {
        hint: `Check it with \`git -C ${dirname(gitDirectory)} fsck\`, and repair it.`,
      },
    );
  }
  return exitCode === 0 ? stdout.toString("latin1").trim() : undefined;
}

/**
 * Returns the commit of HEAD; undefined outside git or before the first commit. Throws MillwrightError("repository")
 * for a damaged repository.
 */
export async function headCommitOf(repository: string): Promise<string | undefined> {
  const found = findGitDirectory(repository);
  return found === undefined ? undefined : readHead(found.gitDirectory);
}

function isFolder(path: string): boolean {
  return statNow(path)?.isDirectory() ?? false;
}
