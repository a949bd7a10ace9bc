/** Finds the git directory from whose history a task's commit is taken. It is read, never written. */
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import { runGit } from "../workspace/git.ts";

export interface RepositoryPlace {
  /** One repository for all tasks. */
  readonly repo?: string | undefined;
  /** A folder of repositories: `OWNER__NAME`, `OWNER/NAME`, `NAME`, bare or with a work tree. */
  readonly repositories?: string | undefined;
}

/** The git directory. Throws MillwrightError("usage") when there is none or when it does not have the commit. */
export async function findTaskRepository(
  place: RepositoryPlace,
  repository: string,
  commit: string,
): Promise<string> {
  const tried = listPlaces(place, repository);
  const found = tried.map(findGitDirectory).find((folder) => folder !== undefined);
  if (found === undefined) {
    throw new MillwrightError("usage", `There is no git repository for ${repository} (${tried.join(", ")})`, {
      hint: "Give the folder that holds it as OWNER__NAME, or the repository itself.",
    });
  }
  const { exitCode } = await runGit({
    gitDirectory: found,
    arguments: ["cat-file", "-e", `${commit}^{commit}`],
    answers: [0, 1, 128],
  });
  if (exitCode === 0) return found;
  throw new MillwrightError("usage", `${found} does not have the commit ${commit} of ${repository}`, {
    hint: "Fetch the whole history into it.",
  });
}

function listPlaces(place: RepositoryPlace, repository: string): string[] {
  if (place.repo !== undefined) return [resolve(place.repo)];
  const folder = resolve(place.repositories ?? ".");
  const names = [repository.replaceAll("/", "__"), repository, repository.split("/").at(-1) ?? ""];
  return [...new Set(names)].flatMap((name) => [join(folder, name), join(folder, `${name}.git`)]);
}

function findGitDirectory(folder: string): string | undefined {
  for (const path of [join(folder, ".git"), folder]) {
    const status = statSync(path, { throwIfNoEntry: false });
    if (status?.isFile()) {
      const named = /^gitdir: (.+?)\n?$/.exec(readFileSync(path, "utf8"))?.[1];
      return named === undefined ? undefined : realpathSync(resolve(dirname(path), named));
    }
    if (existsSync(join(path, "HEAD")) && existsSync(join(path, "objects"))) return realpathSync(path);
  }
  return undefined;
}
