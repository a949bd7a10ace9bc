/**
 * Reads git directories of other people. Git runs programs that a directory's configuration names (`gpg.program`,
 * `core.fsmonitor`, `diff.NAME.textconv`), and reads every file that it includes. Therefore git reads such a directory
 * only through a view: a directory of our own, with our configuration and without attributes and hooks. The view takes
 * only references and objects from the other directory.
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isSystemError } from "../base/errors.ts";
import { readRegularFile } from "../base/regular-file.ts";
import { type GitAnswer, type GitRequest, makeGitDirectory, runGit } from "./git.ts";
import { readIfThere } from "./ignore-rules.ts";

/** Runs `work` with a view of a git directory, and removes the view. The directory may be of a linked work tree. */
export async function withGitView<T>(gitDirectory: string, work: (view: string) => Promise<T>): Promise<T> {
  const view = await mkdtemp(join(tmpdir(), "millwright-git-"));
  try {
    await fillView(gitDirectory, view);
    return await work(view);
  } finally {
    await rm(view, { recursive: true, force: true });
  }
}

/** Runs a reading git command on another's git directory, through a view. */
export function runForeignGit(request: GitRequest): Promise<GitAnswer> {
  return withGitView(request.gitDirectory, (gitDirectory) => runGit({ ...request, gitDirectory }));
}

async function fillView(gitDirectory: string, view: string): Promise<void> {
  const common = findCommonDirectory(gitDirectory);
  await makeGitDirectory(view, "", await readHashName(gitDirectory));
  await rm(join(view, "refs"), { recursive: true });
  const names = ["refs", "packed-refs", "shallow"].filter((name) => existsSync(join(common, name)));
  for (const name of names) await symlink(join(common, name), join(view, name));
  if (!names.includes("refs")) await mkdir(join(view, "refs"));
  await mkdir(join(view, "objects", "info"), { recursive: true });
  await writeFile(join(view, "objects", "info", "alternates"), `${join(common, "objects")}\n`);
  await writeFile(join(view, "HEAD"), readRegularFile(join(gitDirectory, "HEAD")));
  await showTables(gitDirectory, view);
}

/**
 * Shows the references of a directory that keeps them in tables. A linked work tree has its HEAD in a table of its own,
 * which a view cannot add to those of the directory: there HEAD stays unknown.
 */
async function showTables(gitDirectory: string, view: string): Promise<void> {
  const tables = join(gitDirectory, "reftable");
  if (findCommonDirectory(gitDirectory) !== gitDirectory || !existsSync(tables)) return;
  if ((await readSetting(gitDirectory, "extensions.refStorage")) !== "reftable") return;
  await symlink(tables, join(view, "reftable"));
  const file = join(view, "config");
  const settings = readRegularFile(file).toString("utf8").replace("version = 0", "version = 1");
  await writeFile(file, `${settings}[extensions]\n\trefStorage = reftable\n`);
}

/** Returns the directory with objects, references and configuration. Linked work trees share this directory. */
export function findCommonDirectory(gitDirectory: string): string {
  try {
    return resolve(gitDirectory, readRegularFile(join(gitDirectory, "commondir")).toString("utf8").trim());
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return gitDirectory;
  }
}

/** Reads the name of the hash in a git directory's configuration; `sha1` if it names none. */
export async function readHashName(gitDirectory: string): Promise<"sha1" | "sha256"> {
  const name = await readSetting(gitDirectory, "extensions.objectFormat");
  return name?.toLowerCase() === "sha256" ? "sha256" : "sha1";
}

/**
 * Reads a setting of a git directory's configuration, without files that the configuration includes. Starts git only if
 * the file contains the key's last word. `git config --file` reads a value and runs nothing. Undefined if the setting
 * is missing.
 */
export async function readSetting(gitDirectory: string, key: string): Promise<string | undefined> {
  const file = join(findCommonDirectory(gitDirectory), "config");
  const word = key.slice(key.lastIndexOf(".") + 1).toLowerCase();
  if (!readIfThere(file).toLowerCase().includes(word)) return undefined;
  const { exitCode, stdout } = await runGit({
    gitDirectory: tmpdir(), // git reads nothing there
    arguments: ["config", "--file", file, "--no-includes", "--get", key],
    answers: [0, 1],
  });
  return exitCode === 0 ? stdout.toString("utf8").trim() : undefined;
}
