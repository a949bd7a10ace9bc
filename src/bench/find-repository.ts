/** Finds the git directory that contains a task's commit. Millwright only reads this directory. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import { readRegularFile } from "../base/regular-file.ts";
import { refuseBlockingFiles } from "../workspace/blocking-files.ts";
import { runForeignGit, withGitView } from "../workspace/foreign-git.ts";
import { runGit } from "../workspace/git.ts";

export interface RepositoryPlace {
  /** A repository that contains all tasks' commits. */
  readonly repo?: string | undefined;
  /** A folder of repositories: `OWNER__NAME`, `OWNER/NAME`, `NAME`, bare or with a work tree. */
  readonly repositories?: string | undefined;
}

export interface FoundCommit {
  readonly gitDirectory: string;
  /** The commit's full id. */
  readonly commit: string;
}

/**
 * Finds the repository and the full id of a task's commit; `commit` may be abbreviated. Throws MillwrightError("usage")
 * if there is no repository, or if `commit` does not match exactly one commit.
 */
export async function findTaskCommit(
  place: RepositoryPlace,
  repository: string,
  commit: string,
): Promise<FoundCommit> {
  const found = await findRepository(place, repository);
  const commits = await listCommits(found, commit);
  const [full] = commits;
  if (full !== undefined && commits.length === 1) return { gitDirectory: found, commit: full };
  if (full !== undefined) {
    throw new MillwrightError(
      "usage",
      `${found} has ${commits.length} commits whose ids begin with ${commit}`,
      {
        hint: "Name the commit by its full id, or give a repository in which this abbreviation is unique.",
      },
    );
  }
  throw new MillwrightError("usage", `${found} does not have the commit ${commit} of ${repository}`, {
    hint: "Fetch the whole history into this repository.",
  });
}

/** Finds the git directory of a repository. Throws MillwrightError("usage") if there is none. */
async function findRepository(place: RepositoryPlace, repository: string): Promise<string> {
  const tried = listPlaces(place, repository);
  const found = tried.map(findGitDirectory).find((folder) => folder !== undefined);
  if (found === undefined) {
    throw new MillwrightError(
      "usage",
      `There is no git repository for ${repository} (Millwright tried ${tried.join(", ")})`,
      {
        hint: "Give the folder that contains this repository as OWNER__NAME, OWNER/NAME or NAME, or the repository itself.",
      },
    );
  }
  await refuseBlockingFiles(found);
  return found;
}

/**
 * Finds the tasks whose repository or commit this machine lacks, with the reason. Starts git once for each repository,
 * so that a batch of many tasks begins soon.
 */
export async function findLacking<T extends { readonly repository: string; readonly baseCommit: string }>(
  place: RepositoryPlace,
  tasks: readonly T[],
): Promise<Map<T, string>> {
  const lacking = new Map<T, string>();
  for (const [repository, own] of Map.groupBy(tasks, (task) => task.repository)) {
    try {
      const gitDirectory = await findRepository(place, repository);
      const types = await runForeignGit({
        gitDirectory,
        arguments: ["cat-file", "--batch-check=%(objecttype)"],
        input: own.map(({ baseCommit }) => `${baseCommit}\n`).join(""),
      });
      const lines = types.stdout.toString("utf8").split("\n");
      for (const [at, task] of own.entries())
        if (lines[at]?.endsWith(" missing") === true)
          lacking.set(task, `${gitDirectory} does not have the commit ${task.baseCommit} of ${repository}`);
    } catch (error) {
      if (!(error instanceof MillwrightError)) throw error;
      for (const task of own) lacking.set(task, error.message);
    }
  }
  return lacking;
}

/**
 * Lists the ids of commits with this prefix. Branches and tags do not count, because their name may look like an
 * abbreviated id.
 */
async function listCommits(gitDirectory: string, start: string): Promise<string[]> {
  const types = await withGitView(gitDirectory, async (view) => {
    const found = await runGit({ gitDirectory: view, arguments: ["rev-parse", `--disambiguate=${start}`] });
    return runGit({
      gitDirectory: view,
      arguments: ["cat-file", "--batch-check=%(objecttype) %(objectname)"],
      input: found.stdout,
    });
  });
  const lines = types.stdout.toString("utf8").split("\n");
  return lines.flatMap((line) => (line.startsWith("commit ") ? [line.slice("commit ".length)] : []));
}

function listPlaces(place: RepositoryPlace, repository: string): string[] {
  if (place.repo !== undefined) return [resolve(place.repo)];
  const folder = resolve(place.repositories ?? ".");
  const names = [repository.replaceAll("/", "__"), repository, repository.split("/").at(-1) ?? ""];
  // A task must not lead out of the folder.
  const inside = names.filter((name) => !name.split("/").includes(".."));
  return [...new Set(inside)].flatMap((name) => [join(folder, name), join(folder, `${name}.git`)]);
}

/** Finds the git directory of a folder; undefined if the folder is not a repository. */
export function findGitDirectory(folder: string): string | undefined {
  for (const path of [join(folder, ".git"), folder]) {
    const status = statSync(path, { throwIfNoEntry: false });
    if (status?.isFile()) {
      const named = /^gitdir: (.+?)\n?$/.exec(readRegularFile(path).toString("utf8"))?.[1];
      return named === undefined ? undefined : realpathSync(resolve(dirname(path), named));
    }
    if (existsSync(join(path, "HEAD")) && existsSync(join(path, "objects"))) return realpathSync(path);
  }
  return undefined;
}
